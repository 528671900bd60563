import type { ServerResponse } from 'node:http';
import { gzipSync } from 'node:zlib';
import { verifies } from '@a2c/requirements';
import { expect } from 'vitest';
import { call, connect, http, sse, until } from './harness.js';
import { type Message, said, serve } from './http-server.js';

const LEGACY = { versionNegotiation: { mode: 'legacy' } } as const;
const REFUSED = /the event stream of http:\/\/127\.0\.0\.1:\d+ is compressed, which was not requested/;

/** A stream of many comments in few bytes, and the answer, if there is one. */
function compressed(response: ServerResponse, message?: Message): void {
  const answer = message ? `data: ${JSON.stringify({ jsonrpc: '2.0', id: message.id, result: said('ok') })}\n\n` : '';
  const bytes = gzipSync(':\n'.repeat(1_000_000) + answer);
  response.writeHead(200, { 'content-type': 'text/event-stream', 'content-encoding': 'gzip' }).write(bytes);
}

verifies('COST-STREAM-02', 'a compressed event stream fails the request that it answers', async () => {
  const { url } = await serve({ onCall: compressed });
  const { client } = await connect(http(url), {}, LEGACY);
  await expect(call(client, 'x', {})).rejects.toThrow(REFUSED);
});

verifies(
  'COST-STREAM-02',
  'a compressed event stream of notifications is not read, and is not opened again',
  async () => {
    let closed = 0;
    const onGet = (response: ServerResponse) => {
      response.once('close', () => {
        closed += 1;
      });
      compressed(response);
    };
    const { url, seen } = await serve({ onGet });
    const { client } = await connect(http(url), {}, LEGACY);
    const errors: Error[] = [];
    client.onerror = (error) => void errors.push(error);
    await until(() => closed > 0, 'the end of the stream');
    await until(() => errors.some(({ message }) => REFUSED.test(message)), 'the error');
    expect(seen.filter(({ method }) => method === 'GET')).toHaveLength(1);
  },
);

verifies('COST-STREAM-02', 'a compressed event stream is no connection', async () => {
  const { url } = await serve({ onGet: (response) => compressed(response) });
  await expect(connect(sse(url), {}, LEGACY)).rejects.toThrow(REFUSED);
});
