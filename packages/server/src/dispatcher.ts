import type { Logger } from '@a2c/log';
import {
  errorAck,
  type Generation,
  generationOfName,
  isRecord,
  PROTOCOL_VERSION,
  type RequestEvent,
  type RequestOf,
  type RequestParser,
  requestEvent,
  SMCPError,
  type ToolCallReq,
  WIRE_LIMITS,
} from '@a2c/protocol';
import { AGENT_GONE, overLimit } from './calls/relay.js';
import type { AuditLog, AuditRecord } from './operation/audit.js';
import type { Metrics } from './operation/metrics.js';
import type { OperatorFeed } from './operation/operator-feed.js';
import { resultVerdict } from './operation/result-verdict.js';
import type { Connection } from './rooms/connection.js';
import type { PacketReceiver } from './wire/decoder.js';
import { RawAnswer, type RawJson, RawPayload, RefusedJson } from './wire/raw-json.js';
import { receiveAnswer, sendAnswer } from './wire/requests.js';

/** What a handler answers. */
export interface HandlerResult {
  /** The arguments of the acknowledgement: as a Computer sent them, or new ones. */
  readonly args: RawAnswer | readonly unknown[];
  /** The size of a relayed answer. */
  readonly bytes?: number;
}

export type Handlers = {
  readonly [E in RequestEvent]: (
    connection: Connection,
    request: RequestOf<E>,
    raw: RawJson | undefined,
  ) => Promise<HandlerResult>;
};

export interface DispatcherOptions {
  readonly handlers: Handlers;
  readonly parse: RequestParser;
  readonly metrics: Metrics;
  readonly audit: AuditLog | undefined;
  readonly logger: Logger;
  readonly feed: OperatorFeed | undefined;
  readonly refusalsBeforeDisconnect: number;
  /** Called when an event name shows the generation of a peer that declared none. */
  readonly onGeneration: (connection: Connection, generation: Generation) => Promise<void>;
}

/** How a request ended, for metrics and audit. */
interface RequestOutcome {
  readonly ms: number;
  readonly error: SMCPError | undefined;
  readonly bytesIn: number;
  readonly bytesOut: number;
  /** The id of a tool call in the operator feed. */
  readonly callId: string | undefined;
  /** The verdict of the answer of a tool call, where it is recorded. */
  readonly answered: string;
}

const REFUSAL_WINDOW_MS = 10_000;

/**
 * Receives every event of every socket: rate-limits, parses, handles, acknowledges, measures and records it. Every
 * event is acknowledged, and a malformed packet cannot end the process.
 */
export class Dispatcher {
  readonly #options: DispatcherOptions;

  constructor(options: DispatcherOptions) {
    this.#options = options;
  }

  /** Returns the receiver of the packets of a connection. */
  receiverOf(connection: Connection): PacketReceiver {
    return new ConnectionReceiver(this, connection);
  }

  /** Counts a packet. */
  received(connection: Connection, bytes: number): void {
    connection.packetBytes = bytes;
    this.#options.metrics.bytes('in', bytes);
  }

  async dispatch(
    connection: Connection,
    name: string,
    raw: RawJson | undefined,
    id: number | undefined,
  ): Promise<void> {
    const started = performance.now();
    const bytesIn = connection.packetBytes;
    const event = requestEvent(name);
    let payload: unknown;
    let error: SMCPError | undefined;
    let bytesOut = 0;
    let callId: string | undefined;
    let answered = 'ok';
    try {
      const wait = connection.eventRate.take();
      if (wait > 0) throw overLimit('too many events', wait);
      if (event === undefined) throw this.#unknownEvent(connection, name);
      payload = readPayload(event, raw);
      const request = this.#options.parse(event, payload);
      const generation = connection.generation === undefined ? generationOfName(name) : undefined;
      if (generation !== undefined) await this.#options.onGeneration(connection, generation);
      if (connection.pendingTransition !== undefined && event !== 'server:join_office') {
        await connection.pendingTransition;
      }
      if (event === 'client:tool_call') {
        callId = this.#options.feed?.callReceived(connection, request as ToolCallReq, bytesIn);
      }
      const { args, bytes = 0 } = await this.#options.handlers[event](connection, request as never, raw);
      bytesOut = bytes;
      if (event === 'client:tool_call' && (this.#options.audit || callId !== undefined)) answered = resultVerdict(args);
      sendAnswer(connection.socket, id, args instanceof RawAnswer ? [args] : args);
    } catch (thrown) {
      error = SMCPError.from(thrown);
      const reqId = identifier(payload, 'req_id');
      if (error.cause !== undefined) {
        const fields = { err: thrown, event: name, sid: connection.id, req_id: reqId };
        this.#options.logger.error(fields, 'internal error while handling a request');
      }
      if (event === 'server:join_office') this.#logRefusedJoin(connection, payload, error);
      const version = connection.adapts ? PROTOCOL_VERSION : undefined;
      sendAnswer(connection.socket, id, errorAck(event, error, connection.generation, version));
      if (error.code === 400 || error.code === 429) this.#countRefusal(connection);
    }
    const ms = performance.now() - started;
    this.#record(connection, event ?? 'unknown', payload, { ms, error, bytesIn, bytesOut, callId, answered });
  }

  #logRefusedJoin({ id: sid, identity, address }: Connection, payload: unknown, error: SMCPError): void {
    const [office, role, member] = ['office_id', 'role', 'name'].map((field) => identifier(payload, field));
    const { kind: reason, code, message: detail } = error;
    const fields = { office, role, member, sid, subject: identity.subject, address, reason, code, detail };
    this.#options.logger.info(fields, 'join refused');
  }

  #unknownEvent({ id }: Connection, name: string): SMCPError {
    const shortened = name.slice(0, 100);
    this.#options.logger.warn({ event: shortened, sid: id }, 'unknown event');
    return new SMCPError('BadRequest', `unknown event "${shortened}"`);
  }

  /** Disconnects a connection with too many refused requests. */
  #countRefusal(connection: Connection): void {
    if (connection.refusals++ === 0) setTimeout(() => (connection.refusals = 0), REFUSAL_WINDOW_MS).unref();
    if (connection.refusals <= this.#options.refusalsBeforeDisconnect) return;
    this.#options.logger.warn(
      { sid: connection.id, address: connection.address },
      'disconnected: too many refused requests',
    );
    connection.socket.disconnect(true);
  }

  #record(
    connection: Connection,
    event: RequestEvent | 'unknown',
    payload: unknown,
    { ms, error, bytesIn, bytesOut, callId, answered }: RequestOutcome,
  ): void {
    const { audit, feed } = this.#options;
    const { identity, member, id, address, role } = connection;
    // The metrics count requests that were not answered; a failure of a tool is an answer.
    this.#options.metrics.request(event, error ? error.kind : 'ok', ms / 1_000);
    if (error) feed?.requestRefused(connection, event, error);
    if (!audit && callId === undefined) return;
    const isCancelled = error?.details.reason === AGENT_GONE;
    const failure = isCancelled ? undefined : error;
    const record: AuditRecord = {
      time: new Date().toISOString(),
      event,
      verdict: isCancelled ? 'cancelled' : failure ? failure.kind : answered,
      ...(failure && { code: failure.a2cCode ?? failure.code }),
      subject: identity.subject,
      address,
      sid: id,
      ...(role && { role }),
      ...(member && { office: member.office, name: member.name }),
      ...identifiers(payload),
      ms: Math.round(ms * 1_000) / 1_000,
      bytes_in: bytesIn,
      bytes_out: bytesOut,
    };
    audit?.append(record);
    if (callId !== undefined) feed?.callAnswered(callId, record, failure);
  }
}

class ConnectionReceiver implements PacketReceiver {
  readonly #dispatcher: Dispatcher;
  readonly #connection: Connection;

  constructor(dispatcher: Dispatcher, connection: Connection) {
    this.#dispatcher = dispatcher;
    this.#connection = connection;
  }

  get owner(): string {
    return this.#connection.owner;
  }

  received(bytes: number): void {
    this.#dispatcher.received(this.#connection, bytes);
  }

  event(name: string, payload: RawJson | undefined, id: number | undefined): void {
    void this.#dispatcher.dispatch(this.#connection, name, payload, id);
  }

  acknowledgement(id: number | undefined, answer: RawJson): void {
    receiveAnswer(this.#connection.socket, id, answer);
  }
}

/** Decodes what is checked of a payload. */
function readPayload(event: RequestEvent, raw: RawJson | undefined): unknown {
  const problem = problemOf(raw);
  if (problem !== undefined) throw new SMCPError('BadRequest', `${event}: payload: ${problem}`);
  return raw instanceof RawPayload ? raw.readFields() : undefined;
}

function problemOf(raw: RawJson | undefined): string | undefined {
  // A request may nest less deeply than an answer, which the decoder allows for both.
  const isTooDeep = raw instanceof RawPayload && raw.depth > WIRE_LIMITS.depth;
  if (isTooDeep || (raw instanceof RefusedJson && raw.problem.startsWith('nests'))) {
    return `nests deeper than ${WIRE_LIMITS.depth} levels`;
  }
  return raw instanceof RefusedJson ? raw.problem : undefined;
}

/** Fields of a payload that are recorded, and their names in the audit log. */
const RECORDED_FIELDS = {
  req_id: 'req_id',
  computer: 'computer',
  tool_name: 'tool',
  office_id: 'asked_office',
};

function identifiers(payload: unknown): Record<string, string> {
  const found: Record<string, string> = {};
  for (const [field, name] of Object.entries(RECORDED_FIELDS)) {
    const value = identifier(payload, field);
    if (value !== undefined) found[name] = value;
  }
  return found;
}

/** Returns a string field of an unchecked payload, shortened. */
function identifier(payload: unknown, field: string): string | undefined {
  const value = isRecord(payload) ? payload[field] : undefined;
  return typeof value === 'string' ? value.slice(0, 256) : undefined;
}
