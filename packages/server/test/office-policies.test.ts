import { verifies } from '@a2c/requirements';
import { apiKey } from '@a2c/server';
import { describe, expect } from 'vitest';
import { ask, CALL, expectEvents, type RawSocket, recordEvents, serve } from './harness.js';

const join = (socket: RawSocket, role: string, name: string, office: string) =>
  ask(socket, 'server:join_office', { role, name, office_id: office });

describe('an office with many Agents', () => {
  verifies('GEN-ROOM-01', 'holds several, each under its own name; other offices hold one', async () => {
    const server = await serve({ officePolicy: (office) => ({ agents: office === 'team' ? 'many' : 'one' }) });
    const claude = await server.member('agent', 'claude', 'team');
    const cursor = await server.member('agent', 'cursor', 'team');
    expect(await join(await server.connect(), 'agent', 'cursor', 'team')).toEqual([
      false,
      '403 an Agent named "cursor" already exists in office "team"',
    ]);
    const computer = await server.member('computer', 'pc', 'team');
    const agents: unknown[] = [];
    computer.on('client:tool_call', ({ agent }: { agent: string }, ack: (value: object) => void) => {
      agents.push(agent);
      ack({ content: [], isError: false });
    });
    for (const agent of [claude, cursor])
      expect(await ask(agent, 'client:tool_call', CALL)).toEqual([{ content: [], isError: false }]);
    expect(agents).toEqual(['claude', 'cursor']);
    await server.member('agent', 'claude', 'other');
    expect(await join(await server.connect(), 'agent', 'cursor', 'other')).toEqual([
      false,
      expect.stringMatching(/^403\/4101 /),
    ]);
  });
});

describe('an office with one Computer', () => {
  const one = () => serve({ versionPolicy: 'preview', officePolicy: () => ({ computers: 'one' }) });
  const V5 = { query: { a2c_version: '0.5.0' } };
  const full = (office_id: string, role: string) => [
    expect.objectContaining({ code: 4101, details: { office_id, role } }),
  ];

  async function offices() {
    const server = await one();
    const [agent, c1, c2] = [await server.connect(V5), await server.connect(V5), await server.connect(V5)];
    expect(await join(agent, 'agent', 'A', 'R1')).toEqual([]);
    expect(await join(c1, 'computer', 'C1', 'R1')).toEqual([]);
    return { server, agent, c1, c2 };
  }

  verifies(['GEN-ROOM-02', 'GEN-ROOM-01'], 'scenarios 1 to 4 and 7: refused joins change nothing', async () => {
    const { server, agent, c1, c2 } = await offices();
    const heard = recordEvents(agent);
    expect(await join(c2, 'computer', 'C2', 'R1')).toEqual(full('R1', 'computer'));
    expect(await join(c2, 'computer', 'C1', 'R1')).toEqual(full('R1', 'computer'));
    expect(await join(c1, 'computer', 'C1', 'R1')).toEqual([]);
    expect(await join(c2, 'computer', 'C2', 'R2')).toEqual([]);
    expect(await join(c2, 'computer', 'C2', 'R1')).toEqual(full('R1', 'computer'));
    expect(await join(await server.connect(V5), 'agent', 'B', 'R1')).toEqual(full('R1', 'agent'));
    const [room] = await ask(c2, 'server:list_room', { agent: 'C2', req_id: 'r', office_id: 'R2' });
    expect(room).toMatchObject({ sessions: [{ name: 'C2' }] });
    await expectEvents(heard, []);
  });

  verifies('GEN-ROOM-02', 'scenarios 5, 6 and 9: leaving and moving', async () => {
    const { agent, c1, c2 } = await offices();
    const heard = recordEvents(agent);
    expect(await join(c2, 'computer', 'C2', 'R2')).toEqual([]);
    expect(await join(c1, 'computer', 'C1', 'R2')).toEqual(full('R2', 'computer'));
    expect(await join(c1, 'computer', 'C1', 'R3')).toEqual([]);
    expect(await ask(c2, 'server:leave_office', { office_id: 'whatever' })).toEqual([]);
    expect(await ask(c2, 'server:leave_office', { office_id: 'R2' })).toEqual([]);
    expect(await join(c2, 'computer', 'C2', 'R1')).toEqual([]);
    await expectEvents(heard, [
      ['notify:leave_office', { office_id: 'R1', computer: 'C1' }],
      ['notify:enter_office', { office_id: 'R1', computer: 'C2' }],
    ]);
    c2.on('client:tool_call', (_request, ack) => ack({ content: [], isError: false }));
    expect(await ask(agent, 'client:tool_call', { ...CALL, computer: 'C2' })).toMatchObject([{ isError: false }]);
    expect(await ask(agent, 'client:tool_call', { ...CALL, req_id: 'r2', computer: 'C1' })).toMatchObject([
      { code: 404 },
    ]);
  });

  verifies('GEN-ROOM-02', 'scenario 8: of two joins at once exactly one succeeds', async () => {
    const server = await one();
    const [c1, c2] = [await server.connect(V5), await server.connect(V5)];
    const acks = await Promise.all([join(c1, 'computer', 'C1', 'R1'), join(c2, 'computer', 'C2', 'R1')]);
    expect(acks.filter((ack) => ack.length === 0)).toHaveLength(1);
    expect(acks.find((ack) => ack.length > 0)).toEqual(full('R1', 'computer'));
  });

  verifies('GEN-ROOM-02', 'an Agent in another office is refused with 4106, a foreign list with 4104', async () => {
    const { agent, c2 } = await offices();
    expect(await join(agent, 'agent', 'A', 'R2')).toEqual([
      expect.objectContaining({ code: 4106, details: { office_id: 'R1' } }),
    ]);
    const list = { agent: 'A', req_id: 'r', office_id: 'R2' };
    expect(await ask(agent, 'server:list_room', list)).toMatchObject([{ code: 4104 }]);
    expect(await ask(c2, 'server:list_room', list)).toMatchObject([{ code: 4103 }]);
  });

  verifies('GEN-ROOM-02', 'requests that are malformed or not allowed have flat errors with their codes', async () => {
    const { agent, c1, c2 } = await offices();
    expect(await join(c1, 'computer', 'other', 'R1')).toMatchObject([{ code: 403 }]);
    expect(await join(c1, 'agent', 'C1', 'R1')).toMatchObject([{ code: 403 }]);
    expect(await join(c2, 'computer', 'C2', '')).toMatchObject([{ code: 400 }]);
    expect(await ask(c2, 'server:leave_office', { office_id: 'R1' })).toEqual([]);
    expect(await ask(agent, 'server:list_room', { agent: 'A' })).toMatchObject([{ code: 400 }]);
    const tools = { agent: 'A', req_id: 'r', computer: 'C1' };
    expect(await ask(agent, 'client:get_tools', { agent: 'A' })).toMatchObject([{ code: 400 }]);
    expect(await ask(c1, 'client:get_tools', tools)).toMatchObject([{ code: 403 }]);
    expect(await ask(c2, 'client:get_tools', tools)).toMatchObject([{ code: 4103 }]);
    expect(await join(c2, 'computer', 'C2', 'R2')).toEqual([]);
    expect(await ask(agent, 'client:get_tools', { ...tools, computer: 'C2' })).toMatchObject([{ code: 404 }]);
  });

  verifies('GEN-ROOM-02', 'a member of 0.5 takes over a seat only with the same process', async () => {
    const policy = { versionPolicy: 'preview', officePolicy: () => ({ computers: 'one' as const }) } as const;
    const server = await serve({ ...policy, authenticate: apiKey('k') });
    const how = (instance: string) => ({ ...V5, auth: { token: 'k', instance } });
    expect(await join(await server.connect(how('x')), 'computer', 'C1', 'R1')).toEqual([]);
    expect(await join(await server.connect(how('y')), 'computer', 'C1', 'R1')).toEqual(full('R1', 'computer'));
    expect(await join(await server.connect(how('x')), 'computer', 'C1', 'R1')).toEqual([]);
  });
});

describe('an office whose operator has not decided how many Computers it has', () => {
  const as = (version: string) => ({ query: { a2c_version: version } });
  const preview = () => serve({ versionPolicy: 'preview' });

  verifies('GEN-ROOM-03', 'has one while its first member announced 0.5, until it is empty', async () => {
    const server = await preview();
    const agent = await server.connect(as('0.5.0'));
    expect(await join(agent, 'agent', 'A', 'R1')).toEqual([]);
    const [c1, c2] = [await server.connect(as('0.4.0')), await server.connect(as('0.4.0'))];
    expect(await join(c1, 'computer', 'C1', 'R1')).toEqual([true, null]);
    expect(await join(c2, 'computer', 'C2', 'R1')).toEqual([false, expect.stringMatching(/^403\/4101 /)]);
    // The rule does not end with the member that set it.
    expect(await ask(agent, 'server:leave_office', { office_id: 'R1' })).toEqual([]);
    expect(await join(c2, 'computer', 'C2', 'R1')).toEqual([false, expect.stringMatching(/^403\/4101 /)]);
    expect(await ask(c1, 'server:leave_office', { office_id: 'R1' })).toEqual([true, null]);
    expect(await join(c2, 'computer', 'C2', 'R1')).toEqual([true, null]);
    expect(await join(c1, 'computer', 'C1', 'R1')).toEqual([true, null]);
  });

  verifies(
    'GEN-ROOM-03',
    'has many if its first member announced an older version; Agents of 0.5 are refused',
    async () => {
      const server = await preview();
      await server.member('computer', 'C1', 'R1', as('0.4.0'));
      expect(await join(await server.connect(as('0.5.0')), 'agent', 'A', 'R1')).toMatchObject([{ code: 403 }]);
      expect(await join(await server.connect(as('0.5.0')), 'computer', 'C2', 'R1')).toEqual([]);
      const agent = await server.member('agent', 'A', 'R1', as('0.4.0'));
      const [room] = await ask(agent, 'server:list_room', { agent: 'A', req_id: 'r', office_id: 'R1' });
      expect((room as { sessions: object[] }).sessions).toHaveLength(3);
      // The decision of an operator counts more.
      const open = await serve({ versionPolicy: 'preview', officePolicy: () => ({ computers: 'many' }) });
      for (const name of ['C1', 'C2']) await open.member('computer', name, 'R1', as('0.4.0'));
      expect(await join(await open.connect(as('0.5.0')), 'agent', 'A', 'R1')).toEqual([]);
    },
  );

  verifies('GEN-ROOM-03', 'has one Computer also when members join at once', async () => {
    const server = await preview();
    const sockets = await Promise.all(Array.from({ length: 20 }, () => server.connect(as('0.5.0'))));
    const acks = await Promise.all(sockets.map((socket, i) => join(socket, 'computer', `C${i}`, 'R1')));
    expect(acks.filter((ack) => ack.length === 0)).toHaveLength(1);
  });
});
