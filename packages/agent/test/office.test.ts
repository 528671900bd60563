import { Agent } from '@a2c/agent';
import { verifies } from '@a2c/requirements';
import { describe, expect, onTestFinished } from 'vitest';
import { agentAt, next, pause, serve, settle, until, wireTo } from './harness.js';
import { scripted } from './scripted-server.js';
import { TestComputer, text, tool } from './test-computer.js';

describe('an office', () => {
  verifies(
    ['AGT-CONNECT-02', 'SMCP-ROOM-03'],
    'with an Agent refuses a second one with 403, which leaves no connection',
    async () => {
      const server = await serve();
      const wire = await wireTo(server.url);
      const first = await agentAt(server.url);
      const second = Agent.connect({ url: wire.url, office: 'o', name: 'b' });
      await expect(second).rejects.toMatchObject({ kind: 'RoomFull', code: 403, a2cCode: 4101 });
      const dialled = wire.dialled();
      await settle();
      expect(wire.dialled()).toBe(dialled);
      expect((await first.listRoom()).map(({ name }) => name)).toEqual(['a']);
    },
  );

  verifies(
    ['SMCP-ROLE-02', 'SMCP-ROOM-03', 'SMCP-ROOM-04', 'SMCP-STAT-01', 'SMCP-STAT-02', 'SMCP-STAT-07'],
    'is one at a time; another one can be joined after leaving',
    async () => {
      const { url, audit } = await serve();
      const here = await TestComputer.join(url, { name: 'here' });
      await TestComputer.join(url, { name: 'there', office: 'p' });
      const agent = await agentAt(url);
      await expect(agent.join('p')).rejects.toMatchObject({
        code: 403,
        message: expect.stringMatching(/already in office "o"; leave it/),
      });
      expect(agent.office).toBe('o');
      await agent.leave();
      expect([agent.state, agent.computers.size]).toEqual(['left', 0]);
      await until(() => here.heard.some(({ event }) => event === 'notify:leave_office'));
      await agent.join('p');
      await agent.ready();
      expect([agent.state, agent.office, [...agent.computers.keys()]]).toEqual(['joined', 'p', ['there']]);
      await expect(agent.callTool('here', 'echo')).rejects.toMatchObject({ code: 404 });
      expect(audit.filter(({ role }) => role === 'agent').map(({ event, verdict }) => [event, verdict])).toEqual([
        ['server:join_office', 'ok'],
        ['server:list_room', 'ok'],
        ['client:get_tools', 'ok'],
        ['server:leave_office', 'ok'],
        ['server:join_office', 'ok'],
        ['server:list_room', 'ok'],
        ['client:get_tools', 'ok'],
        ['client:tool_call', 'NotFound'],
      ]);
    },
  );

  verifies('AGT-CONNECT-02', 'that could not be joined can be joined later by the same Agent', async () => {
    const { url } = await serve();
    await TestComputer.join(url);
    const first = await agentAt(url);
    const second = Agent.create({ url, office: 'o', name: 'b' });
    onTestFinished(() => second.close());
    const entered = next(second, 'computerEntered');
    await expect(second.join('o')).rejects.toMatchObject({ kind: 'RoomFull' });
    expect(second.state).toBe('left');
    await first.close();
    await second.join('o');
    expect(await entered).toMatchObject({ name: 'pc' });
  });

  verifies('SMCP-STAT-07', 'is named in join and leave, with role and name', async () => {
    const server = await scripted({ 'server:join_office': (_, ack) => ack(true, null) });
    const agent = await agentAt(server.url, { limits: { discoveryMs: 0 } });
    await agent.leave();
    expect(server.heard.filter(({ event }) => event !== 'server:list_room')).toEqual([
      { event: 'server:join_office', payload: { role: 'agent', name: 'a', office_id: 'o' } },
      { event: 'server:leave_office', payload: { office_id: 'o', role: 'agent', name: 'a' } },
    ]);
  });

  verifies('AGT-CALL-07', 'isolates its Computers', async () => {
    const { url } = await serve();
    const foreign = await TestComputer.join(url, { name: 'theirs', office: 'other' });
    const agent = await agentAt(url);
    for (const call of [
      () => agent.callTool('theirs', 'echo'),
      () => agent.getConfig('theirs'),
      () => agent.getDesktop('theirs'),
      () => agent.callTool(foreign.socket.id as string, 'echo'),
    ]) {
      await expect(call()).rejects.toMatchObject({ code: 404 });
    }
    expect(foreign.runs).toEqual([]);
    expect(foreign.heard).toEqual([]);
  });
});

describe('leaving', () => {
  verifies(['SMCP-FLOW-01', 'AGT-CONNECT-03'], 'makes calls reject without being sent', async () => {
    const { url, audit } = await serve();
    const computer = await TestComputer.join(url, { tools: [tool('gate')] });
    const agent = await agentAt(url);
    const waiting = agent.callTool('pc', 'gate');
    const refused = expect(waiting).rejects.toMatchObject({
      kind: 'NotInRoom',
      code: 403,
      message: expect.stringMatching(/not in an office/),
    });
    await until(() => computer.waiting === 1);
    await agent.leave();
    await refused;
    await until(() => computer.stopped.length === 1); // the Server cancels abandoned calls
    const sent = audit.length;
    await expect(agent.callTool('pc', 'gate')).rejects.toMatchObject({ kind: 'NotInRoom', code: 403 });
    await expect(agent.listRoom()).rejects.toMatchObject({ code: 403 });
    agent.cancel('r1');
    await settle();
    expect(audit).toHaveLength(sent);
  });

  verifies('AGT-CONNECT-03', 'happens at the end of `await using` and frees the seat at once', async () => {
    const { url } = await serve();
    let kept: Agent;
    {
      await using agent = await Agent.connect({ url, office: 'o', name: 'a' });
      kept = agent;
      expect(agent.state).toBe('joined');
    }
    expect(kept.state).toBe('closed');
    expect(kept.error).toBeUndefined();
    await expect(kept.callTool('pc', 'x')).rejects.toMatchObject({ code: 403, message: 'this Agent is closed' });
    await expect(kept.join('o')).rejects.toMatchObject({ code: 403 });
    await kept.close();
    await agentAt(url, { name: 'b' });
  });

  verifies('AGT-CONNECT-03', 'during a join leaves no member behind', async () => {
    const { url } = await serve();
    for (const ms of [0, 2, 5, 10, 20]) {
      const agent = await agentAt(url);
      await agent.leave();
      const joining = agent.join('p').catch((error: unknown) => error);
      await pause(ms);
      await agent.close();
      expect([undefined, 'this Agent is closed']).toContain(((await joining) as Error | undefined)?.message);
      expect(agent.state).toBe('closed');
      // The seat is free for another Agent.
      await (await agentAt(url, { name: 'b', office: 'p' })).close();
    }
  });

  verifies('AGT-CONNECT-03', 'during a reconnect ends the reconnect', async () => {
    const { url } = await serve();
    const wire = await wireTo(url);
    const agent = await agentAt(wire.url);
    wire.isBroken = true;
    const lost = next(agent, 'disconnected');
    wire.cut();
    await lost;
    const waiting = expect(agent.callTool('pc', 'x')).rejects.toMatchObject({ message: 'this Agent is closed' });
    await agent.close();
    await waiting;
    wire.isBroken = false;
    const dialled = wire.dialled();
    await settle();
    expect([agent.state, wire.dialled()]).toEqual(['closed', dialled]);
  });
});

describe('connecting', () => {
  verifies(['AGT-CONNECT-02', 'WIRE-CONN-02'], 'rejects at once with the reason', async () => {
    const { url } = await serve({ authenticate: ({ auth }) => (auth.api_key === 'k' ? { subject: 's' } : undefined) });
    const silent = await scripted({});
    const attempts: [Partial<Parameters<typeof Agent.connect>[0]>, object][] = [
      [
        { url: 'http://127.0.0.1:1' },
        { code: 503, message: expect.stringMatching(/^cannot reach http:\/\/127\.0\.0\.1:1: .*ECONNREFUSED/) },
      ],
      [
        { url: 'http://127.0.0.1:1', transports: ['websocket'] },
        { code: 503, message: expect.stringMatching(/ECONNREFUSED/) },
      ],
      [{ url }, { kind: 'Unauthorized', code: 401 }],
      [
        { url, apiKey: 'k', name: '' },
        { code: 400, message: expect.stringMatching(/name: must not be empty/) },
      ],
      [
        { url: silent.url, limits: { answerMs: 1_000 } },
        { code: 408, message: expect.stringMatching(/server:join_office: no answer/) },
      ],
      [{ url: `${url}/nowhere` }, { code: 503, message: expect.stringMatching(/cannot reach .*HTTP 404/) }],
    ];
    for (const [options, error] of attempts) {
      await expect(Agent.connect({ url, office: 'o', name: 'a', ...options })).rejects.toMatchObject(error);
    }
    const agent = await agentAt(url, { apiKey: 'k' });
    expect(agent.state).toBe('joined');
  });

  verifies('AGT-CONNECT-02', 'that fails rejects the requests that wait for the office', async () => {
    const agent = Agent.create({ url: 'http://127.0.0.1:1', office: 'o', name: 'a' });
    onTestFinished(() => agent.close());
    const joining = expect(agent.join('o')).rejects.toMatchObject({ code: 503 });
    const call = expect(agent.callTool('pc', 'x')).rejects.toMatchObject({
      code: 503,
      message: expect.stringMatching(/ECONNREFUSED/),
    });
    await Promise.all([joining, call]);
    expect(agent.state).toBe('left');
  });

  verifies('AGT-CONNECT-02', 'times out when the auth function does not return', async () => {
    const { url } = await serve();
    const create = (connectMs: number) => {
      const auth = () => new Promise<never>(() => {});
      const agent = Agent.create({ url, office: 'o', name: 'a', auth, limits: { connectMs } });
      onTestFinished(() => agent.close());
      return agent;
    };
    await expect(create(200).join('o')).rejects.toMatchObject({ code: 408, message: 'auth: no answer within 0.2 s' });
    const agent = create(60_000);
    const joining = expect(agent.join('o')).rejects.toMatchObject({ message: 'this Agent is closed' });
    await agent.close();
    await joining;
  });

  verifies('WIRE-CONN-03', 'with limits beyond the maximum of a timer still waits', async () => {
    const { url } = await serve();
    await TestComputer.join(url);
    const names = ['connectMs', 'answerMs', 'discoveryMs', 'queryMs', 'graceMs', 'leaveMs'] as const;
    for (const endless of [Number.POSITIVE_INFINITY, 1e9]) {
      const limits = Object.fromEntries(names.map((name) => [name, endless]));
      const agent = await agentAt(url, { limits });
      expect(agent.computers.get('pc')?.state).toBe('ready');
      expect(await agent.callTool('pc', 'echo', { text: 'x' })).toEqual(text('x'));
      expect(await agent.getDesktop('pc')).toHaveLength(2);
      await agent.close();
    }
  });

  verifies('AGT-CONNECT-01', 'works through a Server mounted under a path', async () => {
    const { url } = await serve();
    await TestComputer.join(url);
    const agent = await agentAt(`${url}/socket.io/`);
    expect(await agent.callTool('pc', 'echo', { text: 'x' })).toEqual(text('x'));
  });
});
