import type { IncomingMessage } from 'node:http';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream';
import { constants, createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';

/** The body as the server meant it. We ask for none, but a compressed answer is understood. */
export function decompressed(response: IncomingMessage): Readable {
  const flush = { flush: constants.Z_SYNC_FLUSH };
  const stage = {
    gzip: () => createGunzip(flush),
    'x-gzip': () => createGunzip(flush),
    deflate: () => createInflate(flush),
    br: () => createBrotliDecompress({ flush: constants.BROTLI_OPERATION_FLUSH }),
  }[response.headers['content-encoding']?.toLowerCase() ?? ''];
  // Errors of either stage reach whoever reads the last one.
  return stage ? pipeline(response, stage(), () => {}) : response;
}

/** The whole body; undefined when it is longer than `maxBytes`, and then the rest is not waited for. */
export async function readWhole(body: Readable, maxBytes: number): Promise<Buffer | undefined> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of body as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > maxBytes) return undefined;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

/** The beginning of a body. */
export async function readStart(body: Readable, maxBytes: number): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of body as AsyncIterable<Buffer>) {
    chunks.push(chunk);
    size += chunk.length;
    if (size >= maxBytes) break;
  }
  return Buffer.concat(chunks).subarray(0, maxBytes);
}
