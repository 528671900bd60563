import { verifies } from '@a2c/requirements';
import { describe, expect } from 'vitest';
import {
  ask,
  CALL,
  expectEvents,
  newCall,
  next,
  type RawSocket,
  recordEvents,
  serve,
  settle,
  until,
} from './harness.js';

const joinAs = (role: string, name: string, office: string) => ({ role, name, office_id: office });

verifies('SEC-ONCE-01', 'the epoch of a Computer is in the room list and in the notification', async () => {
  const server = await serve();
  const agent = await server.member('agent', 'a', 'o');
  const received = recordEvents(agent);
  const computer = await server.connect({ auth: { epoch: 'e1' } });
  await ask(computer, 'server:join_office', joinAs('computer', 'pc', 'o'));
  await expectEvents(received, [['notify:enter_office', { office_id: 'o', computer: 'pc', epoch: 'e1' }]]);
  const [room] = await ask(agent, 'server:list_room', { agent: 'a', req_id: 'r', office_id: 'o' });
  expect(room).toMatchObject({ sessions: expect.arrayContaining([expect.objectContaining({ epoch: 'e1' })]) });
});

describe('joining', () => {
  verifies(
    [
      'SMCP-JOIN-01',
      'SMCP-MEMBER-01',
      'SMCP-MEMBER-03',
      'SMCP-STAT-01',
      'SMCP-STAT-04',
      'SMCP-STAT-07',
      'SMCP-NS-02',
      'SMCP-TERM-03',
    ],
    'is acknowledged with two arguments and notified to the other members',
    async () => {
      const server = await serve();
      const agent = await server.member('agent', 'a', 'o');
      const received = recordEvents(agent);
      const computer = await server.connect();
      const own = recordEvents(computer);
      expect(await ask(computer, 'server:join_office', joinAs('computer', 'pc', 'o'))).toEqual([true, null]);
      await expectEvents(received, [['notify:enter_office', { office_id: 'o', computer: 'pc' }]]);
      expect(own).toEqual([]);
    },
  );

  verifies(
    ['SMCP-ISO-01', 'SMCP-ISO-02', 'SMCP-ROOM-02', 'SMCP-JOIN-02', 'SMCP-JOIN-04', 'SMCP-ERR-02', 'W-PY-03'],
    'a second Agent is refused with 403 and receives nothing; several Computers may join',
    async () => {
      const server = await serve();
      const first = await server.member('agent', 'a1', 'o');
      const received = recordEvents(first);
      const second = await server.connect();
      const refusedEvents = recordEvents(second);
      const [ok, text] = await ask(second, 'server:join_office', joinAs('agent', 'a2', 'o'));
      expect(ok).toBe(false);
      expect(text).toMatch(/^403\/4101 office "o" already has an Agent/);
      await server.member('computer', 'pc1', 'o');
      await server.member('computer', 'pc2', 'o');
      await expectEvents(received, [
        ['notify:enter_office', { office_id: 'o', computer: 'pc1' }],
        ['notify:enter_office', { office_id: 'o', computer: 'pc2' }],
      ]);
      expect(refusedEvents).toEqual([]);
    },
  );

  verifies('SMCP-ROOM-01', 'an office is one room for all transports, and its id may be any text', async () => {
    const server = await serve();
    const agent = await server.member('agent', 'a', '办公室/1 😀', { transports: ['polling'] });
    const entered = next(agent, 'notify:enter_office');
    await server.member('computer', 'pc', '办公室/1 😀');
    expect(await entered).toEqual({ office_id: '办公室/1 😀', computer: 'pc' });
  });

  verifies(
    ['SMCP-ROOM-03', 'SMCP-ROLE-02'],
    'an Agent is in one office and must leave it to join another',
    async () => {
      const server = await serve();
      const agent = await server.member('agent', 'a', 'o1');
      const refused = await ask(agent, 'server:join_office', joinAs('agent', 'a', 'o2'));
      expect(refused).toEqual([false, expect.stringMatching(/^403\/4106 this connection is in office "o1"/)]);
      expect(await ask(agent, 'server:leave_office', { office_id: 'o1' })).toEqual([true, null]);
      expect(await ask(agent, 'server:join_office', joinAs('agent', 'a', 'o2'))).toEqual([true, null]);
    },
  );

  verifies(
    ['SMCP-ISO-03', 'SMCP-ROLE-01'],
    'a Computer that joins another office leaves the first one before',
    async () => {
      const server = await serve();
      const one = await server.member('agent', 'a1', 'o1');
      const two = await server.member('agent', 'a2', 'o2');
      const order: string[] = [];
      one.onAny((event, payload) => order.push(`o1 ${event} ${JSON.stringify(payload)}`));
      two.onAny((event, payload) => order.push(`o2 ${event} ${JSON.stringify(payload)}`));
      const computer = await server.member('computer', 'pc', 'o1');
      expect(await ask(computer, 'server:join_office', joinAs('computer', 'pc', 'o2'))).toEqual([true, null]);
      await until(() => order.length >= 3);
      expect(order).toEqual([
        'o1 notify:enter_office {"office_id":"o1","computer":"pc"}',
        'o1 notify:leave_office {"office_id":"o1","computer":"pc"}',
        'o2 notify:enter_office {"office_id":"o2","computer":"pc"}',
      ]);
      const [room] = await ask(one, 'server:list_room', { agent: 'a1', req_id: 'r', office_id: 'o1' });
      expect((room as { sessions: unknown[] }).sessions).toHaveLength(1);
    },
  );

  verifies(['SMCP-ISO-03', 'W-PY-02', 'W-PY-06'], 'a refused join of another office changes nothing', async () => {
    const server = await serve();
    const agent = await server.member('agent', 'a', 'o1');
    await server.member('computer', 'pc', 'o2');
    const computer = await server.member('computer', 'pc', 'o1');
    const received = recordEvents(agent);
    const refused = await ask(computer, 'server:join_office', joinAs('computer', 'pc', 'o2'));
    expect(refused).toEqual([false, expect.stringMatching(/^403 .*already exists in office "o2"/)]);
    computer.on('client:get_tools', (_request, ack) => ack({ tools: [], req_id: 'r1' }));
    expect(await ask(agent, 'client:get_tools', CALL)).toEqual([{ tools: [], req_id: 'r1' }]);
    expect(received).toEqual([]);
  });

  verifies(
    ['SMCP-JOIN-04', 'W-PY-07', 'W-RS-06'],
    'role and name are fixed; a repeated join has no effect',
    async () => {
      const server = await serve();
      const agent = await server.member('agent', 'a', 'o');
      const computer = await server.member('computer', 'pc', 'o');
      const received = recordEvents(agent);
      expect(await ask(computer, 'server:join_office', joinAs('computer', 'pc', 'o'))).toEqual([true, null]);
      expect(await ask(computer, 'server:join_office', joinAs('agent', 'pc', 'o3'))).toEqual([
        false,
        expect.stringMatching(/^403 Role mismatch/),
      ]);
      expect(await ask(computer, 'server:join_office', joinAs('computer', 'other', 'o'))).toEqual([
        false,
        expect.stringMatching(/^403 .*this connection is in this office as "pc"/),
      ]);
      await settle();
      expect(received).toEqual([]);
    },
  );

  verifies(['SMCP-JOIN-03', 'SMCP-ERR-01'], 'a malformed join is answered with the problem', async () => {
    const server = await serve();
    const socket = await server.connect();
    for (const payload of [
      null,
      7,
      {},
      { role: 'agent', name: 'a', office_id: '' },
      { role: 'admin', name: 'a', office_id: 'o' },
    ]) {
      expect(await ask(socket, 'server:join_office', payload)).toEqual([
        false,
        expect.stringMatching(/^400 server:join_office: /),
      ]);
    }
  });

  verifies(['SMCP-ISO-01', 'W-PY-14'], 'of a hundred concurrent Agents exactly one gets the office', async () => {
    const server = await serve({ limits: { handshakesPerSecond: 5_000, connectionsPerAddress: 5_000 } });
    const sockets: RawSocket[] = [];
    // Only the joins are concurrent: a hundred handshakes at once take a busy machine longer than a client waits.
    while (sockets.length < 100) {
      sockets.push(...(await Promise.all(Array.from({ length: 50 }, () => server.connect()))));
    }
    const acks = await Promise.all(
      sockets.map((socket, i) => ask(socket, 'server:join_office', joinAs('agent', `a${i}`, 'o'))),
    );
    expect(acks.filter(([ok]) => ok === true)).toHaveLength(1);
    expect(acks.filter(([, text]) => String(text).startsWith('403'))).toHaveLength(99);
  });
});

describe('leaving', () => {
  verifies(
    ['SMCP-MEMBER-02', 'SMCP-STAT-02', 'SMCP-STAT-05'],
    'is acknowledged and notified once, also when the connection is lost',
    async () => {
      const server = await serve();
      const agent = await server.member('agent', 'a', 'o');
      const computer = await server.member('computer', 'pc1', 'o');
      const other = await server.member('computer', 'pc2', 'o');
      const received = recordEvents(agent);
      expect(await ask(computer, 'server:leave_office', { office_id: 'o' })).toEqual([true, null]);
      computer.disconnect();
      other.disconnect();
      await expectEvents(received, [
        ['notify:leave_office', { office_id: 'o', computer: 'pc1' }],
        ['notify:leave_office', { office_id: 'o', computer: 'pc2' }],
      ]);
    },
  );

  verifies(
    ['SMCP-ISO-04', 'W-PY-08', 'W-RS-06'],
    'another office cannot be left, and the attempt is recorded',
    async () => {
      const server = await serve();
      const victim = await server.member('agent', 'a', 'o1');
      const received = recordEvents(victim);
      const computer = await server.member('computer', 'pc', 'o2');
      expect(await ask(computer, 'server:leave_office', { office_id: 'o1' })).toEqual([
        false,
        expect.stringMatching(/^403\/4104 /),
      ]);
      const outsider = await server.connect();
      expect(await ask(outsider, 'server:leave_office', { office_id: 'o1' })).toEqual([
        false,
        expect.stringMatching(/^403\/4103 /),
      ]);
      await settle();
      expect(received).toEqual([]);
      expect(server.audit).toContainEqual(
        expect.objectContaining({
          event: 'server:leave_office',
          verdict: 'CrossRoomAccess',
          asked_office: 'o1',
          office: 'o2',
        }),
      );
    },
  );
});

verifies('SEC-NAME-02', 'a Computer cannot take the connection id of another one as its name', async () => {
  const server = await serve();
  const moving = await server.member('computer', 'pc', 'o');
  const { id = '' } = moving;
  await expect(server.member('computer', id, 'o')).rejects.toThrow(/403 .*is the connection id of another Computer/);

  // Nor wait with it in the office that the other one joins next, which then joins with another id.
  const agent = await server.member('agent', 'a', 'o2');
  const waiting = await server.member('computer', id, 'o2');
  const join = { role: 'computer', name: 'pc', office_id: 'o2' };
  const refused = [false, expect.stringMatching(/^503 .* has the id of this connection as its name; connect again$/)];
  expect(await ask(moving, 'server:join_office', join)).toEqual(refused);
  const again = await server.connect();
  expect(await ask(again, 'server:join_office', join)).toEqual([true, null]);
  for (const computer of [waiting, again])
    computer.on('client:tool_call', (_request, ack) => ack({ content: [{ type: 'text', text: computer.id }] }));
  const call = { ...newCall(), agent: 'a', computer: again.id };
  expect(await ask(agent, 'client:tool_call', call)).toMatchObject([{ content: [{ text: again.id }] }]);

  const own = await server.connect();
  expect(await ask(own, 'server:join_office', { ...join, name: own.id })).toEqual([true, null]);
});

describe('the room list', () => {
  verifies(['WIRE-EVENT-01', 'SMCP-ISO-04', 'SMCP-SEC-06'], 'is available to members of that room only', async () => {
    const server = await serve();
    const agent = await server.member('agent', 'a', 'o', { query: { a2c_version: '0.3.0' } });
    const computer = await server.member('computer', 'pc', 'o');
    const outsider = await server.member('agent', 'b', 'o2');
    const list = { agent: 'a', req_id: 'r', office_id: 'o' };
    const expected = [
      {
        sessions: [
          { sid: agent.id, name: 'a', role: 'agent', office_id: 'o', a2c_version: '0.3.0' },
          { sid: computer.id, name: 'pc', role: 'computer', office_id: 'o' },
        ],
        req_id: 'r',
      },
    ];
    expect(await ask(agent, 'server:list_room', list)).toEqual(expected);
    expect(await ask(computer, 'server:list_room', list)).toEqual(expected);
    expect(await ask(outsider, 'server:list_room', list)).toEqual([expect.objectContaining({ code: 403 })]);
    expect(await ask(await server.connect(), 'server:list_room', list)).toEqual([
      expect.objectContaining({ code: 403 }),
    ]);
  });
});

describe('a fast reconnect', () => {
  verifies(['SRV-ROOM-01', 'W-PY-15'], 'takes over its seat from the old connection', async () => {
    const server = await serve({ authenticate: ({ auth }) => ({ subject: String(auth.who) }) });
    const computer = await server.member('computer', 'pc', 'o', { auth: { who: 'ann' } });
    const received = recordEvents(computer);
    const old = await server.member('agent', 'a', 'o', { auth: { who: 'bob' } });
    const oldEvents = recordEvents(old);
    const gone = next(old, 'disconnect');
    await server.member('agent', 'a', 'o', { auth: { who: 'bob' } });
    expect(await gone).toBe('io server disconnect');
    expect(oldEvents).toEqual([['notify:leave_office', { office_id: 'o', agent: 'a' }]]);
    await expectEvents(received, [['notify:enter_office', { office_id: 'o', agent: 'a' }]]);
    await expect(server.member('agent', 'a', 'o', { auth: { who: 'eve' } })).rejects.toThrow(/403/);
    await expect(server.member('agent', 'a2', 'o', { auth: { who: 'bob' } })).rejects.toThrow(/403/);
  });

  verifies('SRV-ROOM-01', 'of an anonymous connection must come from the same process', async () => {
    const server = await serve();
    await server.member('agent', 'a', 'o', { auth: { instance: 'i-1' } });
    await expect(server.member('agent', 'a', 'o', { auth: { instance: 'i-2' } })).rejects.toThrow(/403/);
    await expect(server.member('agent', 'a', 'o')).rejects.toThrow(/403/);
    await server.member('agent', 'a', 'o', { auth: { instance: 'i-1' } });
  });
});

describe('a join that is handled late', () => {
  verifies('SEAT-ATTEMPT-01', 'does not evict the newer connection of the same client', async () => {
    const server = await serve();
    for (const role of ['agent', 'computer'] as const) {
      const attempt = (number: number) => ({ auth: { instance: 'i-1', attempt: number } });
      const older = await server.connect(attempt(1));
      const newer = await server.member(role, 'm', `o-${role}`, attempt(2));
      expect(await ask(older, 'server:join_office', { role, name: 'm', office_id: `o-${role}` })).toEqual([
        false,
        expect.stringContaining('newer connection'),
      ]);
      expect(newer.connected).toBe(true);
      const evicted = next(newer, 'notify:leave_office');
      await server.member(role, 'm', `o-${role}`, attempt(3));
      expect(await evicted).toMatchObject({ instance: 'i-1' });
    }
  });
});
