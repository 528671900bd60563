import { randomUUID } from 'node:crypto';
import {
  type ComputerEvent,
  type Dialect,
  handshakeHint,
  handshakeQuery,
  type MemberEvent,
  parseAnswer,
  readErrorAnswer,
  readVersionRefusal,
  SMCP_NAMESPACE,
  SmcpError,
  wireName,
} from '@a2c/protocol';
import { io, type Socket } from 'socket.io-client';
import type { Logger } from '../logger.js';
import type { LinkLimits, LinkOptions } from './link-options.js';

type Ack = (...args: unknown[]) => void;

/** What Socket.IO puts beside the message: the answer to a poll, the refusal of a namespace, the error of a websocket. */
interface ConnectError extends Error {
  readonly context?: { readonly responseText?: unknown };
  readonly data?: unknown;
  readonly description?: { readonly message?: string };
}

export interface ConnectionListener {
  /** Connected, for the first time or again. */
  onConnect(): void;
  /** It comes back by itself, unless it is closed now. `deliberate`: the Server ended it. */
  onLost(deliberate: boolean): void;
  /** The Server will not have us, and asking again would not help. */
  onRefused(error: SmcpError): void;
  /** `answer` says nothing when the asker's connection is no longer ours. */
  onEvent(name: string, payload: unknown, answer: Ack): void;
}

export interface ConnectionParts {
  readonly url: URL;
  readonly options: LinkOptions;
  readonly limits: LinkLimits;
  readonly logger: Logger;
  readonly listener: ConnectionListener;
}

/** Codes that do not get better by trying again. */
const FINAL_CODES: ReadonlySet<number> = new Set([400, 401, 403, 404]);

/** A Socket.IO connection that comes back by itself, tells refusals from failures, and answers only who asked. */
export class ServerConnection {
  readonly #parts: ConnectionParts;
  readonly #dialect: Dialect;
  readonly #socket: Socket;
  #retry: NodeJS.Timeout | undefined;
  #isClosed = false;
  #connectedAt = 0;
  /** How often in a row the Server ended a connection soon after it was made. */
  #timesSentAway = 0;
  /** Ends the wait of whoever opened it. */
  #settle: ((error?: SmcpError) => void) | undefined;

  /** The office is for a balancer, which chooses a node by it. */
  constructor(parts: ConnectionParts, office: string | undefined) {
    this.#parts = parts;
    this.#dialect = parts.options.dialect ?? 'spec';
    const { auth, headers, tls, transports = ['polling', 'websocket'], path } = parts.options;
    this.#socket = io(`${parts.url.origin}${SMCP_NAMESPACE}`, {
      autoConnect: false,
      forceNew: true,
      transports: [...transports],
      ...(path !== undefined && { path }),
      // The instance is how a Server knows a reconnect of ours from somebody who borrows our name.
      auth: { ...auth, ...handshakeHint(this.#dialect), instance: randomUUID() },
      query: handshakeQuery('computer', office),
      ...(headers && { extraHeaders: { ...headers } }),
      ...tls,
      reconnectionDelay: parts.limits.reconnectFirstMs,
      reconnectionDelayMax: parts.limits.reconnectMaxMs,
    });
    this.#listen();
  }

  get isConnected(): boolean {
    return this.#socket.connected;
  }

  get sid(): string | undefined {
    return this.#socket.id;
  }

  /** The largest message the Server takes. Engine.IO tells it to every client, but has no public field for it. */
  get messageBytes(): number {
    const told = (this.#socket.io.engine as unknown as { _maxPayload?: number } | undefined)?._maxPayload;
    return told !== undefined && told > 0 ? told : this.#parts.limits.messageBytes;
  }

  /** Resolves when connected; rejects when refused, or when it takes too long. */
  open(): Promise<void> {
    const { url, limits } = this.#parts;
    return new Promise((resolve, reject) => {
      const tooLate = () =>
        new SmcpError('Timeout', `${url.origin} did not answer within ${limits.connectMs / 1_000} s`);
      const timer = Number.isFinite(limits.connectMs)
        ? setTimeout(() => this.#settle?.(tooLate()), limits.connectMs)
        : undefined;
      this.#settle = (error) => {
        clearTimeout(timer);
        this.#settle = undefined;
        if (error) reject(error);
        else resolve();
      };
      this.#socket.connect();
    });
  }

  /** A balancer looks at the query's office, which only a new connection can change. */
  async moveTo(office: string): Promise<void> {
    this.#socket.disconnect();
    this.#socket.io.opts.query = handshakeQuery('computer', office);
    await this.open();
  }

  close(): void {
    this.#isClosed = true;
    clearTimeout(this.#retry);
    this.#socket.disconnect(); // whoever waits for an answer hears of it
    this.#socket.off();
    this.#socket.offAny();
    this.#settle?.(new SmcpError('Unavailable', 'disconnected while connecting'));
  }

  /** With all arguments of the acknowledgement: the reason of a refusal is the second. */
  ask(event: MemberEvent, payload: object): Promise<unknown> {
    const socket = this.#socket;
    return new Promise((resolve, reject) => {
      if (!socket.connected) throw new SmcpError('Unavailable', 'not connected to the Server at present');
      const lost = () => done(new SmcpError('Unavailable', `the connection was lost during ${event}`));
      const tooLate = () => done(new SmcpError('Timeout', `the Server did not answer ${event} in time`));
      const timer = setTimeout(tooLate, this.#parts.limits.answerMs);
      const done = (error: unknown, result?: unknown) => {
        clearTimeout(timer);
        socket.off('disconnect', lost);
        if (error) reject(error);
        else resolve(result);
      };
      socket.on('disconnect', lost);
      socket.emit(wireName(event, this.#dialect), payload, (...ack: unknown[]) => {
        try {
          done(undefined, parseAnswer(event, ack));
        } catch (error) {
          done(error);
        }
      });
    });
  }

  announce(event: ComputerEvent, payload: object): void {
    if (this.#socket.connected) this.#socket.emit(wireName(event, this.#dialect), payload);
  }

  #listen(): void {
    const { listener, logger, url } = this.#parts;
    const socket = this.#socket;
    socket.on('connect', () => {
      logger.info({ url: url.origin }, 'connected');
      this.#connectedAt = performance.now();
      this.#settle?.();
      listener.onConnect();
    });
    socket.on('disconnect', (reason) => {
      if (reason === 'io client disconnect') return;
      logger.warn({ reason }, 'disconnected');
      const deliberate = reason === 'io server disconnect';
      listener.onLost(deliberate);
      if (deliberate && !this.#isClosed) this.#comeBackLater();
    });
    socket.on('connect_error', (error) => this.#failed(error));
    socket.onAny((name: string, ...args: unknown[]) => {
      const ack = typeof args.at(-1) === 'function' ? (args.pop() as Ack) : undefined;
      const sid = socket.id;
      listener.onEvent(name, args[0], (...answer) => {
        // On another connection this number would acknowledge somebody else's request.
        if (socket.connected && socket.id === sid) ack?.(...answer);
      });
    });
  }

  /** Socket.IO comes back from failures only. Who is sent away again and again comes back ever more slowly. */
  #comeBackLater(): void {
    const { reconnectFirstMs, reconnectMaxMs } = this.#parts.limits;
    if (performance.now() - this.#connectedAt > reconnectMaxMs) this.#timesSentAway = 0;
    const wait = Math.min(reconnectFirstMs * 2 ** this.#timesSentAway++, reconnectMaxMs);
    this.#retry = setTimeout(() => this.#socket.connect(), wait);
  }

  /** The body of a refused handshake can only be read here and now; Socket.IO wipes it afterwards. */
  #failed(error: Error): void {
    const { context, data, description } = error as ConnectError;
    const refusal = readVersionRefusal(parsed(context?.responseText)) ?? readErrorAnswer(data);
    if (refusal && FINAL_CODES.has(refusal.code)) {
      this.#refuse(refusal);
      return;
    }
    // A websocket cannot tell why it was refused; the next attempt is made in a way that can.
    if (description?.message?.endsWith('400')) this.#socket.io.opts.transports = ['polling', 'websocket'];
    const { url, logger, limits } = this.#parts;
    logger.warn({ url: url.origin, reason: refusal?.message ?? error.message }, 'not connected');
    if (this.#socket.active) return;
    // Refused by the namespace rather than on the way there: Socket.IO leaves trying again to us.
    this.#retry = setTimeout(() => this.#socket.connect(), limits.reconnectMaxMs);
  }

  #refuse(error: SmcpError): void {
    this.#settle?.(error);
    this.#parts.listener.onRefused(error);
  }
}

function parsed(text: unknown): unknown {
  if (typeof text !== 'string') return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined; // a proxy's page, not an answer of ours
  }
}
