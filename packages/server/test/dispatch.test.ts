import { verifies } from '@a2c/requirements';
import { describe, expect } from 'vitest';
import { ask, CALL, serve } from './harness.js';

describe('every event is answered', () => {
  verifies(
    ['SMCP-EXT-04', 'SMCP-CAT-04', 'SMCP-CAT-03'],
    'unknown events and notifications with 400 and a line in the log',
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

  verifies(
    ['SMCP-MSG-01', 'SMCP-ERR-01', 'W-PY-11'],
    'malformed payloads with 400 and the path of the problem',
    async () => {
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
          expect(answer).toMatchObject({
            code: 400,
            message: expect.stringMatching(new RegExp(`${event}: [\\w.]+: `)),
          });
        }
      }
      const [tooLong] = await ask(agent, 'client:tool_call', { ...CALL, computer: 'x'.repeat(300) });
      expect(tooLong).toMatchObject({
        code: 400,
        isError: true,
        message: expect.stringContaining('computer: must not be longer'),
      });
    },
  );

  verifies(
    ['WIRE-ERR-04', 'SMCP-ERR-05', 'SMCP-ERR-09'],
    'internal errors with 500 without details, which are in the log',
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
      const join = { role: 'agent', name: 'a', office_id: 'o', req_id: 'r7' };
      const answer = await ask(socket, 'server:join_office', join);
      expect(answer).toEqual([false, '500 the request could not be processed']);
      expect(JSON.stringify(server.audit)).not.toContain('keys');
      expect(server.logs).toContainEqual(
        expect.objectContaining({ level: 'error', message: 'internal error while handling a request', req_id: 'r7' }),
      );
    },
  );
});
