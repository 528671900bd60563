import type { IncomingMessage, ServerResponse } from 'node:http';
import type { ProxyLimits } from '../limits.js';

/** Why a body was not read. */
export type Unread = 'too-large' | 'too-many';

/** Bodies of up to this size do not count. */
const SMALL_BYTES = 2 ** 16;

/** Reads the bodies of requests. Those of all requests without a complete response are limited together. */
export class RequestBodies {
  readonly #limits: Pick<ProxyLimits, 'bodyBytes' | 'openBodyBytes'>;
  #openBytes = 0;

  constructor(limits: Pick<ProxyLimits, 'bodyBytes' | 'openBodyBytes'>) {
    this.#limits = limits;
  }

  /** Rejects if the client disconnects. */
  read(request: IncomingMessage, response: ServerResponse): Promise<Buffer | Unread> {
    const { bodyBytes } = this.#limits;
    if (Number(request.headers['content-length']) > bodyBytes) return Promise.resolve('too-large');
    return new Promise((resolve, reject) => {
      let chunks: Buffer[] = [];
      let length = 0;
      let counted = 0;
      const refuse = (reason: Unread) => {
        chunks = [];
        length = Number.POSITIVE_INFINITY; // Nothing more is kept.
        resolve(reason);
      };
      request.on('data', (chunk: Buffer) => {
        length += chunk.length;
        if (length > bodyBytes) return refuse('too-large');
        chunks.push(chunk);
        if (length <= SMALL_BYTES) return;
        if (counted === 0) response.once('close', () => this.#count(-counted));
        this.#count(length - counted);
        counted = length;
        if (this.#openBytes > this.#limits.openBodyBytes) refuse('too-many');
      });
      request.once('end', () => resolve(chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks)));
      request.once('error', reject);
      request.once('close', () => {
        if (!request.complete) reject(new Error('the client has disconnected'));
      });
    });
  }

  #count(bytes: number): void {
    this.#openBytes += bytes;
  }
}
