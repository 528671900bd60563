import { once } from 'node:events';
import type { Role } from '@a2c/protocol';
import { verifies } from '@a2c/requirements';
import { Redis } from 'ioredis';
import { describe, expect, onTestFinished } from 'vitest';
import { cluster, echo, joinOn } from './cluster.js';
import { ask, CALL, dial, eventually, newCall, next, type RawSocket, recordEvents, settle, until } from './harness.js';
import { type NodeProcess, startRedis } from './processes.js';

describe('one office on several nodes', () => {
  verifies(
    ['SRV-SCALE-01', 'SMCP-ROLE-03'],
    'works as on one: members, calls, lists, notifications, cancellation, leaves',
    async () => {
      const { nodes } = await cluster();
      const agent = await joinOn(nodes[0], 'agent', 'a', 'o');
      const received = recordEvents(agent);
      const computer = await joinOn(nodes[1], 'computer', 'pc', 'o');
      const outsider = recordEvents(await joinOn(nodes[2], 'computer', 'pc', 'o2'));
      echo(computer);
      expect(await ask(agent, 'client:tool_call', CALL)).toEqual([
        { content: [{ type: 'text', text: '{"x":1}' }], isError: false },
      ]);
      const [room] = await ask(agent, 'server:list_room', { agent: 'a', req_id: 'r', office_id: 'o' });
      expect((room as { sessions: { name: string }[] }).sessions.map(({ name }) => name).toSorted()).toEqual([
        'a',
        'pc',
      ]);
      await ask(computer, 'server:update_config', { computer: 'x' });
      const cancelled = next(computer, 'notify:tool_call_cancel');
      const third = await joinOn(nodes[1], 'computer', 'slow', 'o');
      const started = next(third, 'client:tool_call');
      const pending = ask(agent, 'client:tool_call', { ...CALL, computer: 'slow', req_id: 'r9', timeout: 60 });
      await started;
      agent.emit('server:tool_call_cancel', { agent: 'a', req_id: 'other' });
      expect(await cancelled).toEqual({ agent: 'a', req_id: 'other' });
      third.disconnect();
      expect((await pending)[0]).toMatchObject({ code: 404, details: { reason: 'gone' } });
      await until(() => received.length >= 5);
      expect(received.map(([event, payload]) => [event, (payload as { computer?: string }).computer])).toEqual([
        ['notify:enter_office', 'pc'],
        ['notify:update_config', 'pc'],
        ['notify:update_mcp_config', 'pc'],
        ['notify:enter_office', 'slow'],
        ['notify:leave_office', 'slow'],
      ]);
      expect(outsider).toEqual([]);
      await expect(joinOn(nodes[2], 'agent', 'a2', 'o')).rejects.toThrow(/^403\/4101 /);
      await expect(joinOn(nodes[2], 'computer', 'pc', 'o')).rejects.toThrow(/already exists/);
    },
  );

  verifies(
    ['SMCP-ISO-04', 'LINK-MOVE-01'],
    'a Computer that has moved gets no calls of its former office, and no answer of it goes there',
    async () => {
      const { nodes } = await cluster(2);
      const agent = await joinOn(nodes[0], 'agent', 'a', 'A');
      const computer = await dial(nodes[1].url, { auth: { adapts: true } });
      let office = '';
      const crossed: unknown[] = [];
      computer.on('client:tool_call', ({ agent: caller, office_id: stated }, ack) => {
        if (office === 'B' || (stated !== undefined && stated !== 'A')) crossed.push([caller, office, stated]);
        ack({ content: [{ type: 'text', text: office }], isError: false });
      });
      let isMoving = true;
      const call = async () => {
        const answers = new Set<string>();
        while (isMoving) {
          const [answer] = await ask(agent, 'client:tool_call', newCall());
          const { content } = answer as { content?: readonly { readonly text: string }[] };
          if (content?.[0] && !('code' in (answer as object))) answers.add(content[0].text);
        }
        return answers;
      };
      const calls = Array.from({ length: 8 }, call);
      for (let move = 0; move < 200; move++) {
        const next = move % 2 === 0 ? 'A' : 'B';
        if (next === 'A') office = next; // Calls may arrive before the acknowledgement.
        await ask(computer, 'server:join_office', { role: 'computer', name: 'pc', office_id: next });
        office = next;
      }
      isMoving = false;
      const answers = new Set((await Promise.all(calls)).flatMap((each) => [...each]));
      expect(crossed).toEqual([]);
      expect([...answers]).toEqual(['A']);
    },
  );

  verifies(
    'SRV-SCALE-01',
    'a tool list cached on one node is invalidated by a change notification on another',
    async () => {
      const { nodes } = await cluster(2);
      const agent = await joinOn(nodes[0], 'agent', 'a', 'o');
      const computer = await joinOn(nodes[1], 'computer', 'pc', 'o');
      echo(computer);
      computer.on('client:get_tools', (_request, ack) => ack({ tools: [], req_id: 'r1' }));
      await ask(agent, 'client:get_tools', CALL);
      expect(await ask(agent, 'client:tool_call', CALL)).toEqual([expect.objectContaining({ code: 404 })]);
      await ask(computer, 'server:update_tool_list', { computer: 'pc' });
      await eventually(async () => {
        expect(await ask(agent, 'client:tool_call', CALL)).toEqual([expect.objectContaining({ isError: false })]);
      });
    },
  );

  verifies(
    ['SRV-SCALE-02', 'GEN-ROOM-03'],
    'members of 0.5 on several nodes get one Computer for their office',
    async () => {
      const { nodes } = await cluster(2, 1_500, { versionPolicy: 'preview' });
      const as = (version: string) => ({ query: { a2c_version: version } });
      const join = async (i: number, version: string, role: Role, name: string, office_id: string) =>
        ask(await dial((nodes[i % 2] as NodeProcess).url, as(version)), 'server:join_office', {
          role,
          name,
          office_id,
        });
      const acks = await Promise.all(Array.from({ length: 20 }, (_, i) => join(i, '0.5.0', 'computer', `C${i}`, 'o')));
      expect(acks.filter((ack) => ack.length === 0)).toHaveLength(1);
      expect(await join(0, '0.4.0', 'computer', 'older', 'o')).toEqual([false, expect.stringMatching(/^403\/4101 /)]);
      expect(await join(1, '0.5.0', 'agent', 'a', 'o')).toEqual([]);
      // The first member decides: the office has one Computer, or it has many and no Agent of 0.5.
      for (let round = 0; round < 10; round++) {
        const office = `mixed ${round}`;
        const [agent, ...computers] = await Promise.all([
          join(0, '0.5.0', 'agent', 'a', office),
          ...[1, 2].map((i) => join(i, '0.4.0', 'computer', `C${i}`, office)),
        ]);
        const joined = computers.filter(([ok]) => ok === true).length;
        expect([agent.length === 0 ? 'agent' : 'none', joined].join(), office).toMatch(/^(agent,1|none,2)$/);
      }
    },
  );

  verifies('SRV-SCALE-02', 'of 300 Agents on three nodes exactly one gets the office', async () => {
    const { nodes } = await cluster();
    const sockets = await Promise.all(Array.from({ length: 300 }, (_, i) => dial((nodes[i % 3] as NodeProcess).url)));
    const acks = await Promise.all(
      sockets.map((socket, i) => ask(socket, 'server:join_office', { role: 'agent', name: `a${i}`, office_id: 'o' })),
    );
    expect(acks.filter(([ok]) => ok === true)).toHaveLength(1);
    expect(acks.filter(([, text]) => String(text).startsWith('403'))).toHaveLength(299);
  });

  verifies('SRV-SCALE-01', 'answers are not kept in memory until the timeout of their call', async () => {
    const { nodes } = await cluster(2);
    const agent = await joinOn(nodes[0], 'agent', 'a', 'o');
    const computer = await joinOn(nodes[1], 'computer', 'pc', 'o');
    const text = 'x'.repeat(100_000);
    computer.on('client:tool_call', (_request, ack) => ack({ content: [{ type: 'text', text }], isError: false }));
    const heap = async () =>
      Number(
        /^a2c_nodejs_heap_size_used_bytes (\d+)/m.exec(await (await fetch(`${nodes[0].url}/metrics`)).text())?.[1],
      );
    const call = (i: number) => ask(agent, 'client:tool_call', { ...CALL, req_id: `r${i}`, timeout: 3_000 });
    for (let i = 0; i < 100; i++) await call(i);
    const before = await heap();
    for (let i = 0; i < 1_000; i++) await call(i);
    expect((await heap()) - before).toBeLessThan(60 * 2 ** 20);
  });
});

describe('one member on two nodes', () => {
  verifies('SRV-ROOM-01', 'takes over its seat without a notification to the office', async () => {
    const { nodes } = await cluster(2);
    const received = recordEvents(await joinOn(nodes[0], 'computer', 'pc', 'o'));
    const old = await joinOn(nodes[0], 'agent', 'a', 'o', 'i-1');
    await until(() => received.length >= 1);
    const left = next(old, 'disconnect');
    const successor = await joinOn(nodes[1], 'agent', 'a', 'o', 'i-1');
    expect(await left).toBe('io server disconnect');
    await settle();
    expect(received.map(([event]) => event)).toEqual(['notify:enter_office']);
    expect(await ask(successor, 'server:leave_office', { office_id: 'o' })).toEqual([true, null]);
  });

  verifies('SRV-SCALE-03', 'is announced to the Agents if it is a Computer: they may have missed it', async () => {
    const { nodes } = await cluster(2);
    await joinOn(nodes[0], 'computer', 'pc', 'o', 'i-1');
    const entered = next(await joinOn(nodes[1], 'agent', 'a', 'o'), 'notify:enter_office');
    await joinOn(nodes[1], 'computer', 'pc', 'o', 'i-1');
    expect(await entered).toEqual({ office_id: 'o', computer: 'pc' });
  });

  verifies('SRV-SCALE-03', 'a resumed node does not take a seat back that was taken over', async () => {
    const { nodes } = await cluster(2);
    const sleeper = await joinOn(nodes[1], 'agent', 'a', 'o', 'i-1');
    nodes[1].child.kill('SIGSTOP');
    await settle(2_500); // longer than the lease
    const successor = await joinOn(nodes[0], 'agent', 'a', 'o', 'i-1');
    const left = next(sleeper, 'disconnect');
    nodes[1].child.kill('SIGCONT');
    await left;
    await settle(1_000);
    await expect(joinOn(nodes[1], 'agent', 'thief', 'o')).rejects.toThrow(/^403/);
    expect(await ask(successor, 'server:leave_office', { office_id: 'o' })).toEqual([true, null]);
  });

  verifies('AGT-CALL-08', 'reports progress to the Agent of the call on another node', async () => {
    const { nodes } = await cluster(2);
    const agent = await joinOn(nodes[0], 'agent', 'a', 'o');
    const computer = await joinOn(nodes[1], 'computer', 'pc', 'o');
    computer.on('client:tool_call', ({ req_id }) =>
      computer.emit('server:tool_call_progress', { computer: 'pc', agent: 'a', req_id, progress: 1 }),
    );
    const progress = next(agent, 'notify:tool_call_progress');
    agent.emit('client:tool_call', { ...CALL, progress: true });
    expect(await progress).toEqual({ computer: 'pc', agent: 'a', req_id: CALL.req_id, progress: 1 });
  });

  verifies('SRV-SCALE-03', 'is called where it is now, also from the node it was on', async () => {
    const { nodes } = await cluster(2);
    const agent = await joinOn(nodes[0], 'agent', 'a', 'o');
    const old = await joinOn(nodes[0], 'computer', 'pc', 'o', 'i-1');
    const left = next(old, 'disconnect');
    echo(await joinOn(nodes[1], 'computer', 'pc', 'o', 'i-1'));
    await left;
    const [answer] = await ask(agent, 'client:tool_call', CALL);
    expect(answer).toMatchObject({ isError: false });
  });

  verifies(
    'SRV-SCALE-03',
    'a resumed node does not announce that a member left which has joined elsewhere',
    async () => {
      const { nodes } = await cluster(2);
      const received = recordEvents(await joinOn(nodes[1], 'agent', 'a', 'o'));
      const sleeper = await joinOn(nodes[0], 'computer', 'pc', 'o', 'i-1');
      await until(() => received.length === 1);
      nodes[0].child.kill('SIGSTOP');
      await until(() => received.length === 2); // the lease has expired
      await joinOn(nodes[1], 'computer', 'pc', 'o', 'i-1');
      await until(() => received.length === 3);
      sleeper.disconnect();
      nodes[0].child.kill('SIGCONT');
      await settle(1_500);
      expect(received.map(([event]) => event)).toEqual([
        'notify:enter_office',
        'notify:leave_office',
        'notify:enter_office',
      ]);
    },
  );

  verifies('SRV-FUZZ-01', 'an answer that nests too deeply becomes an error', async () => {
    const { nodes } = await cluster(2);
    const agent = await joinOn(nodes[0], 'agent', 'a', 'o');
    const computer = await joinOn(nodes[1], 'computer', 'pc', 'o');
    const depth = 50_000;
    computer.on('client:tool_call', () => {
      // Written directly, because the Socket.IO client cannot encode it either.
      const { engine } = computer.io;
      engine.write(`3/smcp,0[${'['.repeat(depth)}${']'.repeat(depth)}]`);
    });
    const [answer] = await ask(agent, 'client:tool_call', { ...CALL, timeout: 3 });
    expect((answer as { code: number }).code).toBeGreaterThanOrEqual(408);
    expect((await fetch(`${nodes[1].url}/healthz`)).status).toBe(200);
  });

  verifies('SRV-SCALE-05', 'sharded: a member on another node than its office is made to reconnect', async () => {
    const { nodes } = await cluster(2, 1_500, { sharded: true });
    const query = { office: 'o' };
    const join = (role: Role) => ({ role, name: role, office_id: 'o' });
    const misplaced = await dial(nodes[0].url, { query });
    expect(await ask(misplaced, 'server:join_office', join('computer'))).toEqual([true, null]);
    const disconnected = next(misplaced, 'disconnect');
    expect(await ask(await dial(nodes[1].url, { query }), 'server:join_office', join('agent'))).toEqual([true, null]);
    // After this reason clients reconnect, through the load balancer.
    expect(await disconnected).toBe('transport close');
  });
});

describe('when a node fails', () => {
  verifies('SRV-SCALE-03', 'its members are removed within the lease and their seats are free', async () => {
    const { nodes } = await cluster();
    const computer = await joinOn(nodes[0], 'computer', 'here', 'o');
    const agent = await joinOn(nodes[0], 'agent', 'b', 'o2');
    await joinOn(nodes[1], 'computer', 'pc', 'o2');
    await joinOn(nodes[1], 'agent', 'a', 'o');
    await settle(300); // notifications of the joins pass between nodes
    const received = [recordEvents(computer), recordEvents(agent)];
    const pending = ask(agent, 'client:tool_call', { ...CALL, timeout: 60 });
    await settle();
    nodes[1].child.kill('SIGKILL');
    expect((await pending)[0]).toMatchObject({ code: 404, details: { reason: 'gone' } });
    await until(() => received.every((log) => log.length > 0));
    expect(received).toEqual([
      [['notify:leave_office', { office_id: 'o', agent: 'a' }]],
      [['notify:leave_office', { office_id: 'o2', computer: 'pc' }]],
    ]);
    await joinOn(nodes[2], 'agent', 'a', 'o');
    await joinOn(nodes[2], 'computer', 'pc', 'o2');
  });

  verifies('SRV-SCALE-03', 'a frozen node does not affect calls between others, and loses its seats', async () => {
    const { nodes } = await cluster();
    const agent = await joinOn(nodes[0], 'agent', 'a', 'o');
    echo(await joinOn(nodes[1], 'computer', 'pc', 'o'));
    const sleeper = await joinOn(nodes[2], 'agent', 'z', 'o3');
    nodes[2].child.kill('SIGSTOP');
    for (let i = 0; i < 50; i++) {
      expect(await ask(agent, 'client:tool_call', { ...CALL, req_id: `r${i}` })).toEqual([
        expect.objectContaining({ isError: false }),
      ]);
    }
    const successor = await eventually(() => joinOn(nodes[0], 'agent', 'y', 'o3'));
    const left = once(sleeper as unknown as NodeJS.EventEmitter, 'disconnect');
    nodes[2].child.kill('SIGCONT');
    await left;
    expect(await ask(successor, 'server:leave_office', { office_id: 'o3' })).toEqual([true, null]);
  });

  verifies(
    'SRV-SCALE-04',
    'without Redis, offices on one node keep working and joins get 503; all recovers with an empty Redis',
    async () => {
      const { nodes, redis, port } = await cluster(2);
      const lost = await joinOn(nodes[0], 'agent', 'l', 'o9');
      await joinOn(nodes[0], 'computer', 'pc', 'o9');
      lost.emit('client:tool_call', { ...CALL, timeout: 60 }, () => {});
      await settle();
      const agent = await joinOn(nodes[0], 'agent', 'a', 'o');
      echo(await joinOn(nodes[0], 'computer', 'pc', 'o'));
      const remote = await joinOn(nodes[1], 'computer', 'far', 'o');
      echo(remote);
      redis.kill('SIGKILL');
      await once(redis, 'exit');
      lost.io.engine.close();
      await settle(1_800); // its calls are cancelled while Redis is away
      expect(await ask(agent, 'client:tool_call', CALL)).toEqual([expect.objectContaining({ isError: false })]);
      await expect(joinOn(nodes[0], 'agent', 'n', 'new')).rejects.toThrow(/^503 .*Redis/);
      expect((await ask(agent, 'client:tool_call', { ...CALL, computer: 'far' }))[0]).toMatchObject({ code: 503 });
      expect((await fetch(`${nodes[0].url}/readyz`)).status).toBe(503);
      await startRedis(port);
      await eventually(async () => {
        const [answer] = await ask(agent, 'client:tool_call', { ...newCall(), computer: 'far', timeout: 1 });
        expect(answer).toMatchObject({ isError: false });
      });
      await expect(joinOn(nodes[1], 'agent', 'thief', 'o')).rejects.toThrow(/^403/);
      await joinOn(nodes[1], 'agent', 'n', 'new');
      expect((await fetch(`${nodes[0].url}/readyz`)).status).toBe(200);
    },
  );
});

verifies(
  'SEC-CLUSTER-01',
  'a large office costs Redis no more than a small one, whatever a member asks for',
  async () => {
    const { port, nodes } = await cluster(2);
    const redis = new Redis(`redis://127.0.0.1:${port}`);
    onTestFinished(() => redis.disconnect());
    /** How often Redis has read all members of an office. */
    const reads = async () => Number(/cmdstat_hvals:calls=(\d+)/.exec(await redis.info('commandstats'))?.[1] ?? 0);
    const computers = await Promise.all(
      Array.from({ length: 30 }, (_, i) => joinOn(nodes[0], 'computer', `pc-${i}`, 'o')),
    );
    for (const computer of computers) echo(computer);
    const agent = await joinOn(nodes[1], 'agent', 'a', 'o');
    const call = (computer: string) => ask(agent, 'client:tool_call', { ...newCall(), computer });
    const before = await reads();

    const unknown = await Promise.all(Array.from({ length: 50 }, () => call('none')));
    for (const [answer] of unknown) expect(answer).toMatchObject({ code: 404 });
    const [first] = computers as [RawSocket];
    const id = first.id as string;
    for (const name of ['pc-7', id]) expect(await call(name)).toMatchObject([{ isError: false }]);
    expect(await call('x'.repeat(20))).toMatchObject([{ code: 404 }]);
    await joinOn(nodes[1], 'computer', 'x'.repeat(20), 'o');
    await expect(joinOn(nodes[1], 'computer', id, 'o')).rejects.toThrow('connection id');
    expect(await reads()).toBe(before);

    const list = () => ask(agent, 'server:list_room', { agent: 'a', req_id: 'r', office_id: 'o' });
    for (const [answer] of await Promise.all(Array.from({ length: 100 }, list)))
      expect((answer as { sessions: unknown[] }).sessions).toHaveLength(32);
    const listed = await reads();
    expect(listed - before).toBeLessThan(50);

    for (const computer of computers) computer.disconnect();
    await eventually(async () => expect(await redis.hlen('a2c:office:o')).toBe(2));
    await settle();
    expect(await reads()).toBe(listed);
    expect(await redis.hlen('a2c:ids:o')).toBe(1);
    await joinOn(nodes[1], 'computer', id, 'o');
  },
);
