import { Agent } from '@a2c/agent';
import { verifies } from '@a2c/requirements';
import { describe, expect, onTestFinished } from 'vitest';
import { agentAt, listenIn, next, serve, settle, until } from './harness.js';
import { scripted } from './scripted-server.js';
import { TestComputer, text, tool } from './test-computer.js';

describe('discovery', () => {
  verifies(
    ['AGT-CONNECT-01', 'SMCP-TOOL-03', 'SMCP-TERM-01', 'WIRE-EVENT-01'],
    'an Agent that joins late knows every Computer and its tools once ready',
    async () => {
      const { url } = await serve();
      await TestComputer.join(url, { name: 'one', tools: [tool('echo'), tool('fail')] });
      const two = await TestComputer.join(url, { name: 'two', dialect: '0.1' });
      await TestComputer.join(url, { name: 'elsewhere', office: 'other' });
      const agent = await agentAt(url);
      expect([agent.name, agent.office, agent.state]).toEqual(['a', 'o', 'joined']);
      expect([...agent.computers.keys()].toSorted()).toEqual(['one', 'two']);
      expect(agent.computers.get('one')).toEqual({ name: 'one', state: 'ready', tools: [tool('echo'), tool('fail')] });
      expect(agent.tools().map(({ name }) => name)).toEqual(['one__echo', 'one__fail', 'two__echo']);
      const asked = two.heard.find(({ event }) => event === 'client:get_tools');
      expect(asked?.payload).toMatchObject({
        agent: 'a',
        req_id: expect.stringMatching(/^[0-9a-f]{32}$/),
        computer: 'two',
      });
    },
  );

  verifies(
    ['SMCP-FLOW-06', 'SMCP-STAT-04', 'SMCP-STAT-05', 'AGT-EVENT-01', 'AGT-VIEW-01'],
    'an Agent that joins early is notified of Computers that join and leave, and fetches their tools',
    async () => {
      const { url } = await serve();
      const agent = await agentAt(url);
      expect(agent.computers.size).toBe(0);
      const heard = listenIn(agent);
      const changed = next(agent, 'toolsChanged');
      const computer = await TestComputer.join(url);
      const ready = await changed;
      expect(ready).toBe(agent.computers.get('pc'));
      expect(heard).toEqual([
        ['computerEntered', { name: 'pc', state: 'loading', tools: [] }],
        ['toolsChanged', { name: 'pc', state: 'ready', tools: [tool('echo')] }],
      ]);
      const left = next(agent, 'computerLeft');
      computer.socket.disconnect();
      expect(await left).toBe(ready);
      expect(agent.computers.size).toBe(0);
      expect(agent.tools()).toEqual([]);
    },
  );

  verifies('COST-AGENT-01', 'of a Computer with very many tools the first ones are used and compared', async () => {
    const { url } = await serve();
    const tools = Array.from({ length: 10_500 }, (_, index) => tool(`t${index}`));
    const computer = await TestComputer.join(url, { tools });
    const agent = await agentAt(url);
    expect(agent.computers.get('pc')?.tools).toEqual(tools.slice(0, 10_000));
    const changed = next(agent, 'toolsChanged');
    computer.tools = tools.with(9_999, tool('other'));
    computer.announce('server:update_tool_list');
    expect((await changed).tools.at(-1)).toEqual(tool('other'));
  });

  verifies(['AGT-VIEW-01', 'AGT-EVENT-01'], 'a tool added at run time is reported and callable', async () => {
    const { url } = await serve();
    const computer = await TestComputer.join(url, { tools: [tool('fail')] });
    const agent = await agentAt(url);
    const before = agent.computers.get('pc');
    await expect(agent.callTool('pc', 'echo')).rejects.toMatchObject({ code: 404, a2cCode: 4001 });
    const changed = next(agent, 'toolsChanged');
    computer.tools = [tool('fail'), tool('echo')];
    computer.announce('server:update_tool_list');
    expect((await changed).tools.map(({ name }) => name)).toEqual(['fail', 'echo']);
    expect(before?.tools).toHaveLength(1);
    expect(Object.isFrozen(before)).toBe(true);
    expect((await agent.callTool('pc', 'echo', { text: 'new' })).content).toEqual([{ type: 'text', text: 'new' }]);
  });

  verifies(
    ['SMCP-STAT-08', 'SMCP-STAT-03', 'SMCP-STAT-06', 'SMCP-DESK-02', 'SMCP-DESK-03', 'WIRE-EVENT-02'],
    'changes reported in one dialect reach an Agent of the other',
    async () => {
      for (const [agentDialect, computerDialect] of [
        ['spec', '0.1'],
        ['0.4', 'spec'],
      ] as const) {
        const { url } = await serve();
        const computer = await TestComputer.join(url, { dialect: computerDialect });
        const agent = await agentAt(url, { dialect: agentDialect, limits: { coalesceMs: 200 } });
        const heard = listenIn(agent);
        computer.tools = [tool('echo'), tool('more')];
        computer.announce('server:update_config');
        computer.announce('server:update_desktop');
        await until(() => heard.length === 3);
        await settle();
        expect(heard).toEqual([
          ['desktopRefreshed', { computer: 'pc' }],
          ['configUpdated', { computer: 'pc' }],
          ['toolsChanged', expect.objectContaining({ tools: [tool('echo'), tool('more')] })],
        ]);
        await agent.close();
      }
    },
  );
});

describe('a foreign Server', () => {
  const sessions = (...names: string[]) => names.map((name) => ({ sid: name, name, role: 'computer', office_id: 'o' }));

  const office = (fetches: string[], tools: () => unknown = () => [tool('echo')]) => ({
    'server:join_office': (_: unknown, ack: (...args: unknown[]) => void) => ack(true, null),
    'server:list_room': ({ req_id }: Record<string, unknown>, ack: (...args: unknown[]) => void) =>
      ack({ sessions: sessions('pc'), req_id }),
    'client:get_tools': ({ req_id, computer }: Record<string, unknown>, ack: (...args: unknown[]) => void) => {
      fetches.push(String(computer));
      ack({ tools: tools(), req_id });
    },
  });

  verifies('AGT-EVENT-02', 'that sends a notification under both names causes one event and one fetch', async () => {
    const fetches: string[] = [];
    const server = await scripted(office(fetches));
    const agent = await agentAt(server.url, { limits: { coalesceMs: 200 } });
    const heard = listenIn(agent);
    for (const name of ['notify:update_config', 'notify:update_mcp_config', 'notify:update_tool_list'])
      server.say(name, { computer: 'pc' });
    for (const name of ['notify:update_desktop', 'notify:desktop_refresh']) server.say(name, { computer: 'pc' });
    await until(() => fetches.length === 2);
    await settle();
    expect(heard.map(([event]) => event)).toEqual(['desktopRefreshed', 'configUpdated']);
    expect(fetches).toEqual(['pc', 'pc']);
  });

  verifies('AGT-EVENT-02', 'that sends a notification while a list is pending: the list is fetched again', async () => {
    const fetches: string[] = [];
    let version = 1;
    const late: (() => void)[] = [];
    const server = await scripted({
      ...office(fetches),
      'client:get_tools': ({ req_id }, ack) => {
        const tools = [tool(`v${version}`)];
        fetches.push(`v${version}`);
        if (version === 1) ack({ tools, req_id });
        else late.push(() => ack({ tools, req_id }));
      },
    });
    const agent = await agentAt(server.url);
    for (version of [2, 3, 4]) {
      const noticed = next(agent, 'desktopRefreshed');
      for (const event of ['notify:update_tool_list', 'notify:update_desktop']) server.say(event, { computer: 'pc' });
      await noticed;
      await until(() => fetches.length === 2);
    }
    expect(fetches).toEqual(['v1', 'v2']); // one at a time
    late.shift()?.();
    await until(() => late.length > 0);
    late.shift()?.();
    await settle();
    expect(fetches).toEqual(['v1', 'v2', 'v4']);
    expect(agent.tools().map(({ tool: { name } }) => name)).toEqual(['v4']);
  });

  verifies(
    'AGT-VIEW-01',
    'that sends notifications around the room list: notifications are newer than the list',
    async () => {
      const server = await scripted({
        ...office([]),
        'server:list_room': ({ req_id }, ack, socket) => {
          socket.emit('notify:enter_office', { office_id: 'o', computer: 'early' });
          ack({ sessions: sessions('pc', 'gone', 'early'), req_id });
          socket.emit('notify:leave_office', { office_id: 'o', computer: 'gone' });
          socket.emit('notify:enter_office', { office_id: 'o', computer: 'late' });
        },
      });
      for (const transport of ['polling', 'websocket'] as const) {
        const agent = await agentAt(server.url, { transports: [transport] });
        await until(() => agent.computers.get('late')?.state === 'ready');
        expect([...agent.computers.keys()].toSorted()).toEqual(['early', 'late', 'pc']);
        await agent.close();
      }
    },
  );

  verifies('AGT-VIEW-02', 'with a silent and a failing Computer: the others are ready', async () => {
    const server = await scripted({
      ...office([]),
      'server:list_room': ({ req_id }, ack) => ack({ sessions: sessions('good', 'mute', 'broken'), req_id }),
      'client:get_tools': ({ req_id, computer }, ack) => {
        if (computer === 'good') ack({ tools: [tool('echo')], req_id });
        if (computer === 'broken') ack({ error: { code: 500, message: 'no list today' } });
      },
    });
    const limits = { discoveryMs: 2_000, queryMs: 3_500, graceMs: 500 };
    const agent = await agentAt(server.url, { limits });
    const heard = listenIn(agent);
    expect(agent.tools().map(({ name }) => name)).toEqual(['good__echo']);
    expect(agent.computers.get('broken')).toMatchObject({ state: 'failed', error: { message: 'no list today' } });
    expect(agent.computers.get('mute')).toMatchObject({ state: 'loading' });
    await until(() => agent.computers.get('mute')?.state === 'failed');
    expect(heard).toEqual([['warning', expect.objectContaining({ code: 408 })]]);
  });

  verifies('AGT-READY-01', 'with a Computer that never sends its tools: requests to others do not wait', async () => {
    // Anything that waits for discovery exceeds the time limit of the test.
    const limits = { discoveryMs: 3_600_000, queryMs: 3_600_000 };
    let listed = 0;
    const server = await scripted({
      ...office([]),
      'server:list_room': ({ req_id }, ack) => {
        listed++;
        ack({ sessions: sessions('good', 'mute'), req_id });
      },
      'client:get_tools': ({ req_id, computer }, ack) => {
        if (computer === 'good') ack({ tools: [tool('echo')], req_id });
      },
      'client:tool_call': (_, ack) => ack(text('called')),
    });
    const agent = await Agent.connect({ url: server.url, office: 'o', name: 'a', limits });
    onTestFinished(() => agent.close());
    expect(agent.state).toBe('joined');
    expect(await agent.callTool('good', 'echo')).toEqual(text('called'));
    expect(await agent.callNamed('good__echo')).toEqual(text('called'));
    expect((await agent.listRoom()).map(({ name }) => name)).toEqual(['good', 'mute']);
    expect(listed).toBe(2);
    agent.cancel('r1');
    await until(() => server.heard.at(-1)?.event === 'server:tool_call_cancel');
    await agent.ready({ computer: 'good' });
    expect(agent.tools().map(({ name }) => name)).toEqual(['good__echo']);
    expect(agent.computers.get('mute')?.state).toBe('loading');
  });

  verifies('AGT-READY-02', 'with a slow Computer: ready waits for it, for discoveryMs at most', async () => {
    const late: (() => void)[] = [];
    const server = await scripted({
      ...office([]),
      'server:list_room': ({ req_id }, ack) => ack({ sessions: sessions('good', 'slow'), req_id }),
      'client:get_tools': ({ req_id, computer }, ack) => {
        const answer = () => ack({ tools: [tool('echo')], req_id });
        if (computer === 'good') answer();
        else late.push(answer);
      },
    });
    const agent = Agent.create({ url: server.url, office: 'o', name: 'a', limits: { discoveryMs: 2_000 } });
    onTestFinished(() => agent.close());
    await expect(agent.ready()).rejects.toMatchObject({ kind: 'NotInRoom' });
    const joining = agent.join('o');
    await agent.ready({ computer: 'unknown' }); // waits for the join and the list of the room
    await joining;
    await agent.ready();
    expect(agent.tools().map(({ name }) => name)).toEqual(['good__echo']);
    const stop = new AbortController();
    const aborted = expect(agent.ready({ signal: stop.signal })).rejects.toBe('enough');
    stop.abort('enough');
    await aborted;
    await agent.close();
    const limits = { discoveryMs: 3_600_000 };
    const patient = await Agent.connect({ url: server.url, office: 'o', name: 'a', limits });
    onTestFinished(() => patient.close());
    const ready = patient.ready();
    await until(() => late.length === 2);
    late[1]?.();
    await ready;
    expect(patient.tools().map(({ name }) => name)).toEqual(['good__echo', 'slow__echo']);
  });

  verifies(
    'AGT-VIEW-01',
    'that reports a change and a departure at once: the Computer is not added again',
    async () => {
      const fetches: string[] = [];
      const server = await scripted(office(fetches));
      const agent = await agentAt(server.url);
      const heard = listenIn(agent);
      const left = next(agent, 'computerLeft');
      server.say('notify:update_tool_list', { computer: 'pc' });
      server.say('notify:leave_office', { office_id: 'o', computer: 'pc' });
      await left;
      await settle();
      expect([heard.map(([event]) => event), agent.computers.size, fetches]).toEqual([['computerLeft'], 0, ['pc']]);
    },
  );

  verifies('AGT-VIEW-01', 'that does not know a Computer any more: it is removed', async () => {
    let isGone = false;
    const server = await scripted({
      ...office([]),
      'client:get_tools': ({ req_id, computer }, ack) =>
        ack(isGone ? { code: 404, message: 'no such Computer', details: { computer } } : { tools: [], req_id }),
    });
    const agent = await agentAt(server.url);
    const heard = listenIn(agent);
    isGone = true;
    server.say('notify:update_tool_list', { computer: 'pc' });
    await until(() => agent.computers.size === 0);
    expect(heard.map(([event]) => event)).toEqual(['computerLeft']);
  });

  verifies('AGT-VIEW-03', 'that answers 503 to list requests: they are repeated', async () => {
    const busy = { code: 503, message: 'busy' };
    let lists = 0;
    let fetches = 0;
    const server = await scripted({
      ...office([]),
      'server:list_room': ({ req_id }, ack) => ack(++lists < 3 ? busy : { sessions: sessions('pc'), req_id }),
      'client:get_tools': ({ req_id }, ack) => ack(++fetches < 3 ? busy : { tools: [tool('echo')], req_id }),
    });
    const agent = Agent.create({ url: server.url, office: 'o', name: 'a', limits: { reconnectMinMs: 10 } });
    onTestFinished(() => agent.close());
    const heard = listenIn(agent);
    await agent.join('o');
    await agent.ready();
    expect(agent.computers.get('pc')).toEqual({ name: 'pc', state: 'ready', tools: [tool('echo')] });
    const warning = ['warning', expect.objectContaining({ code: 503, message: 'busy' })];
    expect(heard).toEqual([
      ...[warning, warning],
      ['computerEntered', expect.objectContaining({ state: 'loading' })],
      ...[warning, warning],
      ['toolsChanged', expect.objectContaining({ state: 'ready' })],
    ]);
  });

  verifies('AGT-VIEW-03', 'that loses a request for tools: the list is asked for again', async () => {
    let asked = 0;
    const server = await scripted({
      ...office([]),
      'server:list_room': ({ req_id }, ack) => ack({ sessions: sessions('pc'), req_id }),
      'client:get_tools': ({ req_id }, ack) => void (++asked > 2 && ack({ tools: [tool('echo')], req_id })),
    });
    const agent = await agentAt(server.url, { limits: { reconnectMinMs: 10, queryMs: 200, graceMs: 0 } });
    await until(() => agent.computers.get('pc')?.state === 'ready');
    expect(agent.tools().map(({ name }) => name)).toEqual(['pc__echo']);
    expect(asked).toBe(3);
  });

  verifies('AGT-VIEW-03', 'gets no further list requests from an Agent that left', async () => {
    let asked = 0;
    const server = await scripted({
      ...office([]),
      'client:get_tools': (_, ack) => {
        asked++;
        ack({ code: 503, message: 'busy' });
      },
    });
    const agent = await agentAt(server.url, { limits: { reconnectMinMs: 50, discoveryMs: 0 } });
    await until(() => asked > 0);
    await agent.close();
    const before = asked;
    await settle();
    await settle();
    expect(asked).toBe(before);
  });

  verifies(
    ['SMCP-EXT-03', 'SMCP-EXT-06', 'SMCP-MSG-01'],
    'that sends unknown and malformed events: unknown ones are ignored, malformed ones are warnings',
    async () => {
      const server = await scripted({
        ...office([]),
        'server:list_room': ({ req_id }, ack) => ack({ sessions: [...sessions('pc'), 'odd'], req_id, more: 1 }),
      });
      const agent = await agentAt(server.url);
      const heard = listenIn(agent);
      server.say('notify:x_weather', { rain: true });
      server.say('client:tool_call', { agent: 'a' });
      server.say(7 as unknown as string, {});
      server.say('notify:enter_office', 'not an object');
      server.say('notify:enter_office', { office_id: 'other', computer: 'stranger' });
      server.say('notify:enter_office', { office_id: 'o', computer: 'new', colour: 'red' });
      await until(() => agent.computers.get('new')?.state === 'ready');
      expect(heard.map(([event]) => event)).toEqual(['warning', 'computerEntered', 'toolsChanged']);
      expect([...agent.computers.keys()]).toEqual(['pc', 'new']);
    },
  );

  verifies('AGT-CONNECT-01', 'that cannot list a room: the Agent is joined nevertheless', async () => {
    const server = await scripted({
      'server:join_office': (_, ack) => ack(true, null),
      'server:list_room': (_, ack) => ack(),
    });
    const agent = await agentAt(server.url);
    expect(agent.state).toBe('joined');
    expect(agent.computers.size).toBe(0);
  });
});

verifies('AGT-EVENT-03', 'a throwing listener is reported as uncaught; other listeners run', async () => {
  const { url } = await serve();
  const agent = await agentAt(url);
  const faults: unknown[] = [];
  const others = process.listeners('uncaughtException');
  process.removeAllListeners('uncaughtException');
  process.on('uncaughtException', (error) => void faults.push(error));
  agent.on('computerEntered', () => {
    throw new Error('mine');
  });
  const heard = listenIn(agent);
  await TestComputer.join(url);
  await until(() => agent.computers.get('pc')?.state === 'ready' && faults.length > 0);
  process.removeAllListeners('uncaughtException');
  for (const other of others) process.on('uncaughtException', other);
  expect(faults).toEqual([expect.objectContaining({ message: 'mine' })]);
  expect(heard.map(([event]) => event)).toEqual(['computerEntered', 'toolsChanged']);
});

verifies('AGT-VIEW-03', 'a Computer whose connection is replaced while its tools are asked for is kept', async () => {
  const { url } = await serve({ authenticate: () => ({ subject: 'owner' }) });
  const old = await TestComputer.join(url);
  old.socket.off('client:get_tools');
  const agent = await Agent.connect({ url, office: 'o', name: 'a' });
  onTestFinished(() => agent.close());
  await until(() => old.heard.some(({ event }) => event === 'client:get_tools'));
  const heard = listenIn(agent);
  await TestComputer.join(url, { tools: [tool('new')] });
  await until(() => agent.computers.get('pc')?.state === 'ready');
  expect(agent.tools().map(({ name }) => name)).toEqual(['pc__new']);
  expect(heard.map(([event]) => event)).not.toContain('computerLeft');
});
