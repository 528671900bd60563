import { randomUUID } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import { type OperatorEvent, type OperatorPart, type OperatorRequest, SMCPError, timerMs } from '@a2c/protocol';
import type { Visitor } from './access.js';

/** How many streams may be open. */
const MAX_STREAMS = { ofSession: 32, ofHost: 256 };

/**
 * A page that does not read is disconnected at this size. It reconnects and receives the present state, which does not
 * count: a large one would never arrive.
 */
const MAX_QUEUED_BYTES = 16 * 2 ** 20;

/** Comments keep the connection open through proxies that close idle ones. */
const KEEP_ALIVE_MS = 15_000;

/** How soon a browser reconnects after a lost connection. */
const RETRY_MS = 1_000;

export interface StreamHost {
  readonly parts: readonly OperatorPart[];
  readonly offers: readonly OperatorRequest[];
  readonly version: string;
}

interface Stream {
  readonly owner: string;
  readonly response: ServerResponse;
  /** The bytes of the present state that may still be queued. */
  firstBytes: number;
}

/** The open streams of server-sent events. */
export class EventStreams {
  readonly #streams = new Map<string, Stream>();

  /**
   * Sends the present state, then every change, until the connection closes or the credential ends.
   *
   * @throws SMCPError 429 if too many streams are open
   */
  open(response: ServerResponse, { parts, offers, version }: StreamHost, visitor: Visitor): void {
    const { revoked, expires, subject, session: owner = subject } = visitor;
    this.#checkLimits(owner);
    const stream = randomUUID();
    response.writeHead(200, {
      'Content-Type': 'text/event-stream; charset=utf-8',
      'Cache-Control': 'no-store',
      'X-Accel-Buffering': 'no',
    });
    response.write(`retry: ${RETRY_MS}\n\n`);
    const opened: Stream = { owner, response, firstBytes: Number.POSITIVE_INFINITY };
    this.#streams.set(stream, opened);
    const send = (...event: OperatorEvent) => this.send(stream, ...event);
    send('hello', { stream, version, offers });
    const stops = parts.map((part) => part.follow(send));
    opened.firstBytes = response.writableLength;
    response.on('drain', () => {
      opened.firstBytes = 0;
    });
    const keepAlive = setInterval(() => response.write(':\n\n'), KEEP_ALIVE_MS);
    const end = () => response.end();
    revoked?.addEventListener('abort', end, { once: true });
    const expiry = expires && setTimeout(end, timerMs(expires.getTime() - Date.now()));
    response.on('close', () => {
      this.#streams.delete(stream);
      clearInterval(keepAlive);
      clearTimeout(expiry);
      revoked?.removeEventListener('abort', end);
      for (const stop of stops) stop();
    });
    if (revoked?.aborted) end();
  }

  /** Sends an event to one stream. Does nothing if it has ended. */
  readonly send = (stream: string, ...[name, value]: OperatorEvent): void => {
    const { response, firstBytes = 0 } = this.#streams.get(stream) ?? {};
    if (!response || response.writableEnded) return;
    response.write(`event: ${name}\ndata: ${JSON.stringify(value)}\n\n`);
    if (response.writableLength - firstBytes > MAX_QUEUED_BYTES) response.destroy();
  };

  /** Ends the streams of a session. */
  endSession(session: string): void {
    for (const { owner, response } of this.#streams.values()) if (owner === session) response.end();
  }

  close(): void {
    for (const { response } of this.#streams.values()) response.destroy();
  }

  #checkLimits(owner: string): void {
    const own = [...this.#streams.values()].filter((stream) => stream.owner === owner).length;
    const isFull = this.#streams.size >= MAX_STREAMS.ofHost;
    if (own < MAX_STREAMS.ofSession && !isFull) return;
    const limit = isFull ? `${MAX_STREAMS.ofHost} in all` : `${MAX_STREAMS.ofSession} of one session`;
    throw new SMCPError('TooManyRequests', `too many open event streams (${limit}): close other pages of the console`);
  }
}
