import type { Logger } from '@a2c/log';
import {
  type Dialect,
  dialectOfName,
  errorAck,
  type RequestEvent,
  type RequestOf,
  type RequestParser,
  requestEvent,
  SMCPError,
} from '@a2c/protocol';
import { overLimit } from './calls/relay.js';
import type { AuditLog } from './operation/audit.js';
import type { Metrics } from './operation/metrics.js';
import type { Connection } from './rooms/connection.js';

/** What a handler answers with, and how large a relayed answer was. */
export interface Handled {
  /** The acknowledgement's arguments. */
  readonly args: readonly unknown[];
  readonly bytes?: number;
}

export type Handlers = {
  readonly [E in RequestEvent]: (connection: Connection, request: RequestOf<E>) => Promise<Handled>;
};

export interface DispatcherOptions {
  readonly handlers: Handlers;
  readonly parse: RequestParser;
  readonly metrics: Metrics;
  /** Nothing is recorded where nobody asked for it. */
  readonly audit: AuditLog | undefined;
  readonly logger: Logger;
  readonly refusalsBeforeDisconnect: number;
  readonly onDialect: (connection: Connection, dialect: Dialect) => Promise<void>;
}

type Ack = (...args: unknown[]) => void;

const REFUSAL_WINDOW_MS = 10_000;

/**
 * The one way in. Every event of every socket is limited, parsed, handled, answered, measured and recorded here, so that
 * none is left unanswered and no packet, however wrong, can bring the process down.
 */
export class Dispatcher {
  readonly #options: DispatcherOptions;

  constructor(options: DispatcherOptions) {
    this.#options = options;
  }

  attach(connection: Connection): void {
    connection.socket.onAny((name: unknown, ...args: unknown[]) => {
      const ack = typeof args.at(-1) === 'function' ? (args.pop() as Ack) : () => {};
      void this.#dispatch(connection, String(name), args[0], ack);
    });
  }

  async #dispatch(connection: Connection, name: string, payload: unknown, ack: Ack): Promise<void> {
    const started = performance.now();
    const bytesIn = connection.packetBytes;
    const event = requestEvent(name);
    let error: SMCPError | undefined;
    let bytesOut = 0;
    try {
      if (event === undefined) throw this.#unknown(connection, name);
      const wait = connection.events.take();
      if (wait > 0) throw overLimit('too many events', wait);
      const request = this.#options.parse(event, payload);
      const dialect = connection.dialect === undefined ? dialectOfName(name) : undefined;
      if (dialect !== undefined) await this.#options.onDialect(connection, dialect);
      if (connection.moving !== undefined && event !== 'server:join_office') await connection.moving;
      const { args, bytes = 0 } = await this.#options.handlers[event](connection, request as never);
      bytesOut = bytes;
      ack(...args);
    } catch (thrown) {
      error = SMCPError.from(thrown);
      if (error.cause !== undefined)
        this.#options.logger.error(
          { err: thrown, event: name, sid: connection.id, req_id: reqIdOf(payload) },
          'a request failed inside',
        );
      ack(...errorAck(event, error, reqIdOf(payload)));
      if (error.code === 400 || error.code === 429) this.#countRefusal(connection);
    }
    this.#record(connection, event ?? 'unknown', payload, {
      ms: performance.now() - started,
      error,
      bytesIn,
      bytesOut,
    });
  }

  #unknown({ id, events }: Connection, name: string): SMCPError {
    const wait = events.take();
    if (wait > 0) return overLimit('too many events', wait);
    this.#options.logger.warn({ event: name.slice(0, 100), sid: id }, 'unknown event');
    return new SMCPError('BadRequest', `unknown event "${name.slice(0, 100)}"`);
  }

  /** Refusing costs little, but not nothing: who keeps on being refused is ended. */
  #countRefusal(connection: Connection): void {
    if (connection.refusals++ === 0) setTimeout(() => (connection.refusals = 0), REFUSAL_WINDOW_MS).unref();
    if (connection.refusals <= this.#options.refusalsBeforeDisconnect) return;
    this.#options.logger.warn({ sid: connection.id, address: connection.address }, 'disconnected for abuse');
    connection.socket.disconnect(true);
  }

  #record(
    { identity, seat, id, address, role }: Connection,
    event: RequestEvent | 'unknown',
    payload: unknown,
    { ms, error, bytesIn, bytesOut }: { ms: number; error: SMCPError | undefined; bytesIn: number; bytesOut: number },
  ): void {
    const verdict = error ? error.kind : 'ok';
    this.#options.metrics.request(event, verdict, ms / 1_000);
    this.#options.audit?.append({
      time: new Date().toISOString(),
      event,
      verdict,
      ...(error && { code: error.a2cCode ?? error.code }),
      subject: identity.subject,
      address,
      sid: id,
      ...(role && { role }),
      ...(seat && { office: seat.office, name: seat.name }),
      ...idsOf(payload),
      ms: Math.round(ms * 1_000) / 1_000,
      bytes_in: bytesIn,
      bytes_out: bytesOut,
    });
  }
}

function reqIdOf(payload: unknown): string | undefined {
  const reqId = field(payload, 'req_id');
  return typeof reqId === 'string' ? reqId.slice(0, 256) : undefined;
}

/** What was asked of whom, for the record: identifiers only, never arguments. */
function idsOf(payload: unknown): Record<string, string> {
  const ids: Record<string, string> = {};
  for (const [key, as] of [
    ['req_id', 'req_id'],
    ['computer', 'computer'],
    ['tool_name', 'tool'],
    ['office_id', 'asked_office'],
  ] as const) {
    const value = field(payload, key);
    if (typeof value === 'string') ids[as] = value.slice(0, 256);
  }
  return ids;
}

function field(payload: unknown, key: string): unknown {
  return typeof payload === 'object' && payload !== null ? (payload as Record<string, unknown>)[key] : undefined;
}
