import type { IncomingMessage } from 'node:http';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream';
import { constants, createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';

/** Decompresses the body. No compression is requested, but some servers compress anyway. */
export function decompressed(response: IncomingMessage): Readable {
  const flush = { flush: constants.Z_SYNC_FLUSH };
  const stage = {
    gzip: () => createGunzip(flush),
    'x-gzip': () => createGunzip(flush),
    deflate: () => createInflate(flush),
    br: () => createBrotliDecompress({ flush: constants.BROTLI_OPERATION_FLUSH }),
  }[response.headers['content-encoding']?.toLowerCase() ?? ''];
  // Errors of both streams are reported to the reader of the last one.
  return stage ? pipeline(response, stage(), () => {}) : response;
}

/** Reads the whole body. Returns undefined as soon as it is longer than `maxBytes`. */
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

/** Reads the first `maxBytes` of a body. */
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
