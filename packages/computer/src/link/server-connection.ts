import { randomUUID } from 'node:crypto';
import type { Logger } from '@a2c/log';
import {
  Backoff,
  type ComputerEvent,
  type ConnectError,
  type Dialect,
  handshakeHint,
  handshakeQuery,
  isFinal,
  type MemberEvent,
  parseAnswer,
  readConnectError,
  type ServerUrl,
  SMCP_NAMESPACE,
  SMCPError,
  timerMs,
  wireName,
} from '@a2c/protocol';
import { io, type Socket } from 'socket.io-client';
import type { LinkLimits, LinkOptions } from './link-options.js';

type Ack = (...args: unknown[]) => void;

export interface ConnectionListener {
  /** Connected, for the first time or again. */
  onConnect(): void;
  /** It comes back by itself, unless it is closed now. `deliberate`: the Server ended it. */
  onLost(deliberate: boolean): void;
  /** The Server will not have us, and asking again would not help. */
  onRefused(error: SMCPError): void;
  /** `answer` says nothing when the asker's connection is no longer ours. */
  onEvent(name: string, payload: unknown, answer: Ack): void;
}

export interface ConnectionParts {
  readonly url: ServerUrl;
  readonly options: LinkOptions;
  readonly limits: LinkLimits;
  readonly logger: Logger;
  readonly listener: ConnectionListener;
}

/** A Socket.IO connection that comes back by itself, tells refusals from failures, and answers only who asked. */
export class ServerConnection {
  readonly #parts: ConnectionParts;
  readonly #dialect: Dialect;
  readonly #socket: Socket;
  #retry: NodeJS.Timeout | undefined;
  #isClosed = false;
  #connectedAt = 0;
  /** Grows while the Server turns us away, or ends connections soon after they are made. */
  #backoff: Backoff;
  /** Why there is no connection, as far as it is known. */
  #lastFailure: SMCPError | undefined;
  /** Ends the wait of whoever opened it. */
  #settle: ((error?: SMCPError) => void) | undefined;

  /** The office is for a balancer, which chooses a node by it. */
  constructor(parts: ConnectionParts, office: string | undefined) {
    this.#parts = parts;
    this.#dialect = parts.options.dialect ?? 'spec';
    this.#backoff = this.#newBackoff();
    const { auth, headers, tls, transports = ['polling', 'websocket'] } = parts.options;
    this.#socket = io(`${parts.url.origin}${SMCP_NAMESPACE}`, {
      autoConnect: false,
      forceNew: true,
      transports: [...transports],
      path: parts.url.path,
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
    const { connectMs } = this.#parts.limits;
    this.#lastFailure = undefined;
    return new Promise((resolve, reject) => {
      const timer = Number.isFinite(connectMs)
        ? setTimeout(() => this.#settle?.(this.#tooLate()), timerMs(connectMs))
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
    this.#settle?.(new SMCPError('Unavailable', 'disconnected while connecting'));
  }

  /** With all arguments of the acknowledgement: the reason of a refusal is the second. */
  ask(event: MemberEvent, payload: object): Promise<unknown> {
    const socket = this.#socket;
    return new Promise((resolve, reject) => {
      if (!socket.connected) throw new SMCPError('Unavailable', 'not connected to the Server at present');
      const lost = () => done(new SMCPError('Unavailable', `the connection was lost during ${event}`));
      const tooLate = () => done(new SMCPError('Timeout', `the Server did not answer ${event} in time`));
      const timer = setTimeout(tooLate, timerMs(this.#parts.limits.answerMs));
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

  /** False when there is no connection at present. */
  announce(event: ComputerEvent, payload: object): boolean {
    if (this.#socket.connected) this.#socket.emit(wireName(event, this.#dialect), payload);
    return this.#socket.connected;
  }

  #listen(): void {
    const { listener, logger, url, limits } = this.#parts;
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
      if (performance.now() - this.#connectedAt > limits.reconnectMaxMs) this.#backoff = this.#newBackoff();
      const deliberate = reason === 'io server disconnect';
      listener.onLost(deliberate);
      if (deliberate && !this.#isClosed) this.#comeBackLater();
    });
    socket.on('connect_error', (error) => this.#failed(error));
    socket.onAny((name: unknown, ...args: unknown[]) => {
      const ack = typeof args.at(-1) === 'function' ? (args.pop() as Ack) : undefined;
      const sid = socket.id;
      // On this wire a name may be a number.
      listener.onEvent(String(name), args[0], (...answer) => {
        // On another connection this number would acknowledge somebody else's request.
        if (socket.connected && socket.id === sid) ack?.(...answer);
      });
    });
  }

  /** Socket.IO comes back from failures only; what the Server itself does to us it leaves to us. */
  #comeBackLater(): void {
    this.#retry = setTimeout(() => this.#socket.connect(), this.#backoff.next());
  }

  /** The body of a refused handshake can only be read here and now; Socket.IO wipes it afterwards. */
  #failed(error: ConnectError): void {
    const { url, logger, listener } = this.#parts;
    const failure = readConnectError(error, url.origin);
    if (isFinal(failure)) {
      this.#settle?.(failure);
      listener.onRefused(failure);
      return;
    }
    this.#lastFailure = failure;
    // A websocket cannot tell why it was refused; the next attempt is made in a way that can.
    const { message } = (error.description ?? {}) as { message?: unknown };
    if (typeof message === 'string' && message.endsWith('400')) {
      this.#socket.io.opts.transports = ['polling', 'websocket'];
    }
    logger.warn({ url: url.origin, reason: failure.message }, 'not connected');
    if (!this.#socket.active) this.#comeBackLater();
  }

  #tooLate(): SMCPError {
    const { url, limits } = this.#parts;
    const seconds = limits.connectMs / 1_000;
    if (!this.#lastFailure) return new SMCPError('Timeout', `${url.origin} did not answer within ${seconds} s`);
    const { kind, message, details, cause } = this.#lastFailure;
    return new SMCPError(kind, `${message} (tried for ${seconds} s)`, { details, cause });
  }

  #newBackoff(): Backoff {
    const { reconnectFirstMs, reconnectMaxMs } = this.#parts.limits;
    return new Backoff(reconnectFirstMs, reconnectMaxMs);
  }
}
