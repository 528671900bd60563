import { isFinal, type JoinOptions, Link, type RetryOptions, type ServerUrl } from '@a2c/link';
import { createLogger, type Logger } from '@a2c/log';
import { Emitter, SMCPError, type UpdateEvent } from '@a2c/protocol';
import type { Computer } from '../computer.js';
import { ownerOf } from './asker.js';
import { BlobStore } from './blob-store.js';
import { ChangeNotifier } from './change-notifier.js';
import { OFFICE_LINK_LIMITS, type OfficeLinkLimits, type OfficeLinkOptions } from './office-link-options.js';
import { QueryQueue } from './query-queue.js';
import { RequestHandler } from './request-handler.js';

/** `connecting` also after a lost connection, while the link reconnects. */
export type OfficeLinkState = 'disconnected' | 'connecting' | 'connected';

/** Events of an {@link OfficeLink}. */
export interface OfficeLinkEvents {
  readonly state: OfficeLinkState;
  /** The office that was joined or re-joined; null when the seat was left or lost. */
  readonly office: string | null;
  /** A final refusal after a lost connection, or a takeover. The link is disconnected. */
  readonly refused: SMCPError;
}

/**
 * The link of a Computer to an office. It answers requests of Agents, re-joins after a lost connection and notifies the
 * office of changes. Calls continue while the connection is lost; Agents get their results by repeating the `req_id`.
 *
 * @example
 * ```ts
 * const link = new OfficeLink(computer, { url: 'https://a2c.example.com', auth: { api_key: 'k-…' } });
 * link.on('refused', ({ message }) => console.error(message));
 * await link.connect('demo');
 * await link.joinOffice('demo');
 * ```
 */
export class OfficeLink {
  readonly #computer: Computer;
  readonly #limits: OfficeLinkLimits;
  readonly #logger: Logger;
  readonly #events = new Emitter<OfficeLinkEvents>();
  readonly #queries: QueryQueue;
  readonly #requests: RequestHandler;
  readonly #link: Link;
  #changes: ChangeNotifier | undefined;
  #state: OfficeLinkState = 'disconnected';
  /** Why attempts fail since the last join: the same reason is a warning once. */
  #warned: string | undefined;

  /** @throws `OptionsError` for an invalid URL or header. */
  constructor(computer: Computer, options: OfficeLinkOptions) {
    this.#computer = computer;
    this.#limits = { ...OFFICE_LINK_LIMITS, ...options.limits };
    this.#logger = options.logger ?? createLogger('a2c-computer');
    this.#queries = new QueryQueue(this.#limits, () => this.#link.unsentBytes);
    this.#requests = new RequestHandler(computer, {
      blobs: new BlobStore(this.#limits.blobBytes, this.#limits.blobReadMs),
      queue: this.#queries,
      onFault: (event, err) => this.#logger.error({ err, event }, 'internal error in a request'),
      onProgress: (progress) => void this.#link.notify('server:tool_call_progress', progress),
    });
    const { name, epoch } = computer;
    const auth = async () => ({ ...(typeof options.auth === 'function' ? await options.auth() : options.auth), epoch });
    this.#link = new Link({ ...options, auth, role: 'computer', name, limits: this.#limits }, (request) =>
      this.#requests.answer(request, request.maxMessageBytes ?? this.#limits.messageBytes),
    );
    this.#listen();
  }

  /** The address of the Server. */
  get url(): ServerUrl {
    return this.#link.url;
  }

  /** The present state of the connection. */
  get state(): OfficeLinkState {
    const { state } = this.#link;
    return state === 'joined' ? 'connected' : state;
  }

  /** The office the Computer is in; undefined while it is in none. */
  get office(): string | undefined {
    return this.#link.office;
  }

  /** The id of the connection at the Server. */
  get sid(): string | undefined {
    return this.#link.sid;
  }

  /** Adds a listener. Returns a function that removes it. */
  on<E extends keyof OfficeLinkEvents>(event: E, listener: (value: OfficeLinkEvents[E]) => void): () => void {
    return this.#events.on(event, listener);
  }

  /**
   * Connects. Transient failures are retried for `limits.connectMs` unless `retryForMs` is given. Name the office that
   * will be joined: a load balancer selects the node by it.
   *
   * @throws `SMCPError` with the refusal or the last failure.
   */
  async connect(office?: string, { retryForMs = this.#limits.connectMs, signal }: RetryOptions = {}): Promise<void> {
    try {
      await this.#link.connect({ office, retryForMs, signal });
    } catch (error) {
      if (error instanceof SMCPError && isFinal(error)) this.#logRefusal(error);
      throw error;
    }
  }

  /**
   * Joins an office, leaving any other one. A failed join changes nothing. On a re-join the link waits for a seat that
   * another Computer holds; see `waitForSeat`.
   *
   * @throws `SMCPError` with the refusal or the last failure.
   */
  async joinOffice(office: string, options: JoinOptions = {}): Promise<void> {
    if (this.#link.state === 'disconnected') throw new SMCPError('BadRequest', 'connect first');
    await this.#link.join(office, { name: this.#computer.name, waitForSeat: 'rejoin', ...options });
  }

  /**
   * Leaves the office and stays connected.
   *
   * @throws `SMCPError` `NotInRoom` in no office.
   */
  async leaveOffice(): Promise<void> {
    await this.#link.leave();
  }

  /** Closes the connection, which frees the seat. The link can connect again. */
  disconnect(): void {
    void this.#link.disconnect();
  }

  /** Notifies the office of a changed configuration. Returns false outside an office. */
  notifyUpdate(): boolean {
    return this.#notify('server:update_config');
  }

  #listen(): void {
    const link = this.#link;
    const logger = this.#logger;
    link.on('state', () => this.#stateChanged());
    link.on('name', (name) => this.#computer.rename(name));
    link.on('joined', ({ office, isRejoin }) => {
      logger.info({ office, computer: link.name }, 'joined');
      this.#warned = undefined;
      if (isRejoin) this.#changes?.notifyAll();
      else this.#changes?.flush();
      this.#events.emit('office', office);
    });
    link.on('left', () => {
      this.#queries.clear();
      this.#events.emit('office', null);
    });
    link.on('lost', ({ reason }) => logger.warn({ reason }, 'disconnected'));
    link.on('attemptFailed', ({ message: reason }) => {
      const problem = link.state === 'connecting' ? 'cannot connect; trying again' : 'cannot join; trying again';
      const level = reason === this.#warned ? 'debug' : 'warn';
      this.#warned = reason;
      logger[level]({ url: link.url.origin, reason }, problem);
    });
    link.on('ended', (error) => {
      this.#logRefusal(error, `the session has ended: ${error.message}`);
      this.#events.emit('refused', error);
    });
    link.on('warning', ({ message: reason }) => logger.warn({ reason }, 'cannot read a notification'));
    link.on('notification', ({ event, payload, office }) => {
      if (event === 'notify:tool_call_cancel') void this.#requests.cancel(payload, office);
      if (event === 'notify:leave_office' && payload.agent !== undefined) {
        const owner = ownerOf(office, payload.agent);
        this.#queries.drop(owner);
        this.#computer.agentLeft(owner);
      }
    });
  }

  #stateChanged(): void {
    const { state } = this;
    if (state === this.#state) return;
    if (this.#state === 'disconnected') {
      const { announceMs } = this.#limits;
      this.#changes = new ChangeNotifier(this.#computer, announceMs, (event) => this.#notify(event));
    }
    if (state === 'disconnected') this.#changes?.stop();
    if (state === 'connected') this.#logger.info({ url: this.url.origin }, 'connected');
    this.#state = state;
    this.#events.emit('state', state);
  }

  #notify(event: UpdateEvent): boolean {
    return this.#link.notify(event, { computer: this.#computer.name });
  }

  #logRefusal({ code, details, message }: SMCPError, shown = message): void {
    this.#logger.error({ code, details }, shown);
  }
}
