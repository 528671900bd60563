import { createHash } from 'node:crypto';
import { once } from 'node:events';
import type { SmcpError } from '@a2c/protocol';
import { verifies } from '@a2c/requirements';
import type { Socket } from 'socket.io-client';
import { describe, expect } from 'vitest';
import {
  type Answer,
  agentIn,
  ask,
  boot,
  call,
  joined,
  listenIn,
  office,
  sdkServer,
  serve,
  server,
  settle,
  textOf,
  until,
  wireTo,
} from './harness.js';

/** Websocket only, because the Server notices the loss of one at once, and that of a poll only when the next is due. */
const FAST = { transports: ['websocket'], limits: { reconnectFirstMs: 50, reconnectMaxMs: 200 } } as const;

describe('a lost connection', () => {
  verifies(
    ['COMP-LINK-03', 'SMCP-CALL-02'],
    'the Server restarts in the middle of a call: the seat is taken again, and the result is there for who asks again',
    async () => {
      const first = await serve();
      const port = Number(new URL(first.url).port);
      const computer = await boot();
      const link = await joined(computer, first.url, FAST);
      const agent = await agentIn(first.url, 'o', 'a', { reconnection: false });
      const request = {
        agent: 'a',
        req_id: 'long',
        computer: 'pc',
        tool_name: 'sleep',
        params: { ms: 700 },
        timeout: 10,
      };
      agent.emit('client:tool_call', request, () => {}); // its answer goes down with the Server
      await until(() => computer.status()[0]?.callsInFlight === 1);
      await first.close();
      await until(() => link.state === 'connecting');
      expect(link.office).toBeUndefined();

      const second = await serve({ port });
      const again = await agentIn(second.url);
      const heard = listenIn(again);
      await until(() => link.office === 'o');
      const repeated = await call(again, 'sleep', { ms: 700 }, { req_id: 'long' });
      expect(textOf(repeated)).toBe('slept');
      expect(computer.history()).toHaveLength(1);
      const announced = ['notify:update_config', 'notify:update_tool_list', 'notify:update_desktop'];
      await until(() => announced.every((event) => heard.some(([name]) => name === event)));
    },
    { timeout: 20_000 },
  );

  verifies('COMP-LINK-03', 'a late answer is not mistaken for the answer to another request', async () => {
    const { agent, computer, link, wire } = await office({}, FAST);
    const slow = call(agent, 'sleep', { ms: 400 }, { req_id: 'slow' });
    await until(() => computer.status()[0]?.callsInFlight === 1);
    wire.cut();
    expect((await slow).error?.code).toBe(404);
    await until(() => link.office === 'o');
    const answers = await Promise.all(
      Array.from({ length: 5 }, (_, i) => call(agent, 'sleep', { ms: 500 + i }, { req_id: `new${i}` })),
    );
    expect(answers.map(textOf)).toEqual(Array.from({ length: 5 }, () => 'slept'));
    expect(textOf(await call(agent, 'sleep', { ms: 400 }, { req_id: 'slow' }))).toBe('slept');
    expect(computer.history()).toHaveLength(6);
  });

  verifies('COMP-LINK-03', 'a seat that somebody else has meanwhile is taken when it is free', async () => {
    const { url, link, agent, wire } = await office({}, FAST);
    const rival = await boot({ mcpServers: [] });
    const left = new Promise((resolve) => agent.once('notify:leave_office', resolve));
    wire.cut(true);
    await left;
    const usurper = await joined(rival, url);
    wire.mend();
    await until(() => link.state === 'connected');
    expect(link.office).toBeUndefined();
    usurper.disconnect();
    await until(() => link.office === 'o');
    expect(textOf(await call(agent, 'echo', { message: 'back' }))).toBe('back');
  });

  verifies(
    'COMP-LINK-04',
    'a Computer whose seat was taken over by its own owner stays away, and does not take it back',
    async () => {
      let handshakes = 0;
      const authenticate = () => {
        handshakes += 1;
        return { subject: 'ann' };
      };
      const { url } = await serve({ authenticate });
      const [older, newer] = await Promise.all([boot({ mcpServers: [] }), boot({ mcpServers: [server('w')] })]);
      const link = await joined(older, url, FAST);
      const refusals: SmcpError[] = [];
      link.on('refused', (error) => refusals.push(error));
      const successor = await joined(newer, url, FAST);
      await until(() => refusals.length > 0);
      const after = handshakes;
      // Longer than the longest pause before it would come back.
      await settle(3 * FAST.limits.reconnectMaxMs);
      expect(refusals.map(({ code, details }) => ({ code, details }))).toEqual([
        { code: 403, details: { computer: 'pc', office: 'o' } },
      ]);
      expect(refusals[0]?.message).toMatch(/newer connection of the same owner.*give one of them another name/);
      expect([link.state, successor.office, handshakes]).toEqual(['disconnected', 'o', after]);
      const agent = await agentIn(url);
      expect(textOf(await call(agent, 'echo', { message: 'from the newer' }))).toBe('from the newer');
    },
  );

  verifies(
    'COMP-LINK-04',
    'one that comes back to a seat its owner has given away takes it, and that is all',
    async () => {
      const { url } = await serve({ authenticate: () => ({ subject: 'ann' }) });
      const wire = await wireTo(url);
      const [away, deputy] = await Promise.all([boot({ mcpServers: [] }), boot({ mcpServers: [] })]);
      const link = await joined(away, wire.url, FAST);
      wire.cut(true);
      await until(() => link.state === 'connecting');
      const second = await joined(deputy, url, FAST);
      const refused = once(second, 'refused') as Promise<[SmcpError]>;
      wire.mend();
      expect((await refused)[0].message).toContain('newer connection of the same owner');
      await settle(3 * FAST.limits.reconnectMaxMs);
      expect([link.office, second.state]).toEqual(['o', 'disconnected']);
    },
  );

  verifies('COMP-LINK-04', 'a connection the Server ended for another reason is made again', async () => {
    let known = 2;
    const authenticate = () => (known-- > 0 ? { subject: 'ann', expires: new Date(Date.now() + 1_500) } : undefined);
    const { url } = await serve({ authenticate });
    const link = await joined(await boot({ mcpServers: [] }), url, FAST);
    const refused = once(link, 'refused') as Promise<[SmcpError]>;
    await until(() => link.state === 'connecting');
    await until(() => link.office === 'o');
    // The second credential ends as well, and there is no third: that is final.
    expect((await refused)[0]).toMatchObject({ kind: 'Unauthorized', code: 401 });
    expect(link.state).toBe('disconnected');
  });
});

describe('results over the Server’s limit', () => {
  const big = () => boot({ mcpServers: [server('s', { server_parameters: sdkServer() })] });

  verifies('COMP-BLOB-01', 'are an error that says so, and the connection lives on', async () => {
    const { url } = await serve({ limits: { messageBytes: 100_000 } });
    const computer = await big();
    const link = await joined(computer, url);
    const agent = await agentIn(url);
    const { sid } = link;
    const answer = await call(agent, 'big', { bytes: 200_000 });
    expect(answer).toMatchObject({ isError: true, error: { code: 500, details: { limit: expect.any(Number) } } });
    expect(answer.error?.message).toContain('accept_blobs');
    expect(textOf(await call(agent, 'big', { bytes: 90_000 }))).toHaveLength(90_000);
    expect(link.sid).toBe(sid);
  });

  verifies(
    ['COMP-BLOB-01', 'WIRE-BLOB-01'],
    'come as handles to whoever accepts them, and are pulled in pieces',
    async () => {
      const { url } = await serve({ limits: { messageBytes: 100_000 } });
      await joined(await big(), url);
      const agent = await agentIn(url);
      const answer = await call(agent, 'big', { bytes: 200_000 }, { accept_blobs: true });
      const [block] = answer.content as unknown as [{ text: string; _meta: Record<string, unknown> }];
      expect(answer.isError).toBe(false);
      expect(block).toMatchObject({ type: 'text', text: '', _meta: { a2c_total_size: 200_000 } });
      const handle = block._meta.a2c_blob_handle;
      const pieces: Buffer[] = [];
      for (let offset = 0, eof = false; !eof; ) {
        const piece = await pull(agent, { blob_handle: handle, chunk_offset: offset });
        const bytes = Buffer.from(String(piece.blob), 'base64');
        expect(piece).toMatchObject({ chunk_offset: offset, total_size: 200_000, req_id: 'b' });
        pieces.push(bytes);
        offset += bytes.length;
        eof = piece.eof === true;
      }
      const whole = Buffer.concat(pieces);
      expect(whole.toString()).toBe('x'.repeat(200_000));
      expect(createHash('sha256').update(whole).digest('hex')).toBe(block._meta.a2c_sha256);
      expect(pieces.length).toBeGreaterThan(2);
      expect(await pull(agent, { blob_handle: handle, max_chunk_bytes: 3 })).toMatchObject({
        blob: 'eHh4',
        eof: false,
      });

      const refusal = async (request: object) => (await pull(agent, request)).error as Answer['error'];
      expect(await refusal({ blob_handle: 'nothing' })).toMatchObject({
        code: 404,
        details: { reason: 'gone', a2c_code: 4018 },
      });
      expect(await refusal({ blob_handle: handle, agent: 'b' })).toMatchObject({ details: { reason: 'forbidden' } });
      expect(await refusal({ blob_handle: handle, chunk_offset: 200_001 })).toMatchObject({
        details: { reason: 'range' },
      });
    },
  );
});

async function pull(agent: Socket, request: object): Promise<Record<string, unknown>> {
  const [answer] = await ask(agent, 'client:get_blob', { agent: 'a', req_id: 'b', computer: 'pc', ...request });
  return answer as Record<string, unknown>;
}
