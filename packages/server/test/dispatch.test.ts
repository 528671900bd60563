import { verifies } from '@a2c/requirements';
import { describe, expect } from 'vitest';
import { ask, CALL, serve, settle } from './harness.js';

describe('every event is answered', () => {
  verifies(
    ['SMCP-EXT-04', 'SMCP-CAT-04', 'SMCP-CAT-03'],
    'unknown ones with 400 and a line in the log; notifications are not for sending',
    async () => {
      const server = await serve();
      const agent = await server.member('agent', 'a', 'o');
      for (const name of [
        'client:x_custom_action',
        'server:nope',
        'whatever',
        'notify:enter_office',
        'notify:update_config',
        'constructor',
      ]) {
        const [answer] = await ask(agent, name, { any: 'thing' });
        expect(answer, name).toMatchObject({
          error: { code: 400, message: expect.stringContaining(`unknown event "${name}"`) },
        });
        expect(server.logs).toContainEqual(
          expect.objectContaining({ level: 'warn', message: 'unknown event', event: name }),
        );
      }
    },
  );

  verifies(['SMCP-MSG-01', 'SMCP-ERR-01'], 'malformed payloads with 400 that names the path', async () => {
    const server = await serve();
    const agent = await server.member('agent', 'a', 'o');
    for (const event of [
      'client:tool_call',
      'client:get_tools',
      'client:get_config',
      'client:get_desktop',
      'server:list_room',
      'server:tool_call_cancel',
      'server:update_config',
    ]) {
      for (const payload of [undefined, null, 7, 'x', [], {}, { agent: 7 }]) {
        const [answer] = await ask(agent, event, payload);
        expect(answer).toMatchObject({ code: 400, message: expect.stringMatching(new RegExp(`${event}: [\\w.]+: `)) });
      }
    }
    const [tooLong] = await ask(agent, 'client:tool_call', { ...CALL, computer: 'x'.repeat(300) });
    expect(tooLong).toMatchObject({
      code: 400,
      isError: true,
      message: expect.stringContaining('computer: must not be longer'),
    });
  });

  verifies(
    ['WIRE-ERR-04', 'SMCP-ERR-05', 'SMCP-ERR-09'],
    'our own faults with 500 that tells nothing, while the log tells all',
    async () => {
      const server = await serve({
        authenticate: () => ({
          subject: 'x',
          get roles(): never {
            throw new Error('secret path /etc/keys of 10.0.0.7');
          },
        }),
      });
      const socket = await server.connect();
      const answer = await ask(socket, 'server:join_office', { role: 'agent', name: 'a', office_id: 'o' });
      expect(answer).toEqual([false, '500 the request could not be processed']);
      expect(JSON.stringify(server.audit)).not.toContain('keys');
      expect(server.logs).toContainEqual(
        expect.objectContaining({ level: 'error', message: 'a request failed inside' }),
      );
    },
  );

  verifies(
    'SRV-FUZZ-01',
    'twenty thousand hostile packets later the server answers as before',
    async () => {
      const limits = {
        eventsPerSecond: 1e9,
        refusalsBeforeDisconnect: 1e9,
        callsPerSecond: 1e9,
        officeCallsPerSecond: 1e9,
      };
      const server = await serve({ limits });
      const agent = await server.member('agent', 'a', 'o');
      const computer = await server.member('computer', 'pc', 'o');
      computer.on('client:tool_call', (_request, ack) => ack({ content: [], isError: false }));
      const attackers = await Promise.all(Array.from({ length: 10 }, () => server.connect()));
      const names = [
        'client:tool_call',
        'client:get_tools',
        'server:join_office',
        'server:leave_office',
        'server:list_room',
        'server:update_config',
        'server:tool_call_cancel',
        'notify:enter_office',
        '__proto__',
        '',
        'x'.repeat(5_000),
      ];
      const deep = JSON.parse(`${'[{"a":'.repeat(400)}1${'}]'.repeat(400)}`);
      const payloads = [
        null,
        0,
        '',
        [],
        {},
        deep,
        { role: 'agent' },
        { ...CALL, timeout: -1 },
        JSON.parse('{"__proto__":{"x":1},"constructor":{}}'),
        { ...CALL, params: deep },
        { office_id: 'x'.repeat(9_999) },
        Buffer.from('bytes'),
        { role: 'computer', name: '\u202e', office_id: 'o2' },
      ];
      const heap = process.memoryUsage().heapUsed;
      let sent = 0;
      for (let round = 0; sent < 20_000; round++) {
        for (const [i, attacker] of attackers.entries()) {
          const name = names[(round * 7 + i) % names.length] as string;
          const payload = payloads[(round * 3 + i) % payloads.length];
          if (round % 3 === 0) attacker.emit(name, payload);
          else if (round % 3 === 1) attacker.emit(name, payload, () => {});
          else attacker.emit(name, payload, 'extra', { more: 1 }, () => {});
          sent++;
        }
        if (round % 100 === 0) await ask(agent, 'client:tool_call', { ...CALL, req_id: `r${round}` });
      }
      const started = performance.now();
      expect(await ask(agent, 'client:tool_call', CALL)).toEqual([{ content: [], isError: false }]);
      expect(performance.now() - started).toBeLessThan(5_000);
      await settle();
      expect(process.memoryUsage().heapUsed - heap).toBeLessThan(200 * 2 ** 20);
      expect(await server.server.metrics.text()).toMatch(/^a2c_calls_in_flight 0$/m);
      expect(server.logs.filter(({ level }) => level === 'error')).toEqual([]);
    },
    { timeout: 60_000 },
  );
});
