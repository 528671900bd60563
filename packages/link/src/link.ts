import {
  Backoff,
  canonicalName,
  type Dialect,
  delay,
  Emitter,
  eventCategory,
  type NotificationEvent,
  parseAnswer,
  parseNotification,
  parseRequest,
  type RequestEvent,
  type RequestOf,
  type ResultOf,
  SMCPError,
  wireName,
  withTimeout,
} from '@a2c/protocol';
import { type Acknowledge, Connection, ConnectionLost, NoAnswer } from './connection.js';
import { Deferred } from './deferred.js';
import type { IncomingRequest, LinkEvents, LinkNotification, LinkState } from './events.js';
import { handshakeHeaders } from './handshake.js';
import {
  type ConnectOptions,
  type DisconnectOptions,
  type JoinOptions,
  LINK_LIMITS,
  type LinkLimits,
  type LinkOptions,
  type NotifyOptions,
  type RequestOptions,
} from './options.js';
import { randomId } from './random-id.js';
import { isFinal, isOwnDeparture, isPerhapsOurs, isSeatTaken, isWrongNode, takenOver } from './refusals.js';
import { retry } from './retry.js';
import { checkHeaders, readServerUrl, type ServerUrl } from './server-url.js';

/** The seat to hold. Replaced as a whole by the next join. */
interface Target {
  readonly office: string;
  readonly waitForSeat: 'never' | 'rejoin' | 'always';
  /** Aborted when the seat is no longer wanted. */
  readonly dropped: AbortController;
  wasJoined: boolean;
}

/** Attempts to reach the node that holds the office. */
const MAX_NODES = 4;

/**
 * One seat in an office. It connects, joins, and re-joins with backoff after a lost connection, until it leaves, disconnects or
 * is finally refused. Requests wait while the seat is lost.
 *
 * @example
 * ```ts
 * const link = new Link({ role: 'agent', name: 'bot', url: 'https://a2c.example.com', apiKey: 'k-…' });
 * link.on('notification', ({ event, payload }) => console.log(event, payload));
 * await link.join('demo', { retryForMs: Infinity, signal: AbortSignal.timeout(60_000) });
 * const { sessions } = await link.request(
 *   'server:list_room',
 *   { agent: 'bot', req_id: randomId(), office_id: 'demo' },
 *   { timeoutMs: 10_000 },
 * );
 * await link.disconnect({ graceful: true });
 * ```
 */
export class Link {
  readonly url: ServerUrl;
  readonly #options: LinkOptions;
  readonly #dialect: Dialect;
  readonly #limits: LinkLimits;
  readonly #onRequest: ((request: IncomingRequest) => Promise<readonly unknown[]>) | undefined;
  readonly #instance = randomId();
  readonly #events = new Emitter<LinkEvents>();
  /** Notifications to send after the next re-join. */
  readonly #queue: { readonly event: string; readonly payload: object }[] = [];
  #name: string;
  /** From `connect` or `join` to `disconnect`. Aborted with the reason. */
  #session: AbortController | undefined;
  #connection: Connection | undefined;
  #connecting: Promise<Connection> | undefined;
  #connectedAt = 0;
  #target: Target | undefined;
  /** The target of the join request that is pending. */
  #joining: Target | undefined;
  /** Pending calls of `join`. Recovery pauses meanwhile. */
  #joins = 0;
  #office: string | undefined;
  /** Resolves with the connection of the seat. */
  #seat = new Deferred<Connection>();
  /** The session whose recovery loop is running. */
  #recovering: AbortController | undefined;
  #backoff: Backoff;
  #state: LinkState = 'disconnected';
  #error: SMCPError | undefined;
  /** Why requests are rejected while no office is wanted. */
  #reason = notJoined();
  /** The last event was our own departure: the Server announces a takeover in this way. */
  #departureWasLast = false;

  /**
   * @param options - The Server, the credentials, the role and the name.
   * @param onRequest - Answers requests with the arguments of the acknowledgement. It must not reject.
   * @throws {@link OptionsError} for an invalid URL or header.
   */
  constructor(options: LinkOptions, onRequest?: (request: IncomingRequest) => Promise<readonly unknown[]>) {
    this.url = readServerUrl(options.url, options.allowInsecure);
    checkHeaders(handshakeHeaders(options));
    this.#options = options;
    this.#onRequest = onRequest;
    this.#name = options.name;
    this.#dialect = options.dialect ?? 'spec';
    this.#limits = { ...LINK_LIMITS, ...options.limits };
    this.#backoff = this.#newBackoff();
  }

  get name(): string {
    return this.#name;
  }

  get state(): LinkState {
    if (!this.#session) return 'disconnected';
    if (!this.#connection) return 'connecting';
    return this.#office === undefined ? 'connected' : 'joined';
  }

  /** The office this member is in; undefined while it is in none. */
  get office(): string | undefined {
    return this.#office;
  }

  /** Whether the seat was lost and the link is taking it again. */
  get isRejoining(): boolean {
    return this.#office === undefined && this.#target?.wasJoined === true;
  }

  /** The id of the connection at the Server. */
  get sid(): string | undefined {
    return this.#connection?.sid;
  }

  /** The final refusal that ended the link; undefined after the next `connect` or `join`. */
  get error(): SMCPError | undefined {
    return this.#error;
  }

  /** Adds a listener. Returns a function that removes it. */
  on<E extends keyof LinkEvents>(event: E, listener: (value: LinkEvents[E]) => void): () => void {
    return this.#events.on(event, listener);
  }

  /**
   * Connects without joining. From then on the link reconnects after every loss.
   *
   * @throws `SMCPError` with the refusal or the last failure.
   */
  async connect({ office, retryForMs = 0, signal }: ConnectOptions = {}): Promise<void> {
    if (this.#session) throw new SMCPError('BadRequest', 'already connected; disconnect first');
    const session = this.#open();
    try {
      await this.#retry(() => this.#connected(office), isFinal, retryForMs, anyOf(session.signal, signal));
    } catch (error) {
      if (this.#session === session) void this.disconnect();
      throw error;
    }
  }

  /**
   * Joins an office, leaving any other one. Connects first when there is no connection. A failed join keeps the former seat,
   * and closes a connection it opened itself.
   *
   * @throws `SMCPError` with the refusal or the last failure.
   */
  async join(office: string, options: JoinOptions = {}): Promise<void> {
    const { name = this.#name, retryForMs = 0, waitForSeat = 'never', signal } = options;
    parseRequest('server:join_office', { role: this.#options.role, name, office_id: office });
    const former = { target: this.#target, name: this.#name };
    if (this.#office === office && name !== former.name) await this.leave();
    const opened = this.#session ? undefined : this.#open();
    const session = this.#session as AbortController;
    const target: Target = { office, waitForSeat, dropped: new AbortController(), wasJoined: false };
    this.#setName(name);
    this.#setTarget(target);
    this.#joins++;
    const isRefusal = (error: SMCPError) => isFinal(error) && !(waitForSeat === 'always' && isSeatTaken(error));
    try {
      const stop = anyOf(session.signal, target.dropped.signal, signal);
      await this.#retry(() => this.#take(target), isRefusal, retryForMs, stop);
    } catch (error) {
      // After a later join or leave, neither this seat nor the former one is wanted.
      if (this.#target === target) {
        if (!former.target) this.#seat.reject(error);
        if (opened) void this.disconnect();
        this.#setName(former.name);
        this.#setTarget(former.target && { ...former.target, dropped: new AbortController() });
      }
      throw error;
    } finally {
      this.#joins--;
      void this.#recover();
    }
  }

  /**
   * Leaves the office and stays connected.
   *
   * @throws `SMCPError` `NotInRoom` in no office; otherwise the Server's refusal. The seat is given up in any case.
   */
  async leave(): Promise<void> {
    const office = this.#office;
    if (office === undefined && !this.#target) throw new SMCPError('NotInRoom', 'in no office');
    const connection = this.#connection;
    this.#reason = notJoined();
    this.#giveUpSeat();
    if (office !== undefined && connection) await this.#askToLeave(connection, office, this.#limits.answerMs);
  }

  /** Gives up the seat and closes the connection. The link can connect again afterwards. */
  async disconnect({ graceful = false, reason }: DisconnectOptions = {}): Promise<void> {
    this.#reason = reason ?? notJoined();
    const session = this.#session;
    if (!session) return;
    const connection = this.#connection;
    const office = this.#office;
    this.#session = undefined;
    this.#connection = undefined;
    this.#connecting = undefined;
    session.abort(reason ?? new SMCPError('Unavailable', 'disconnected'));
    connection?.abandon(this.#reason);
    this.#giveUpSeat();
    this.#emitState();
    if (graceful && connection && office !== undefined) {
      // Without an answer, closing the connection frees the seat as well.
      await this.#askToLeave(connection, office, this.#limits.leaveMs).catch(() => {});
    }
    connection?.close();
  }

  /** Resolves when joined. Rejects in no office, and when the link gives up. */
  async whenJoined(): Promise<void> {
    await this.#joinedConnection();
  }

  /**
   * Sends a request and returns its parsed answer. Waits while the seat is lost.
   *
   * @throws `SMCPError`: the error in the answer, {@link NoAnswer} after the time limit, or {@link ConnectionLost}.
   */
  async request<E extends RequestEvent>(
    event: E,
    payload: RequestOf<E>,
    options: RequestOptions,
  ): Promise<ResultOf<E>> {
    const { timeoutMs, signal } = options;
    const name = wireName(event, this.#dialect);
    const deadline = performance.now() + timeoutMs;
    const connection =
      this.#office !== undefined && this.#connection
        ? this.#connection
        : await withTimeout(this.#joinedConnection(), {
            ms: timeoutMs,
            onTimeout: () => new NoAnswer(name, timeoutMs),
            signal,
          });
    const leftMs = Math.max(1, Math.ceil(deadline - performance.now()));
    return parseAnswer(event, await connection.request(name, payload, leftMs, signal));
  }

  /** Sends an event without acknowledgement. Returns false when it was neither sent nor queued. */
  notify<E extends RequestEvent>(event: E, payload: RequestOf<E>, { queue = false }: NotifyOptions = {}): boolean {
    const name = wireName(event, this.#dialect);
    if (this.#office !== undefined && this.#connection) this.#connection.notify(name, payload);
    else if (queue && this.isRejoining) this.#queue.push({ event: name, payload });
    else return false;
    return true;
  }

  #open(): AbortController {
    const session = new AbortController();
    this.#session = session;
    this.#error = undefined;
    this.#emitState();
    return session;
  }

  #retry<T>(
    attempt: () => Promise<T>,
    isFinal: (error: SMCPError) => boolean,
    forMs: number,
    signal: AbortSignal,
  ): Promise<T> {
    const onFailure = (error: SMCPError) => this.#events.emit('attemptFailed', error);
    return retry(attempt, { forMs, signal, backoff: this.#newBackoff(), origin: this.url.origin, isFinal, onFailure });
  }

  /** The open connection, or the one being opened. There is one attempt at a time. */
  async #connected(office: string | undefined): Promise<Connection> {
    if (this.#connection) return this.#connection;
    if (!this.#session) throw this.#reason;
    if (!this.#connecting) {
      const connecting = this.#dial(this.#session, office).finally(() => {
        if (this.#connecting === connecting) this.#connecting = undefined;
      });
      this.#connecting = connecting;
    }
    return this.#connecting;
  }

  async #dial(session: AbortController, office: string | undefined): Promise<Connection> {
    const handshake = {
      ...this.#options,
      ...{ url: this.url, office, dialect: this.#dialect, instance: this.#instance },
      connectMs: this.#limits.connectMs,
    };
    this.#departureWasLast = false;
    const connection = await Connection.open(handshake, this.#handlers, session.signal);
    if (session.signal.aborted || !connection.isOpen) {
      connection.close();
      session.signal.throwIfAborted();
      throw new ConnectionLost();
    }
    this.#connection = connection;
    this.#connectedAt = performance.now();
    this.#emitState();
    return connection;
  }

  /** One attempt to take a seat, on the node that holds the office. */
  async #take(target: Target): Promise<void> {
    const { office } = target;
    const backoff = this.#newBackoff();
    this.#joining = target;
    try {
      for (let node = 1; ; node++) {
        const connection = await this.#connected(office);
        try {
          const join = { role: this.#options.role, name: this.#name, office_id: office };
          parseAnswer(
            'server:join_office',
            await connection.request('server:join_office', join, this.#limits.answerMs),
          );
          break;
        } catch (error) {
          if (!(error instanceof SMCPError && isWrongNode(error)) || node === MAX_NODES) throw error;
          this.#close(connection);
          // A connection that named the office was routed wrongly: the nodes may need time.
          if (connection.office === office) await delay(backoff.next(), this.#session?.signal);
        }
      }
      if (this.#target !== target) throw await this.#undo(office);
      if (!this.#connection) throw new ConnectionLost();
      this.#joined(target, this.#connection);
    } finally {
      if (this.#joining === target) this.#joining = undefined;
    }
  }

  /** The join succeeded after the seat was given up. A later join moves this member; without one it must leave. */
  async #undo(office: string): Promise<SMCPError> {
    if (!this.#target && this.#connection) await this.#askToLeave(this.#connection, office, this.#limits.answerMs);
    return superseded(office);
  }

  #joined(target: Target, connection: Connection): void {
    const isRejoin = target.wasJoined;
    target.wasJoined = true;
    this.#office = target.office;
    for (const { event, payload } of this.#queue.splice(0)) connection.notify(event, payload);
    this.#seat.resolve(connection);
    this.#emitState();
    this.#events.emit('joined', { office: target.office, isRejoin });
  }

  readonly #handlers = {
    onLost: (connection: Connection, reason: string) => {
      if (connection !== this.#connection) return;
      const session = this.#session;
      const office = this.#office ?? '';
      const isTakeover = reason === 'io server disconnect' && this.#departureWasLast;
      this.#connection = undefined;
      this.#vacate();
      // A connection that is cut again and again must not be reopened at full speed.
      if (performance.now() - this.#connectedAt > this.#limits.reconnectMaxMs) this.#backoff = this.#newBackoff();
      this.#events.emit('lost', { reason });
      if (this.#session !== session) return; // a listener disconnected
      if (isTakeover) return this.#end(takenOver(this.#options.role, this.#name, office));
      this.#emitState();
      void this.#recover();
    },
    onEvent: (connection: Connection, event: { name: string; payload: unknown; ack: Acknowledge }) => {
      const { name, payload, ack } = event;
      this.#departureWasLast = isOwnDeparture({ role: this.#options.role, name: this.#name }, name, payload);
      const office = this.#joining?.office ?? this.#office ?? '';
      if (eventCategory(name) === 'notify') return this.#notified(name, payload, office);
      const { sid, maxMessageBytes } = connection;
      void this.#onRequest?.({ name, payload, office, sid, maxMessageBytes }).then((args) => ack(...args));
    },
  };

  #notified(name: string, payload: unknown, office: string): void {
    const event = canonicalName(name) as NotificationEvent | undefined;
    if (event === undefined) return;
    let notification: LinkNotification;
    try {
      notification = { event, payload: parseNotification(event, payload), office } as LinkNotification;
    } catch (error) {
      this.#events.emit('warning', SMCPError.from(error));
      return;
    }
    this.#events.emit('notification', notification);
  }

  /** Reconnects and re-joins with backoff until the link is as wanted. Pauses while a join of the caller is pending. */
  async #recover(): Promise<void> {
    const session = this.#session;
    if (!session || this.#recovering === session) return;
    this.#recovering = session;
    const ghostUntil = performance.now() + this.#limits.ghostMs;
    const isDue = () => this.#session === session && this.#joins === 0 && !this.#isSettled;
    try {
      while (isDue()) {
        const target = this.#target;
        try {
          await delay(this.#backoff.next(), session.signal);
          if (!isDue() || this.#target !== target) continue;
          await this.#connected(target?.office);
          if (target && isDue() && this.#target === target) await this.#take(target);
        } catch (thrown) {
          if (this.#session !== session || this.#target !== target) continue;
          const error = SMCPError.from(thrown);
          if (this.#mustEnd(error, ghostUntil)) return this.#end(error);
          this.#events.emit('attemptFailed', error);
        }
      }
    } finally {
      if (this.#recovering === session) this.#recovering = undefined;
    }
  }

  get #isSettled(): boolean {
    return this.#connection !== undefined && (!this.#target || this.#office === this.#target.office);
  }

  #mustEnd(error: SMCPError, ghostUntil: number): boolean {
    if (!isFinal(error)) return false;
    if (isSeatTaken(error) && this.#target?.waitForSeat !== 'never') return false;
    return !(isPerhapsOurs(error) && performance.now() < ghostUntil);
  }

  #end(error: SMCPError): void {
    this.#error = error;
    void this.disconnect({ reason: error });
    this.#events.emit('ended', error);
  }

  /** Closes a connection to continue on another node. */
  #close(connection: Connection): void {
    if (connection !== this.#connection) return;
    this.#connection = undefined;
    this.#vacate();
    connection.close();
  }

  #setTarget(target: Target | undefined): void {
    this.#target?.dropped.abort(superseded(this.#target.office));
    if (!this.#target && target) this.#seat = new Deferred();
    this.#target = target;
  }

  #giveUpSeat(): void {
    this.#queue.length = 0;
    this.#setTarget(undefined);
    this.#seat.reject(this.#reason);
    if (this.#office !== undefined) this.#connection?.abandon(this.#reason);
    this.#vacate();
  }

  /** The seat is lost. Requests wait for the next one, if one is wanted. */
  #vacate(): void {
    const office = this.#office;
    if (office === undefined) return;
    this.#office = undefined;
    this.#seat = new Deferred();
    this.#emitState();
    this.#events.emit('left', { office });
  }

  #joinedConnection(): Promise<Connection> {
    return this.#target ? this.#seat.promise : Promise.reject(this.#reason);
  }

  async #askToLeave(connection: Connection, office: string, ms: number): Promise<void> {
    const payload = { office_id: office, role: this.#options.role, name: this.#name };
    parseAnswer('server:leave_office', await connection.request('server:leave_office', payload, ms));
  }

  #setName(name: string): void {
    if (name === this.#name) return;
    this.#name = name;
    this.#events.emit('name', name);
  }

  #emitState(): void {
    const { state } = this;
    if (state === this.#state) return;
    this.#state = state;
    this.#events.emit('state', state);
  }

  #newBackoff(): Backoff {
    return new Backoff(this.#limits.reconnectMinMs, this.#limits.reconnectMaxMs);
  }
}

function notJoined(): SMCPError {
  return new SMCPError('NotInRoom', 'in no office; join one first');
}

function superseded(office: string): SMCPError {
  return new SMCPError('NotInRoom', `left office "${office}" before the join was complete`);
}

function anyOf(...signals: readonly (AbortSignal | undefined)[]): AbortSignal {
  return AbortSignal.any(signals.filter((signal) => signal !== undefined));
}
