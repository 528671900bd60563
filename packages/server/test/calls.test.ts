import { verifies } from '@a2c/requirements';
import { describe, expect } from 'vitest';
import {
  ask,
  CALL,
  next,
  office,
  type RawSocket,
  recordEvents,
  serve,
  settle,
  type TestServer,
  until,
} from './harness.js';

describe('requests to a Computer', () => {
  verifies(
    [
      'SMCP-TOOL-01',
      'WIRE-BLOB-01',
      'SMCP-TOOL-02',
      'SMCP-TOOL-03',
      'SMCP-TOOL-06',
      'SMCP-DESK-01',
      'SMCP-CAT-01',
      'SMCP-FLOW-05',
      'SMCP-MSG-04',
      'SMCP-EVENT-01',
      'SMCP-EXT-06',
      'W-PY-17',
      'W-RS-02',
    ],
    'are relayed unchanged with unknown fields, and so are their answers',
    async () => {
      const { agent, computer } = await office();
      const answers: Record<string, unknown> = {
        'client:tool_call': {
          content: [{ type: 'text', text: 'hi', annotations: null }],
          isError: false,
          meta: null,
          odd: [1],
        },
        'client:get_tools': { tools: [{ name: 'echo', vendor: true }], req_id: 'r1' },
        'client:get_config': { servers: {}, inputs: [{ id: 'x', type: 'PromptString' }] },
        'client:get_desktop': { desktops: ['window://w'], req_id: 'r1' },
        'client:get_blob': { blob_handle: 'h', eof: true, blob: '', req_id: 'r1' },
      };
      for (const [event, answer] of Object.entries(answers)) {
        const request = {
          ...CALL,
          blob_handle: 'h',
          traceparent: '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01',
        };
        const arrived = new Promise((resolve) => {
          computer.once(event, (payload, ack) => {
            resolve(payload);
            ack(answer);
          });
        });
        expect(await ask(agent, event, request)).toEqual([answer]);
        expect(await arrived).toEqual(request);
      }
    },
  );

  verifies(
    ['SRV-CALL-04', 'WIRE-NORM-07'],
    'all arguments of an acknowledgement are passed on, and an empty one is an error',
    async () => {
      const { agent, computer } = await office();
      computer.on('client:get_tools', (_request, ack) => ack({ tools: [] }, 'second', 3));
      expect(await ask(agent, 'client:get_tools', CALL)).toEqual([{ tools: [] }, 'second', 3]);
      computer.on('client:get_desktop', (_request, ack) => ack());
      expect(await ask(agent, 'client:get_desktop', CALL)).toEqual([
        expect.objectContaining({ code: 500, message: expect.stringContaining('acknowledged without an answer') }),
      ]);
    },
  );

  verifies(
    ['SMCP-ISO-04', 'SMCP-FLOW-02', 'SMCP-SEC-06', 'SMCP-SEC-07', 'W-PY-01'],
    'never leave the office, whatever their payload claims, and attempts are recorded',
    async () => {
      const { server, computer } = await office();
      const spy = recordEvents(computer);
      const intruder = await server.member('agent', 'x', 'o2');
      const otherComputer = await server.member('computer', 'pc2', 'o');
      for (const event of ['client:tool_call', 'client:get_tools', 'client:get_config', 'client:get_desktop']) {
        for (const claim of [{}, { office_id: 'o' }, { agent: 'a' }, { computer: computer.id }]) {
          const [answer] = await ask(intruder, event, { ...CALL, ...claim });
          expect(answer).toMatchObject({ code: 404, error: { code: 404 } });
        }
        // Neither a Computer nor a connection without an office may send requests.
        expect(await ask(otherComputer, event, CALL)).toEqual([expect.objectContaining({ code: 403 })]);
        expect(await ask(await server.connect(), event, CALL)).toEqual([
          expect.objectContaining({ code: 403, details: { a2c_code: 4103 } }),
        ]);
      }
      await settle();
      expect(spy.filter(([event]) => event.startsWith('client:'))).toEqual([]);
      expect(
        server.audit.filter(
          ({ office: from, computer: to, verdict }) => from === 'o2' && to === 'pc' && verdict === 'NotFound',
        ),
      ).toHaveLength(12);
    },
  );

  verifies(
    ['SMCP-ERR-03', 'SMCP-ERR-06'],
    'to a missing Computer are answered with 404, also as a tool result',
    async () => {
      const { agent } = await office();
      const [answer] = await ask(agent, 'client:tool_call', { ...CALL, computer: 'nowhere' });
      expect(answer).toMatchObject({
        error: { code: 404, message: expect.stringContaining('no Computer "nowhere"') },
        code: 404,
        isError: true,
        content: [{ type: 'text', text: expect.stringContaining('nowhere') }],
      });
    },
  );

  verifies('SMCP-TOOL-01', 'may name the Computer by its socket id, as the oldest Agents do', async () => {
    const { agent, computer } = await office();
    computer.on('client:get_tools', (_request, ack) => ack({ tools: [], req_id: 'r1' }));
    expect(await ask(agent, 'client:get_tools', { ...CALL, computer: computer.id })).toEqual([
      { tools: [], req_id: 'r1' },
    ]);
  });

  verifies('SMCP-FLOW-03', 'for a tool that is not in the last tool list are refused by the Server', async () => {
    const { agent, computer } = await office();
    const called: string[] = [];
    const meta = { a2c_tool_meta: JSON.stringify({ alias: 'shout' }) };
    computer.on('client:get_tools', (_request, ack) =>
      // What is no text in a list is passed on, and read by no one here.
      ack({ tools: [{ name: 'echo', bundle_id: { toString: 1 }, params_schema: {}, meta }, 7], req_id: 'r1' }),
    );
    computer.on('client:tool_call', ({ tool_name }, ack) => {
      called.push(tool_name);
      ack({ content: [], isError: false });
    });
    let calls = 0;
    const call = async (tool_name: string) =>
      (await ask(agent, 'client:tool_call', { ...CALL, req_id: `c${calls++}`, tool_name }))[0];
    expect(await call('unlisted')).toMatchObject({ isError: false });
    await ask(agent, 'client:get_tools', CALL);
    expect(await call('echo')).toMatchObject({ isError: false });
    expect(await call('shout')).toMatchObject({ isError: false });
    expect(await call('unlisted')).toMatchObject({ code: 404, details: { a2c_code: 4001 }, isError: true });
    await ask(computer, 'server:update_tool_list', { computer: 'pc' });
    expect(await call('unlisted')).toMatchObject({ isError: false });
    expect(called).toEqual(['unlisted', 'echo', 'shout', 'unlisted']);
  });
});

describe('a repeated request id', () => {
  /** An office with a Computer of a2c, which runs a repeated call once. */
  async function ownComputer() {
    const server = await serve();
    const agent = await server.member('agent', 'a', 'o');
    return { server, agent, computer: await server.member('computer', 'pc', 'o', { auth: { adapts: true } }) };
  }

  /** Records the calls of a Computer, to be answered by the test. */
  function answering(computer: RawSocket) {
    const arrived: { request: unknown; answer: (text: string) => void }[] = [];
    computer.on('client:tool_call', (request, ack) =>
      arrived.push({ request, answer: (text) => ack({ content: [{ type: 'text', text }], isError: false }) }),
    );
    return arrived;
  }
  const text = (text: string) => [{ content: [{ type: 'text', text }], isError: false }];

  verifies(['SRV-CALL-05', 'W-PY-20'], 'is relayed unchanged, also after the first call was answered', async () => {
    const { agent, computer } = await ownComputer();
    const arrived = answering(computer);
    for (const round of ['first', 'second']) {
      const call = ask(agent, 'client:tool_call', CALL);
      await until(() => arrived.length > 0);
      const [{ request, answer } = { request: undefined, answer: () => {} }] = arrived.splice(0);
      expect(request).toMatchObject(CALL);
      answer(round);
      expect(await call).toEqual(text(round));
    }
  });

  verifies('SRV-CALL-05', 'while the first call is pending: each gets its own answer', async () => {
    const { server, agent, computer } = await ownComputer();
    const arrived = answering(computer);
    const calls = [ask(agent, 'client:tool_call', CALL), ask(agent, 'client:tool_call', CALL)];
    await until(() => arrived.length === 2);
    expect(arrived.map(({ request }) => request)).toMatchObject([CALL, CALL]);
    for (const [i, { answer }] of [...arrived.entries()].toReversed()) answer(String(i));
    expect(await Promise.all(calls)).toEqual([text('0'), text('1')]);
    expect(await server.server.metrics.text()).toMatch(/^a2c_calls_in_flight 0$/m);
  });

  verifies(
    ['SRV-CALL-05', 'SMCP-TOOL-04'],
    'is cancelled on every Computer that has it, once per Computer',
    async () => {
      const { server, agent, computer } = await ownComputer();
      const received = [computer, await server.member('computer', 'pc2', 'o')].map(recordEvents);
      for (const name of ['pc', 'pc', 'pc2'])
        agent.emit('client:tool_call', { ...CALL, computer: name, timeout: 60 }, () => {});
      const events = (event: string) => received.map((log) => log.filter(([name]) => name === event).length);
      await until(() => String(events('client:tool_call')) === '2,1');
      await ask(agent, 'server:tool_call_cancel', { agent: 'a', req_id: 'r1' });
      await until(() => events('notify:tool_call_cancel').every((count) => count > 0));
      await settle();
      expect(events('notify:tool_call_cancel')).toEqual([1, 1]);
    },
  );
});

describe('a call without an answer', () => {
  verifies(
    ['SRV-CALL-03', 'SMCP-ERR-04', 'SMCP-SEC-08', 'W-RS-03'],
    'fails with 408 two seconds after its timeout, which is limited',
    async () => {
      const { agent, computer } = await office({ limits: { timeoutMs: 1_000 } });
      const asked = next(computer, 'client:tool_call');
      const started = Date.now();
      const [answer] = await ask(agent, 'client:tool_call', { ...CALL, timeout: 3_600 });
      expect(await asked).toMatchObject({ timeout: 1 });
      expect(answer).toMatchObject({ code: 408, details: { a2c_code: 4004 }, isError: true });
      expect(Date.now() - started).toBeGreaterThan(2_900);
    },
  );

  verifies(['SRV-CALL-01', 'SEC-ONCE-13'], 'fails at once when the Computer leaves or is disconnected', async () => {
    const ways: readonly (readonly [reason: string, leave: (computer: RawSocket, server: TestServer) => unknown])[] = [
      ['left', (computer) => computer.disconnect()],
      ['gone', (computer) => computer.io.engine.close()],
      ['gone', ({ id }, { server }) => server.kick(id as string, 'operator')],
      ['left', (computer) => computer.emit('server:leave_office', { office_id: 'o' })],
      ['left', (computer) => computer.emit('server:join_office', { role: 'computer', name: 'pc', office_id: 'o2' })],
    ];
    for (const [reason, leave] of ways) {
      const { server, agent, computer } = await office();
      const arrived = next(computer, 'client:tool_call');
      const answer = ask(agent, 'client:tool_call', { ...CALL, timeout: 60 });
      await arrived;
      leave(computer, server);
      expect((await answer)[0]).toMatchObject({
        code: 404,
        message: expect.stringMatching(/; the call was sent and may have run$/),
        details: { reason, a2c_execution: 'unknown' },
        isError: true,
      });
      expect(await server.server.metrics.text()).toMatch(/^a2c_calls_in_flight 0$/m);
    }
  });

  verifies('SRV-CALL-02', 'is cancelled on the Computer when the Agent leaves or does not reconnect', async () => {
    const { server, agent, computer } = await office({ limits: { reconnectGraceMs: 300 } });
    const arrived = next(computer, 'client:tool_call');
    agent.emit('client:tool_call', { ...CALL, timeout: 60 }, () => {});
    await arrived;
    const cancelled = next(computer, 'notify:tool_call_cancel');
    agent.disconnect();
    expect(await cancelled).toEqual({ agent: 'a', req_id: 'r1' });

    const lost = await server.member('agent', 'a', 'o');
    const again = next(computer, 'client:tool_call');
    lost.emit('client:tool_call', { ...CALL, req_id: 'r2', timeout: 60 }, () => {});
    await again;
    const later = next(computer, 'notify:tool_call_cancel');
    lost.io.engine.close();
    expect(await later).toEqual({ agent: 'a', req_id: 'r2' });
  });

  verifies('SRV-CALL-02', 'stays pending if the Agent reconnects in time', async () => {
    const server = await serve({ limits: { reconnectGraceMs: 2_000 } });
    const instance = { auth: { instance: 'i-1' } };
    await server.member('computer', 'pc', 'o3');
    const agent = await server.member('agent', 'b', 'o3', instance);
    const target = await server.member('computer', 'pc3', 'o3');
    const received = recordEvents(target);
    agent.emit('client:tool_call', { ...CALL, computer: 'pc3', timeout: 60 }, () => {});
    await until(() => received.length === 1);
    agent.io.engine.close();
    await server.member('agent', 'b', 'o3', instance);
    await settle(2_300);
    expect(received.map(([event]) => event)).not.toContain('notify:tool_call_cancel');
  });
});

describe('cancelling', () => {
  verifies(
    ['SMCP-TOOL-04', 'SMCP-TOOL-05', 'SMCP-TOOL-07', 'SMCP-TOOL-08', 'W-PY-18'],
    'notifies the Computer that has the call and the Agent, but no other member',
    async () => {
      const { server, agent, computer } = await office();
      const bystander = recordEvents(await server.member('computer', 'pc2', 'o'));
      const outsider = recordEvents(await server.member('computer', 'pc', 'o2'));
      const own = next(agent, 'notify:tool_call_cancel');
      const computerEvent = next(computer, 'notify:tool_call_cancel');
      const arrived = next(computer, 'client:tool_call');
      agent.emit('client:tool_call', { ...CALL, agent: 'another', timeout: 60 }, () => {});
      await arrived;
      expect(await ask(agent, 'server:tool_call_cancel', { agent: 'another', req_id: 'r1' })).toEqual([]);
      expect([await computerEvent, await own]).toEqual([
        { agent: 'a', req_id: 'r1' },
        { agent: 'a', req_id: 'r1' },
      ]);
      await settle();
      expect([bystander, outsider]).toEqual([[], []]);
    },
  );

  verifies(
    'SMCP-TOOL-08',
    'an unknown call notifies all Computers of the office; a Computer may not cancel',
    async () => {
      const { agent, computer } = await office();
      const notified = next(computer, 'notify:tool_call_cancel');
      agent.emit('server:tool_call_cancel', { agent: 'a', req_id: 'old' });
      expect(await notified).toEqual({ agent: 'a', req_id: 'old' });
      const [refused] = await ask(computer, 'server:tool_call_cancel', { agent: 'a', req_id: 'old' });
      expect(refused).toMatchObject({ code: 403 });
    },
  );
});
