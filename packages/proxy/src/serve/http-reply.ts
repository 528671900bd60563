import type { OutgoingHttpHeaders, ServerResponse } from 'node:http';
import { Bag, type BagEntry } from '@a2c/protocol';
import type { JSONRPCMessage, RequestId } from '@modelcontextprotocol/server';
import type { CallReply } from './call-dispatch.js';
import { MAX_UNREAD_BYTES, UNREAD } from './unread.js';

/** How often a stream without messages gets a comment, and after which time a response becomes a stream. */
const KEEP_ALIVE_MS = 15_000;

/** One timer serves all replies. */
const TICK_MS = 1_000;
const openReplies = new Bag<HttpReply>();
let ticking: NodeJS.Timeout | undefined;

function keepAlive(reply: HttpReply): BagEntry<HttpReply> {
  ticking ??= setInterval(tick, TICK_MS).unref();
  return openReplies.add(reply);
}

function tick(): void {
  const now = performance.now();
  for (const reply of openReplies.values()) reply.keepAlive(now);
  if (openReplies.size > 0) return;
  clearInterval(ticking);
  ticking = undefined;
}

const STREAM_HEADERS = {
  'content-type': 'text/event-stream',
  'cache-control': 'no-cache, no-transform',
  'x-accel-buffering': 'no',
};

export interface HttpReplyOptions {
  /** The id of the request, as the client knows it. */
  readonly id: RequestId;
  readonly headers?: OutgoingHttpHeaders;
  readonly address?: string | undefined;
  /** The HTTP status of an error. */
  readonly errorStatus?: (code: number) => number;
}

/**
 * The HTTP response to one call: JSON, or a stream of events if other messages precede the answer or if it takes long,
 * because clients and proxies give up on a response without headers.
 */
export class HttpReply implements CallReply {
  readonly #response: ServerResponse;
  readonly #options: HttpReplyOptions;
  #nextCommentAt = performance.now() + KEEP_ALIVE_MS;

  constructor(response: ServerResponse, options: HttpReplyOptions) {
    this.#response = response;
    this.#options = options;
    const open = keepAlive(this);
    response.once('close', () => openReplies.remove(open));
  }

  get address(): string | undefined {
    return this.#options.address;
  }

  async send(message: JSONRPCMessage): Promise<void> {
    if (this.#response.destroyed) throw new Error('the client has disconnected');
    if ('method' in message) {
      if (this.#response.writableLength > MAX_UNREAD_BYTES) {
        this.#response.destroy();
        throw new Error(UNREAD);
      }
      this.#writeEvent(eventOf(message));
      return;
    }
    const answer = Object.assign({}, message, { id: this.#options.id }); // Faster than a spread and a key.
    if (this.#response.headersSent) {
      this.#writeEvent(eventOf(answer));
      this.#response.end();
      return;
    }
    const { headers, errorStatus } = this.#options;
    const status = 'error' in message ? (errorStatus?.(message.error.code) ?? 200) : 200;
    sendJson(this.#response, status, answer, headers);
  }

  /** Keeps the connection open. */
  keepAlive(now: number): void {
    if (this.#nextCommentAt > now) return;
    this.#nextCommentAt = now + KEEP_ALIVE_MS;
    if (!this.#response.writableEnded) this.#writeEvent(': keepalive\n\n');
  }

  /** Ends the response without an answer. */
  end(): void {
    if (this.#response.destroyed) return;
    this.#startStream();
    this.#response.end();
  }

  #writeEvent(text: string): void {
    this.#startStream();
    this.#response.write(text);
  }

  #startStream(): void {
    if (!this.#response.headersSent) this.#response.writeHead(200, { ...STREAM_HEADERS, ...this.#options.headers });
  }
}

const eventOf = (message: JSONRPCMessage): string => `event: message\ndata: ${JSON.stringify(message)}\n\n`;

/** Sends a JSON response. */
export function sendJson(
  response: ServerResponse,
  status: number,
  value: unknown,
  headers?: OutgoingHttpHeaders,
): void {
  const body = JSON.stringify(value);
  const length = Buffer.byteLength(body);
  response.writeHead(status, { 'content-type': 'application/json', 'content-length': length, ...headers }).end(body);
}
