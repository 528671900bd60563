import type { IncomingMessage, ServerResponse } from 'node:http';
import type { ProxyLimits } from '../limits.js';

/** Why a body was not read. */
export type Unread = 'too-large' | 'too-many' | 'too-slow';

/** Bodies of up to this size do not count. */
const SMALL_BYTES = 2 ** 16;

/** A body that is not complete must have brought this much since the last check. */
const STEP_BYTES = 2 ** 18;

type BodyLimits = Pick<ProxyLimits, 'bodyBytes' | 'openBodyBytes' | 'bodyStepMs'>;

/** A body that counts and is not complete. */
interface Arriving {
  lastChunk: number;
  readonly refuse: (reason: Unread) => void;
}

/** Reads the bodies of requests. Those of all requests without a complete response are limited together. */
export class RequestBodies {
  readonly #limits: BodyLimits;
  readonly #arriving = new Set<Arriving>();
  #openBytes = 0;

  constructor(limits: BodyLimits) {
    this.#limits = limits;
  }

  /** Rejects if the client disconnects. */
  read(request: IncomingMessage, response: ServerResponse): Promise<Buffer | Unread> {
    const { bodyBytes, openBodyBytes, bodyStepMs } = this.#limits;
    if (Number(request.headers['content-length']) > bodyBytes) return Promise.resolve('too-large');
    return new Promise((resolve, reject) => {
      let chunks: Buffer[] = [];
      let length = 0;
      let counted = 0;
      let checked = 0;
      const stop = () => {
        clearInterval(timer);
        this.#arriving.delete(arriving);
      };
      const refuse = (reason: Unread) => {
        stop();
        chunks = [];
        length = Number.POSITIVE_INFINITY; // Nothing more is kept.
        resolve(reason);
        this.#count(-counted);
        counted = 0;
      };
      const check = () => {
        if (length - checked < STEP_BYTES) refuse('too-slow');
        checked = length;
      };
      let timer: NodeJS.Timeout | undefined;
      const arriving: Arriving = { lastChunk: 0, refuse };
      request.on('data', (chunk: Buffer) => {
        length += chunk.length;
        if (length > bodyBytes) return refuse('too-large');
        chunks.push(chunk);
        if (length <= SMALL_BYTES) return;
        arriving.lastChunk = performance.now();
        this.#arriving.add(arriving);
        timer ??= setInterval(check, bodyStepMs).unref();
        if (counted === 0) response.once('close', () => this.#count(-counted));
        this.#count(length - counted);
        counted = length;
        // First those that bring nothing: others must not wait for them.
        while (this.#openBytes > openBodyBytes && this.#arriving.size > 0) this.#slowest()?.refuse('too-many');
      });
      request.once('end', () => {
        stop();
        resolve(chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks));
      });
      request.once('error', reject);
      request.once('close', () => {
        stop();
        if (!request.complete) reject(new Error('the client has disconnected'));
      });
    });
  }

  #slowest(): Arriving | undefined {
    return [...this.#arriving].reduce((a, b) => (b.lastChunk < a.lastChunk ? b : a));
  }

  #count(bytes: number): void {
    this.#openBytes += bytes;
  }
}
