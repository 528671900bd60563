import type { IncomingMessage } from 'node:http';

/** Reads the body of a request; undefined if it is larger than `maxBytes`. Rejects if the client disconnects. */
export function readBody(request: IncomingMessage, maxBytes: number): Promise<Buffer | undefined> {
  if (Number(request.headers['content-length']) > maxBytes) return Promise.resolve(undefined);
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let length = 0;
    request.on('data', (chunk: Buffer) => {
      length += chunk.length;
      if (length > maxBytes) resolve(undefined);
      else chunks.push(chunk);
    });
    request.once('end', () => resolve(chunks.length === 1 ? chunks[0] : Buffer.concat(chunks)));
    request.once('error', reject);
    request.once('close', () => {
      if (!request.complete) reject(new Error('the client has disconnected'));
    });
  });
}
