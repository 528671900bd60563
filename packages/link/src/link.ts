import {
  canonicalName,
  Emitter,
  eventCategory,
  type Generation,
  NEWEST_GENERATION,
  type NotificationEvent,
  parseAnswer,
  parseNotification,
  type RequestEvent,
  type RequestOf,
  type ResultOf,
  SMCPError,
  wireName,
  wireNames,
  withTimeout,
} from '@a2c/protocol';
import { type Connection, NoAnswer, type ReceivedEvent } from './connection.js';
import type { IncomingRequest, LinkEvents, LinkNotification, LinkState } from './events.js';
import { handshakeHeaders } from './handshake.js';
import { Membership } from './membership.js';
import {
  type ConnectOptions,
  type DisconnectOptions,
  type JoinOptions,
  LINK_LIMITS,
  type LinkOptions,
  type NotifyOptions,
  type RequestOptions,
} from './options.js';
import { randomId } from './random-id.js';
import { checkHeaders, readServerUrl, type ServerUrl } from './server-url.js';

/**
 * One seat in an office. It connects, joins, and re-joins with backoff after a lost connection, until it leaves,
 * disconnects or is finally refused. Requests wait while the seat is lost.
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
  /** The address of the Server. */
  readonly url: ServerUrl;
  readonly #onRequest: ((request: IncomingRequest) => Promise<readonly unknown[]>) | undefined;
  readonly #events = new Emitter<LinkEvents>();
  readonly #membership: Membership;

  /**
   * @param options - The Server, the credentials, the role and the name.
   * @param onRequest - Answers requests with the arguments of the acknowledgement. It must not reject.
   * @throws `OptionsError` for an invalid URL or header.
   */
  constructor(options: LinkOptions, onRequest?: (request: IncomingRequest) => Promise<readonly unknown[]>) {
    this.url = readServerUrl(options.url, options.allowInsecure);
    checkHeaders(handshakeHeaders(options));
    this.#onRequest = onRequest;
    const { role, name } = options;
    const limits = { ...LINK_LIMITS, ...options.limits };
    const generation = options.dialect ?? NEWEST_GENERATION;
    const own = { url: this.url, generation, instance: randomId(), connectMs: limits.connectMs };
    this.#membership = new Membership({
      role,
      name,
      limits,
      handshake: { ...options, ...own },
      isPinned: options.dialect !== undefined,
      events: this.#events,
      onEvent: (connection, event, office) => this.#received(connection, event, office),
    });
  }

  /** The name of this member. `join` can change it. */
  get name(): string {
    return this.#membership.name;
  }

  /** The present state. */
  get state(): LinkState {
    return this.#membership.state;
  }

  /** The office this member is in; undefined while it is in none. */
  get office(): string | undefined {
    return this.#membership.office;
  }

  /** Whether the seat was lost and the link is taking it again. */
  get isRejoining(): boolean {
    return this.#membership.isRejoining;
  }

  /** How this side and the Server speak. It changes when a Server turns out to be older. */
  get generation(): Generation {
    return this.#membership.generation;
  }

  /** The id of the connection at the Server. */
  get sid(): string | undefined {
    return this.#membership.sid;
  }

  /** The size of what waits to be sent on the connection of the seat. */
  get unsentBytes(): number {
    return this.#membership.connection?.unsentBytes ?? 0;
  }

  /** The final refusal that ended the link; undefined after the next `connect` or `join`. */
  get error(): SMCPError | undefined {
    return this.#membership.error;
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
  async connect(options: ConnectOptions = {}): Promise<void> {
    await this.#membership.connect(options);
  }

  /**
   * Joins an office, leaving any other one. Connects first when there is no connection. A failed join keeps the former
   * seat, and closes a connection it opened itself.
   *
   * @throws `SMCPError` with the refusal or the last failure.
   */
  async join(office: string, options: JoinOptions = {}): Promise<void> {
    await this.#membership.join(office, options);
  }

  /**
   * Leaves the office and stays connected.
   *
   * @throws `SMCPError` `NotInRoom` in no office; otherwise the Server's refusal. The seat is given up in any case.
   */
  async leave(): Promise<void> {
    await this.#membership.leave();
  }

  /** Gives up the seat and closes the connection. The link can connect again afterwards. */
  async disconnect(options: DisconnectOptions = {}): Promise<void> {
    await this.#membership.disconnect(options);
  }

  /** Resolves when joined. Rejects in no office, and when the link gives up. */
  async whenJoined(): Promise<void> {
    await this.#membership.whenJoined();
  }

  /**
   * Sends a request and returns its parsed answer. Waits while the seat is lost.
   *
   * @throws `SMCPError`: the error in the answer, `NoAnswer` after the time limit, or `ConnectionLost`.
   */
  request<E extends RequestEvent>(event: E, payload: RequestOf<E>, options: RequestOptions<E>): Promise<ResultOf<E>> {
    const { connection } = this.#membership;
    return connection
      ? this.#send(connection, event, payload, options.timeoutMs, options)
      : this.#sendLater(event, payload, options);
  }

  async #sendLater<E extends RequestEvent>(
    event: E,
    payload: RequestOf<E>,
    options: RequestOptions<E>,
  ): Promise<ResultOf<E>> {
    const { timeoutMs, signal } = options;
    const deadline = performance.now() + timeoutMs;
    const connection = await withTimeout(this.#membership.whenJoined(), {
      ms: timeoutMs,
      onTimeout: () => new NoAnswer(event, timeoutMs),
      signal,
    });
    return this.#send(connection, event, payload, Math.max(1, Math.ceil(deadline - performance.now())), options);
  }

  #send<E extends RequestEvent>(
    connection: Connection,
    event: E,
    payload: RequestOf<E>,
    ms: number,
    { signal, parse }: RequestOptions<E>,
  ): Promise<ResultOf<E>> {
    const read = (ack: readonly unknown[]) => {
      const { generation } = connection;
      return parse
        ? parse({ ack, generation, serverVersion: this.#membership.serverVersion })
        : parseAnswer(event, ack, generation);
    };
    return connection.request(wireName(event, connection.generation), payload, { ms, signal, read });
  }

  /** Sends an event without acknowledgement. Returns false when it was neither sent nor queued. */
  notify<E extends RequestEvent>(event: E, payload: RequestOf<E>, { queue = false }: NotifyOptions = {}): boolean {
    const { connection, serverVersion } = this.#membership;
    // A Server that is not ours may know only the names of the SDKs.
    const isNameKnown = this.generation !== 'spec' || serverVersion !== undefined;
    const names = isNameKnown ? [wireName(event, this.generation)] : wireNames(event);
    for (const name of names) {
      if (connection) connection.notify(name, payload);
      else if (queue && this.isRejoining) this.#membership.enqueue(name, payload);
      else return false;
    }
    return true;
  }

  #received(connection: Connection, { name, payload, ack }: ReceivedEvent, office: string): void {
    if (eventCategory(name) === 'notify') this.#notified(name, payload, office);
    else {
      const { sid, generation, maxMessageBytes } = connection;
      const { serverVersion } = this.#membership;
      const request = { name, payload, office, sid, generation, serverVersion, maxMessageBytes };
      void this.#onRequest?.(request).then((args) => ack(...args));
    }
  }

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
}
