import { verifies } from '@a2c/requirements';
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
});
