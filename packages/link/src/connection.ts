import {
  Bag,
  Deadlines,
  type Generation,
  SMCP_NAMESPACE,
  SMCPError,
  timerMs,
  unanswered,
  withTimeout,
} from '@a2c/protocol';
import { io, type Socket } from 'socket.io-client';
import { sendEncodedAnswers } from './encoded-answer.js';
import { type Handshake, handshakeAuth, probeRefusal, socketOptions } from './handshake.js';
import { type ConnectError, readConnectError } from './refusals.js';
import { shareWrites } from './shared-writes.js';

/** Answers a request. Does nothing when the connection has ended. */
export type Acknowledge = (...args: unknown[]) => void;

/** An event of the Server. */
export interface ReceivedEvent {
  readonly name: string;
  readonly payload: unknown;
  readonly ack: Acknowledge;
}

export interface ConnectionHandlers {
  readonly onEvent: (connection: Connection, event: ReceivedEvent) => void;
  /** The connection was open and has ended. `reason` is the one of Socket.IO. */
  readonly onLost: (connection: Connection, reason: string) => void;
}

/** The connection ended before the answer arrived. The request may have been carried out. */
export class ConnectionLost extends SMCPError {
  constructor() {
    super('Unavailable', 'the connection was lost before the answer came; the request may have been carried out');
  }
}

/** No answer arrived within the time limit. */
export class NoAnswer extends SMCPError {
  constructor(event: string, ms: number) {
    super('Timeout', `${event}: no answer within ${ms / 1_000} s`);
  }
}

/** How long a request waits for its answer, and how that is read. */
export interface SentRequest<T> {
  readonly ms: number;
  readonly signal?: AbortSignal | undefined;
  readonly read: (ack: readonly unknown[]) => T | Promise<T>;
}

interface PendingRequest {
  readonly event: string;
  readonly fail: (error: unknown) => void;
}

/** The parts of a Socket.IO socket that its typed interface does not show. */
interface SocketInternals {
  /** The callbacks of acknowledgements by their ids. */
  readonly acks: Record<number, unknown>;
  /** The id of the next one. */
  readonly ids: number;
}

/** The parts of an Engine.IO connection that its typed interface does not show. */
interface EngineInternals {
  readonly _maxPayload?: number;
  readonly writeBuffer?: readonly { readonly data?: unknown }[];
  readonly transport?: { readonly ws?: { readonly bufferedAmount?: number } | null };
}

/** One Socket.IO connection from handshake to end. It never reconnects; the link opens a new one. */
export class Connection {
  /** The office named in the connection query. */
  readonly office: string | undefined;
  /** How both sides speak: the announced generation, until the Server turns out to be older. */
  generation: Generation;
  readonly #socket: Socket;
  readonly #pending = new Bag<PendingRequest>();
  /** Socket.IO's own timeouts need a timer per request. */
  readonly #deadlines = new Deadlines();

  private constructor(socket: Socket, { office, generation }: Handshake, { onEvent, onLost }: ConnectionHandlers) {
    this.#socket = socket;
    this.office = office;
    this.generation = generation;
    sendEncodedAnswers(socket.io);
    socket.on('disconnect', (reason) => {
      for (const { fail } of this.#pending.values()) fail(new ConnectionLost());
      onLost(this, reason);
    });
    socket.onAny((name: unknown, ...args: unknown[]) => {
      const ack = typeof args.at(-1) === 'function' ? (args.pop() as Acknowledge) : undefined;
      const acknowledge: Acknowledge = (...answer) => {
        if (ack && socket.connected) ack(...answer);
      };
      // On this wire a name may be a number.
      onEvent(this, { name: String(name), payload: args[0], ack: acknowledge });
    });
  }

  /** Resolves when connected. Rejects when refused, unreachable, timed out or aborted. */
  static async open(handshake: Handshake, handlers: ConnectionHandlers, signal: AbortSignal): Promise<Connection> {
    const { url, connectMs } = handshake;
    const ms = timerMs(connectMs);
    const auth = await withTimeout(handshakeAuth(handshake), { ms, onTimeout: () => new NoAnswer('auth', ms), signal });
    const socket = io(`${url.origin}${SMCP_NAMESPACE}`, await socketOptions(handshake, auth));
    const connection = new Connection(socket, handshake, handlers);
    const tooLate = () => new SMCPError('Timeout', `${url.origin} did not answer within ${ms / 1_000} s`);
    try {
      await withTimeout(connect(socket, handshake, signal), { ms, onTimeout: tooLate, signal });
      return connection;
    } catch (error) {
      socket.disconnect();
      throw error;
    }
  }

  get isOpen(): boolean {
    return this.#socket.connected;
  }

  /** The id of the connection at the Server. */
  get sid(): string {
    return this.#socket.id ?? '';
  }

  /** The largest message the Server accepts. Engine.IO announces it but has no public field for it. */
  get maxMessageBytes(): number | undefined {
    const announced = this.#engine?._maxPayload;
    return announced !== undefined && announced > 0 ? announced : undefined;
  }

  /** The size of the messages that were not sent yet, about: a text counts one byte for each of its characters. */
  get unsentBytes(): number {
    const { writeBuffer = [], transport } = this.#engine ?? {};
    const queued = writeBuffer.reduce((sum, { data }) => sum + (typeof data === 'string' ? data.length : 0), 0);
    return queued + (transport?.ws?.bufferedAmount ?? 0);
  }

  /** Sends a request. Resolves with what `read` makes of all arguments of the acknowledgement. */
  request<T>(event: string, payload: object, { ms, signal, read }: SentRequest<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      // Socket.IO would buffer the request for a reconnect that never happens.
      if (!this.#socket.connected) return reject(new ConnectionLost());
      if (signal?.aborted) return reject(signal.reason);
      const settle = (): boolean => {
        signal?.removeEventListener('abort', onAbort);
        this.#deadlines.remove(deadline);
        return this.#pending.remove(entry);
      };
      const fail = (error: unknown) => {
        if (!settle()) return;
        delete acks[id];
        reject(error);
      };
      const onAbort = () => fail(signal?.reason);
      const entry = this.#pending.add({ event, fail });
      const deadline = this.#deadlines.add(timerMs(ms), { expire: () => fail(new NoAnswer(event, ms)) });
      signal?.addEventListener('abort', onAbort);
      const { acks, ids: id } = this.#socket as unknown as SocketInternals;
      const onAnswer = (...ack: unknown[]) => {
        if (!settle()) return;
        try {
          resolve(read(ack));
        } catch (error) {
          reject(error);
        }
      };
      this.#socket.emit(event, payload, onAnswer);
    });
  }

  /** Sends an event without acknowledgement. */
  notify(event: string, payload: object): void {
    this.#socket.emit(event, payload);
  }

  /** Rejects the pending requests of a seat that was given up. Joins and leaves stay pending. */
  abandon(error: SMCPError): void {
    for (const { fail, event } of this.#pending.values()) {
      if (event === 'server:join_office' || event === 'server:leave_office') continue;
      fail(event === 'client:tool_call' ? unanswered(error) : error);
    }
  }

  close(): void {
    this.#socket.disconnect();
  }

  get #engine(): EngineInternals | undefined {
    return this.#socket.io.engine as unknown as EngineInternals | undefined;
  }
}

function connect(socket: Socket, handshake: Handshake, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    socket.once('connect', resolve);
    const fail = (refusal: SMCPError) => reject(handshake.explain?.(refusal) ?? refusal);
    socket.once('connect_error', (error: ConnectError) => {
      const refusal = readConnectError(error, handshake.url.origin);
      if (refusal.code !== 503 || handshake.transports?.includes('polling') !== false) return fail(refusal);
      probeRefusal(handshake, signal).then(
        (reported) => fail(reported ?? refusal),
        () => fail(refusal),
      );
    });
    socket.connect();
    shareWrites(socket.io.engine);
  });
}
