import { verifies } from '@a2c/requirements';
import type { Authenticator } from '@a2c/server';
import { describe, expect } from 'vitest';
import { UnsentRequests } from '../src/operation/unsent-requests.js';
import { ask, CALL, newCall, next, office, pauseReading, recordEvents, serve, until } from './harness.js';

const [KIB, MIB] = [2 ** 10, 2 ** 20];

/** The key is the name of the identity. */
const authenticate: Authenticator = ({ auth }) => ({ subject: String(auth.api_key) });
const as = (key: string) => ({ auth: { api_key: key } });

const text = 'x'.repeat(MIB);
const upload = { chunk_offset: 0, eof: false, blob: text, total_size: 100 * MIB, sha256: 'a'.repeat(64) };

/** Large requests, 1 MiB each. */
const LARGE: Readonly<Record<string, object>> = { 'client:tool_call': { params: { text } }, 'client:put_blob': upload };

describe('requests to a Computer with a slow line', () => {
  for (const [event, content] of Object.entries(LARGE))
    verifies(
      'COST-MEMBER-16',
      `of one Agent are refused when its share of the queue is used, and others pass: ${event}`,
      async () => {
        const limits = { queuedBytes: 16 * MIB };
        const server = await serve({ authenticate, limits, officePolicy: () => ({ agents: 'many' }) });
        const greedy = await server.member('agent', 'greedy', 'o', as('greedy'));
        const honest = await server.member('agent', 'honest', 'o', as('honest'));
        const computer = await server.member('computer', 'pc', 'o', as('pc'));
        const arrived: string[] = [];
        for (const name of ['client:tool_call', 'client:put_blob'])
          computer.on(name, ({ req_id }, ack) => {
            arrived.push(req_id);
            ack({ content: [], isError: false, req_id });
          });
        const resume = pauseReading(computer);
        const requests = Array.from({ length: 40 }, () => ({ ...newCall(), ...content }));
        const refused: { readonly req_id: string; readonly answer: unknown }[] = [];
        const answered: string[] = [];
        for (const request of requests)
          void ask(greedy, event, request).then(([answer]) => {
            if ((answer as { code?: number }).code === undefined) answered.push(request.req_id);
            else refused.push({ req_id: request.req_id, answer });
          });
        await ask(greedy, 'server:list_room', { agent: 'greedy', req_id: 'l', office_id: 'o' }); // after all of them
        // The buffers of the two sockets hold some MiB; the Server keeps no more than the share.
        await until(() => refused.length > 10);
        for (const { answer } of refused)
          expect(answer).toMatchObject({ code: 429, details: { computer: 'pc', retry_after: 1 } });

        const [small, large] = [newCall(), { ...newCall(), ...content }];
        const others = [ask(honest, 'client:tool_call', small), ask(honest, event, large)];
        await ask(honest, 'server:list_room', { agent: 'honest', req_id: 'l', office_id: 'o' });
        expect(arrived).not.toContain(small.req_id);
        resume();
        for (const [answer] of await Promise.all(others)) expect(answer).toMatchObject({ content: [], isError: false });
        await until(() => refused.length + answered.length === requests.length);
        expect(arrived).toEqual(expect.arrayContaining([...answered, small.req_id, large.req_id]));
        expect(arrived).toHaveLength(answered.length + 2);

        const again = requests.find(({ req_id }) => req_id === refused[0]?.req_id);
        expect(await ask(greedy, event, again)).toEqual([expect.objectContaining({ isError: false })]);
        expect(server.logs.map(({ message }) => message)).not.toContain('peer does not read; disconnected');
        expect(computer.connected).toBe(true);
      },
    );

  verifies('COST-MEMBER-16', 'are counted until they are sent, for each sender and in all', () => {
    const limit = 16 * MIB;
    const requests = new UnsentRequests(0);
    let unsent = 0;
    const add = (sender: string, bytes: number) => {
      if (!requests.add(sender, bytes, unsent, limit)) return false;
      requests.count(bytes);
      unsent += bytes;
      return true;
    };
    expect(add('a', 10 * MIB)).toBe(true); // one may be larger than the share
    expect(add('a', MIB)).toBe(false);
    expect(add('a', 60 * KIB)).toBe(true);
    expect(add('b', 5 * MIB)).toBe(true);
    expect(add('b', 4 * MIB)).toBe(false);
    expect(add('b', 2 * MIB)).toBe(true);
    expect(add('c', MIB)).toBe(false); // too much in all
    expect(add('c', 64 * KIB)).toBe(true);

    unsent -= 10 * MIB;
    expect(add('a', 7 * MIB)).toBe(true);
    expect(add('b', 2 * MIB)).toBe(false);
    unsent = 0;
    let small = 0;
    while (add('a', 64 * KIB)) small++;
    expect(small * 64 * KIB).toBe(limit + 64 * KIB);
    while (add('b', 64 * KIB)) small++;
    expect(add('c', 64 * KIB)).toBe(false);
    expect(unsent).toBe(2 * limit + 64 * KIB);
  });
});

describe('queries', () => {
  verifies('COST-MEMBER-17', 'over 64 KiB are refused and not passed on', async () => {
    const { agent, computer } = await office();
    const received = recordEvents(computer);
    for (const event of [
      'get_tools',
      'get_config',
      'get_desktop',
      'get_resources',
      'get_skills',
      'get_skill',
      'get_blob',
    ]) {
      const request = {
        ...CALL,
        mcp_server: 's',
        name: 'n',
        blob_handle: 'h',
        chunk_offset: 0,
        unknown: 'x'.repeat(64 * KIB),
      };
      const [answer] = await ask(agent, `client:${event}`, request);
      expect(answer, event).toMatchObject({ code: 400, message: expect.stringContaining('65536 are allowed') });
    }
    expect(received).toEqual([]);
    const arrived = next(computer, 'client:get_desktop');
    void ask(agent, 'client:get_desktop', { ...CALL, unknown: 'x'.repeat(60 * KIB) });
    await arrived;
  });
});
