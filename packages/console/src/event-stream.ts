import { randomUUID } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import { type OperatorEvent, type OperatorPart, type OperatorRequest, timerMs } from '@a2c/protocol';
import type { OperatorIdentity } from './access.js';

/** A page that does not read is disconnected at this size. It reconnects and receives the present state. */
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

/** The open streams of server-sent events. */
export class EventStreams {
  readonly #streams = new Map<string, ServerResponse>();

  /** Sends the present state, then every change, until the connection closes or the credential ends. */
  open(response: ServerResponse, { parts, offers, version }: StreamHost, { revoked, expires }: OperatorIdentity): void {
    const stream = randomUUID();
    response.writeHead(200, {
      'Content-Type': 'text/event-stream; charset=utf-8',
      'Cache-Control': 'no-store',
      'X-Accel-Buffering': 'no',
    });
    response.write(`retry: ${RETRY_MS}\n\n`);
    this.#streams.set(stream, response);
    const send = (...event: OperatorEvent) => this.send(stream, ...event);
    send('hello', { stream, version, offers });
    const stops = parts.map((part) => part.follow(send));
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
    const response = this.#streams.get(stream);
    if (!response || response.writableEnded) return;
    response.write(`event: ${name}\ndata: ${JSON.stringify(value)}\n\n`);
    if (response.writableLength > MAX_QUEUED_BYTES) response.destroy();
  };

  close(): void {
    for (const response of this.#streams.values()) response.destroy();
  }
}
