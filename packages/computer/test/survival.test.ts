import { createHash } from 'node:crypto';
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
  textOf,
  until,
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

  verifies('COMP-LINK-04', 'a Computer whose seat was taken over by its own owner stays away', async () => {
    const server = await serve({ authenticate: () => ({ subject: 'ann' }) });
    const [older, newer] = await Promise.all([boot({ mcpServers: [] }), boot({ mcpServers: [] })]);
    const link = await joined(older, server.url, FAST);
    const refused = new Promise<Error>((resolve) => link.once('refused', resolve));
    const successor = await joined(newer, server.url, FAST);
    expect((await refused).message).toContain('another Computer may have this name');
    expect([link.state, successor.office]).toEqual(['disconnected', 'o']);
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
