import { Agent } from '@a2c/agent';
import { verifies } from '@a2c/requirements';
import { apiKey, firstOf } from '@a2c/server';
import { describe, expect } from 'vitest';
import { agentAt, listenIn, next, pause, serve, settle, until, wireTo } from './harness.js';
import { scripted } from './scripted-server.js';
import { TestComputer, text, tool } from './test-computer.js';

const QUICK = { reconnectMinMs: 10, reconnectMaxMs: 50 };

describe('a lost connection', () => {
  verifies('AGT-BACK-01', 'is followed by a re-join under the same name and a new discovery', async () => {
    const { url } = await serve();
    const stays = await TestComputer.join(url, { name: 'stays' });
    const goes = await TestComputer.join(url, { name: 'goes' });
    const wire = await wireTo(url);
    const agent = await agentAt(wire.url, { limits: QUICK });
    const heard = listenIn(agent);
    wire.isBroken = true;
    const lost = next(agent, 'disconnected');
    wire.cut();
    await lost;
    expect(agent.state).toBe('reconnecting');
    goes.socket.disconnect();
    await TestComputer.join(url, { name: 'comes' });
    stays.tools = [tool('echo'), tool('more')];
    wire.isBroken = false;
    await next(agent, 'reconnected');
    await until(
      () => agent.computers.get('comes')?.state === 'ready' && agent.computers.get('stays')?.tools.length === 2,
    );
    expect([agent.state, [...agent.computers.keys()].toSorted()]).toEqual(['joined', ['comes', 'stays']]);
    const reported = heard.filter(([event]) => event !== 'warning');
    expect(reported.map(([event, value]) => `${event} ${(value as { name?: string }).name ?? ''}`.trim())).toEqual([
      'disconnected',
      'reconnected',
      'computerLeft goes',
      'computerEntered comes',
      expect.stringMatching(/^toolsChanged/),
      expect.stringMatching(/^toolsChanged/),
    ]);
    expect((await agent.listRoom()).filter(({ role }) => role === 'agent')).toMatchObject([{ name: 'a' }]);
    expect((await agent.callTool('stays', 'echo', { text: 'back' })).content[0]?.text).toBe('back');
  });

  verifies(['AGT-BACK-02', 'SMCP-CALL-02'], 'during 50 calls loses none and runs none twice', async () => {
    const { url } = await serve();
    const computer = await TestComputer.join(url, { tools: [tool('gate'), tool('echo')] });
    const wire = await wireTo(url);
    const agent = await agentAt(wire.url, { limits: QUICK });
    const ids = Array.from({ length: 50 }, (_, i) => `call-${i}`);
    const calls = ids.map((reqId) => agent.callTool('pc', 'gate', {}, { reqId }));
    await until(() => computer.waiting === 50);
    for (let cut = 0; cut < 3; cut++) {
      const back = next(agent, 'reconnected');
      wire.cut();
      await back;
    }
    const late = agent.callTool('pc', 'echo', { text: 'meanwhile' });
    // Every call was sent again on the new connection.
    await until(() => computer.heard.filter(({ event }) => event === 'client:tool_call').length >= 101);
    computer.openGate();
    expect(await Promise.all(calls)).toEqual(ids.map(() => text('through')));
    expect(await late).toEqual(text('meanwhile'));
    expect(computer.runs.filter((id) => ids.includes(id)).toSorted()).toEqual(ids.toSorted());
  });

  verifies('AGT-BACK-02', 'during which answers were sent delivers them after the reconnect', async () => {
    const { url } = await serve();
    const computer = await TestComputer.join(url, { tools: [tool('gate')] });
    const wire = await wireTo(url);
    const agent = await agentAt(wire.url, { limits: QUICK });
    const calls = Array.from({ length: 10 }, () => agent.callTool('pc', 'gate'));
    await until(() => computer.waiting === 10);
    wire.isBroken = true;
    const lost = next(agent, 'disconnected');
    wire.cut();
    await lost;
    computer.openGate(); // the answers go to the closed connection
    const queued = agent.getDesktop('pc');
    await settle();
    wire.isBroken = false;
    expect(await Promise.all(calls)).toEqual(calls.map(() => text('through')));
    expect(await queued).toHaveLength(2);
    expect(computer.runs).toHaveLength(10);
  });

  verifies('AGT-BACK-03', 'with retry off fails pending calls with 503; new ones wait for the reconnect', async () => {
    const { url } = await serve();
    const computer = await TestComputer.join(url, { tools: [tool('gate'), tool('echo')] });
    const wire = await wireTo(url);
    const agent = await agentAt(wire.url, { limits: QUICK, retry: false });
    const call = agent.callTool('pc', 'gate', {}, { reqId: 'once' });
    const failed = expect(call).rejects.toMatchObject({
      code: 503,
      message: expect.stringMatching(/may have been carried out/),
    });
    await until(() => computer.waiting === 1);
    wire.cut();
    await failed;
    expect(await agent.callTool('pc', 'echo', { text: 'later' })).toEqual(text('later'));
    const asked = computer.heard.filter(({ payload }) => payload.req_id === 'once');
    expect(asked.map(({ event }) => event)).toEqual(['client:tool_call']);
  });

  verifies('AGT-BACK-02', 'does not extend deadlines, and a cancellation meanwhile is delivered', async () => {
    const { url } = await serve();
    const computer = await TestComputer.join(url, { tools: [tool('gate')] });
    const wire = await wireTo(url);
    const agent = await agentAt(wire.url, { limits: { ...QUICK, graceMs: 0 } });
    const slow = expect(agent.callTool('pc', 'gate', {}, { timeout: 4, reqId: 'slow' })).rejects.toMatchObject({
      code: 408,
    });
    const other = agent.callTool('pc', 'gate', {}, { reqId: 'other' });
    await until(() => computer.waiting === 2);
    wire.isBroken = true;
    const lost = next(agent, 'disconnected');
    wire.cut();
    await lost;
    agent.cancel('other');
    await slow;
    wire.isBroken = false;
    expect(await other).toMatchObject({ _meta: { a2c_cancelled: true } });
    await until(() => computer.stopped.includes('slow'));
  });

  verifies('AGT-BACK-05', 'that is cut again and again is reopened with growing delays', async () => {
    let isCut = false;
    let cut = () => {};
    const server = await scripted({
      'server:join_office': (_, ack, socket) => {
        ack(true, null);
        cut = () => void socket.disconnect(true);
        if (isCut) setTimeout(cut, 5);
      },
    });
    await agentAt(server.url, { limits: { reconnectMinMs: 40, discoveryMs: 0 } });
    const began = performance.now();
    isCut = true;
    cut();
    await until(() => server.handshakes.length >= 5);
    // Four delays of 40, 80, 160 and 320 ms, each at least halved by chance.
    expect(performance.now() - began).toBeGreaterThan(280);
  });

  verifies('AGT-CONNECT-03', 'can be answered by a listener that closes the Agent', async () => {
    const { url } = await serve();
    const wire = await wireTo(url);
    const agent = await agentAt(wire.url, { limits: QUICK });
    const heard = listenIn(agent);
    agent.on('disconnected', () => void agent.close());
    const dialled = wire.dialled();
    wire.cut();
    await until(() => agent.state === 'closed');
    await settle();
    expect([heard.map(([event]) => event), wire.dialled()]).toEqual([['disconnected'], dialled]);
  });

  verifies('AGT-BACK-05', 'to a Server that drains or restarts is reopened', async () => {
    const first = await serve();
    const port = Number(new URL(first.url).port);
    const agent = await agentAt(first.url, { limits: QUICK });
    const warned = next(agent, 'warning');
    await first.server.drain(0);
    expect(await warned).toMatchObject({ code: 503, message: 'this node is shutting down' });
    expect(agent.state).toBe('reconnecting');
    await first.close();
    await serve({ port });
    await until(() => agent.state === 'joined');
  });
});

describe('an office taken over', () => {
  const keys = firstOf([apiKey('k1'), apiKey('k2')]);

  verifies('AGT-BACK-04', 'by another Agent during a lost connection is reported once', async () => {
    const { url } = await serve();
    const wire = await wireTo(url);
    const agent = await agentAt(wire.url, { limits: QUICK });
    const heard = listenIn(agent);
    wire.isBroken = true;
    const lost = next(agent, 'disconnected');
    wire.cut();
    await lost;
    const waiting = expect(agent.callTool('pc', 'x')).rejects.toMatchObject({ kind: 'RoomFull', code: 403 });
    await until(() => heard.length > 0);
    const other = await untilJoined(() => Agent.connect({ url, office: 'o', name: 'b' }));
    wire.isBroken = false;
    const dialled = wire.dialled();
    expect(await next(agent, 'ended')).toMatchObject({
      kind: 'RoomFull',
      message: expect.stringMatching(/already has an Agent: "b"/),
    });
    await waiting;
    expect([agent.state, agent.error?.a2cCode]).toEqual(['closed', 4101]);
    const attempts = wire.dialled() - dialled;
    await settle();
    expect(wire.dialled() - dialled).toBe(attempts);
    expect(heard.map(([event]) => event).filter((event) => event !== 'warning')).toEqual(['disconnected', 'ended']);
    await expect(agent.callTool('pc', 'x')).rejects.toMatchObject({ kind: 'RoomFull' });
    await other.close();
  });

  verifies('AGT-BACK-04', 'by a second process with the same key and name is not taken back', async () => {
    const { url } = await serve({ authenticate: keys });
    const wire = await wireTo(url);
    const first = await agentAt(wire.url, { apiKey: 'k1', limits: QUICK });
    const ended = next(first, 'ended');
    const second = await agentAt(url, { apiKey: 'k1' });
    expect(await ended).toMatchObject({
      kind: 'RoomFull',
      message: expect.stringMatching(/taken over by another Agent with this name/),
    });
    const dialled = wire.dialled();
    await settle();
    expect([wire.dialled(), first.state, second.state]).toEqual([dialled, 'closed', 'joined']);
  });

  verifies('WIRE-CONN-04', 'is recognised only by our own departure as the last event', async () => {
    const server = await scripted({
      'server:join_office': (_, ack) => ack(true, null),
      'server:list_room': ({ req_id }, ack) => ack({ sessions: [], req_id }),
    });
    const agent = await agentAt(server.url, { limits: QUICK });
    const own = { office_id: 'o', agent: 'a' };
    for (const news of [
      [{ office_id: 'o', agent: 'other' }],
      [{ office_id: 'o', computer: 'a' }],
      [own, { office_id: 'o', computer: 'pc' }],
    ]) {
      const back = next(agent, 'reconnected');
      for (const departure of news) server.say('notify:leave_office', departure);
      server.drop('disconnect');
      await back;
    }
    const ended = next(agent, 'ended');
    server.say('notify:leave_office', own);
    server.drop('disconnect');
    expect(await ended).toMatchObject({ kind: 'RoomFull' });
  });

  /** Retries until the server has noticed the lost connection and freed its seat. */
  async function untilJoined(connect: () => Promise<Agent>): Promise<Agent> {
    for (;;) {
      const agent = await connect().catch(() => pause(10));
      if (agent) return agent;
    }
  }
});

describe('a refusal', () => {
  verifies('AGT-BACK-05', 'of the credentials on a re-join ends the Agent with 401', async () => {
    let known = true;
    const { url } = await serve({ authenticate: () => (known ? { subject: 's' } : undefined) });
    const wire = await wireTo(url);
    const agent = await agentAt(wire.url, { limits: QUICK });
    known = false;
    wire.cut();
    expect(await next(agent, 'ended')).toMatchObject({ kind: 'Unauthorized', code: 401 });
    expect(agent.state).toBe('closed');
  });

  verifies('AGT-BACK-05', 'of an expired token is followed by an attempt with a fresh one', async () => {
    const seen: unknown[] = [];
    const { url } = await serve({
      authenticate: ({ auth }) => {
        seen.push(auth.token);
        return { subject: 's', ...(seen.length === 1 && { expires: new Date(Date.now() + 1_000) }) };
      },
    });
    let serial = 0;
    const agent = await agentAt(url, { limits: QUICK, auth: async () => ({ token: `t${++serial}` }) });
    await next(agent, 'reconnected');
    expect(seen).toEqual(['t1', 't2']);
  });

  verifies('AGT-BACK-05', 'of the auth function is a warning, and the attempt is repeated', async () => {
    const { url } = await serve();
    const wire = await wireTo(url);
    let asked = 0;
    const auth = () => {
      if (++asked === 2) throw new Error('the vault is locked');
      return {};
    };
    const agent = await agentAt(wire.url, { limits: QUICK, auth });
    const warned = next(agent, 'warning');
    wire.cut();
    expect(await warned).toMatchObject({ code: 500, message: 'the auth option failed: the vault is locked' });
    await until(() => agent.state === 'joined');
  });

  verifies('AGT-BACK-06', 'that may be about our own lost connection is retried for staleSeatMs', async () => {
    let refusals = 0;
    let ghost = 3;
    const server = await scripted({
      'server:join_office': (_, ack) => {
        if (server.handshakes.length === 1 || refusals === ghost) return ack(true, null);
        refusals++;
        ack(false, 'Internal server error: Agent already in room');
      },
      'server:list_room': ({ req_id }, ack) => ack({ sessions: [], req_id }),
    });
    const agent = await agentAt(server.url, { limits: { ...QUICK, staleSeatMs: 3_000 } });
    server.drop('network');
    await next(agent, 'reconnected');
    expect(refusals).toBe(3);
    ghost = -1;
    server.drop('network');
    expect(await next(agent, 'ended')).toMatchObject({
      code: 403,
      message: expect.stringMatching(/Agent already in room/),
    });
    expect(agent.state).toBe('closed');
  });

  verifies('AGT-BACK-07', 'by a node that does not hold the office is followed by a new connection', async () => {
    const server = await scripted({
      'server:join_office': (_, ack) =>
        server.handshakes.length < 3 ? ack(false, '503 wrong node: connect with ?office=o') : ack(true, null),
      'server:list_room': ({ req_id }, ack) => ack({ sessions: [], req_id }),
    });
    const agent = await agentAt(server.url, { limits: QUICK });
    expect(agent.state).toBe('joined');
    expect(server.handshakes.map(({ query }) => query.office)).toEqual(['o', 'o', 'o']);
    const sharded = await serve({ sharded: true });
    const odd = await agentAt(sharded.url, { office: 'office/ü?&' });
    await odd.leave();
    await odd.join('next');
    expect(odd.state).toBe('joined');
  });

  verifies('AGT-BACK-07', 'by every node is an error', async () => {
    const server = await scripted({
      'server:join_office': (_, ack) => ack(false, '503 wrong node: connect with ?office=o'),
    });
    await expect(agentAt(server.url, { limits: QUICK })).rejects.toMatchObject({
      code: 503,
      message: expect.stringMatching(/wrong node/),
    });
  });
});
