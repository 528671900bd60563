import {
  Backoff,
  delay,
  type Emitter,
  type Generation,
  isRecord,
  parseAnswer,
  parseRequest,
  type Role,
  SMCPError,
} from '@a2c/protocol';
import { type Connection, ConnectionLost, type ReceivedEvent } from './connection.js';
import { Connector } from './connector.js';
import type { LinkEvents, LinkState } from './events.js';
import { recogniseFirstServer } from './first-server.js';
import type { Handshake } from './handshake.js';
import type { ConnectOptions, DisconnectOptions, JoinOptions, LinkLimits } from './options.js';
import { isFinal, isOwnDeparture, isSeatTaken, mayBeOwnSeat, needsNewConnection, takenOver } from './refusals.js';
import { type Retry, retry } from './retry.js';
import { Seat, type Target } from './seat.js';

/** Attempts to reach the node that holds the office. */
const MAX_NODES = 4;

export interface MembershipOptions {
  readonly role: Role;
  readonly name: string;
  readonly limits: LinkLimits;
  readonly handshake: Omit<Handshake, 'office' | 'attempt'>;
  /** Whether only the generation of the handshake is announced. */
  readonly isPinned: boolean;
  readonly events: Emitter<LinkEvents>;
  /** An event of the Server, and the office it comes from. */
  readonly onEvent: (connection: Connection, event: ReceivedEvent, office: string) => void;
}

/**
 * Takes, keeps and gives up the seat of a link.
 *
 * - A *session* lasts from `connect` or `join` to `disconnect`.
 * - The *target* is the wanted office, from `join` to `leave`. `#take` makes one attempt to join it.
 * - After a lost connection, `#recover` reconnects and takes the target again until both are as wanted.
 */
export class Membership {
  readonly #options: MembershipOptions;
  readonly #limits: LinkLimits;
  readonly #events: Emitter<LinkEvents>;
  readonly #connector: Connector;
  readonly #seat = new Seat();
  #name: string;
  /** From `connect` or `join` to `disconnect`. Aborted with the reason. */
  #session: AbortController | undefined;
  #target: Target | undefined;
  /** The target of the join request that is pending. */
  #joining: Target | undefined;
  /** The office whose Server has not acknowledged yet that this member leaves. */
  #leaving: string | undefined;
  /** Pending calls of `join`. Recovery pauses meanwhile. */
  #joins = 0;
  /** The session whose recovery loop is running. */
  #recovering: AbortController | undefined;
  #backoff: Backoff;
  #serverVersion: string | undefined;
  #state: LinkState = 'disconnected';
  #error: SMCPError | undefined;
  /** The error for requests outside an office. */
  #reason = notJoined();
  /** The last event was our own departure: the Server announces a takeover in this way. */
  #departureWasLast = false;

  constructor(options: MembershipOptions) {
    this.#options = options;
    this.#name = options.name;
    this.#limits = options.limits;
    this.#events = options.events;
    this.#backoff = this.#newBackoff();
    this.#connector = new Connector(options.handshake, options.isPinned, {
      onEvent: (connection, event) => this.#received(connection, event),
      onLost: (connection, reason) => this.#lost(connection, reason),
    });
  }

  get name(): string {
    return this.#name;
  }

  get state(): LinkState {
    if (!this.#session) return 'disconnected';
    if (!this.#connector.connection) return 'connecting';
    return this.office === undefined ? 'connected' : 'joined';
  }

  get office(): string | undefined {
    return this.#seat.office;
  }

  /** The connection of the seat; undefined while it is not taken. */
  get connection(): Connection | undefined {
    return this.#seat.connection;
  }

  get generation(): Generation {
    return this.#connector.generation;
  }

  /** The version that the Server stated when it acknowledged the last join. */
  get serverVersion(): string | undefined {
    return this.#serverVersion;
  }

  get sid(): string | undefined {
    return this.#connector.connection?.sid;
  }

  get isRejoining(): boolean {
    return this.office === undefined && this.#target?.wasJoined === true;
  }

  get error(): SMCPError | undefined {
    return this.#error;
  }

  /** Resolves with the connection of the seat. Rejects in no office, and when the seat is given up. */
  whenJoined(): Promise<Connection> {
    return this.#target ? this.#seat.whenTaken : Promise.reject(this.#reason);
  }

  /** Sends an event when the seat is taken again. */
  enqueue(event: string, payload: object): void {
    this.#seat.enqueue(event, payload);
  }

  async connect({ office, retryForMs = 0, signal }: ConnectOptions = {}): Promise<void> {
    if (this.#session) throw new SMCPError('BadRequest', 'already connected; disconnect first');
    const session = this.#open();
    try {
      await this.#retry(() => this.#connected(office), {
        forMs: retryForMs,
        signal: anyOf(session.signal, signal),
        isFinal,
      });
    } catch (error) {
      if (this.#session === session) void this.disconnect();
      throw error;
    }
  }

  async join(office: string, options: JoinOptions = {}): Promise<void> {
    const { name = this.#name, retryForMs = 0, waitForSeat = 'never', signal } = options;
    parseRequest('server:join_office', { role: this.#options.role, name, office_id: office });
    const former = { target: this.#target?.wasJoined ? this.#target : undefined, name: this.#name };
    if (this.office === office && name !== former.name) await this.leave();
    const opened = this.#session ? undefined : this.#open();
    const session = this.#session as AbortController;
    const target: Target = { office, waitForSeat, dropped: new AbortController(), wasJoined: false };
    this.#setName(name);
    this.#setTarget(target);
    this.#joins++;
    try {
      await this.#retry(() => this.#take(target), {
        forMs: retryForMs,
        signal: anyOf(session.signal, target.dropped.signal, signal),
        isFinal: (error) => isFinal(error) && !(waitForSeat === 'always' && isSeatTaken(error)),
      });
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

  async leave(): Promise<void> {
    const { office, connection } = this.#seat;
    if (office === undefined && !this.#target) throw new SMCPError('NotInRoom', 'in no office');
    this.#reason = notJoined();
    connection?.abandon(this.#reason);
    this.#giveUpSeat();
    if (office === undefined || !connection) return;
    this.#leaving = office;
    try {
      await this.#askToLeave(connection, office, this.#limits.answerMs);
    } finally {
      this.#leaving = undefined;
    }
  }

  async disconnect({ graceful = false, reason }: DisconnectOptions = {}): Promise<void> {
    this.#reason = reason ?? notJoined();
    const session = this.#session;
    if (!session) return;
    const { office } = this;
    const connection = this.#connector.release();
    this.#session = undefined;
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

  #open(): AbortController {
    const session = new AbortController();
    this.#session = session;
    this.#error = undefined;
    this.#emitState();
    return session;
  }

  #retry(attempt: () => Promise<unknown>, options: Pick<Retry, 'forMs' | 'signal' | 'isFinal'>): Promise<unknown> {
    const { origin } = this.#options.handshake.url;
    const onFailure = (error: SMCPError) => this.#events.emit('attemptFailed', error);
    return retry(attempt, { ...options, backoff: this.#newBackoff(), origin, onFailure });
  }

  async #connected(office: string | undefined): Promise<Connection> {
    if (!this.#session) throw this.#reason;
    const connection = await this.#connector.open(office, this.#session.signal);
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
          const read = (ack: readonly unknown[]) => {
            parseAnswer('server:join_office', ack, connection.generation);
            return statedVersion(ack);
          };
          const ms = this.#limits.answerMs;
          this.#serverVersion = await connection.request('server:join_office', join, { ms, read });
          break;
        } catch (error) {
          if (!(error instanceof SMCPError && needsNewConnection(error)) || node === MAX_NODES) throw error;
          this.#close(connection);
          // A connection that named the office was routed wrongly: the nodes may need time.
          if (connection.office === office) await delay(backoff.next(), this.#session?.signal);
        }
      }
      if (this.#target !== target) throw await this.#undo(office);
      const { connection } = this.#connector;
      if (!connection) throw new ConnectionLost();
      const isRejoin = target.wasJoined;
      target.wasJoined = true;
      this.#seat.take(office, connection);
      this.#emitState();
      this.#events.emit('joined', { office, isRejoin });
      if (this.#serverVersion === undefined) void this.#recogniseServer(connection, office);
    } finally {
      if (this.#joining === target) this.#joining = undefined;
    }
  }

  /** Only the announcements of a Computer depend on it. */
  async #recogniseServer(connection: Connection, office: string): Promise<void> {
    if (this.#options.role === 'agent' || this.#connector.isPinned) return;
    await recogniseFirstServer(connection, { name: this.#name, office, ms: this.#limits.answerMs });
  }

  /** The join succeeded after the seat was given up, and may have moved this member out of the wanted office. */
  async #undo(office: string): Promise<SMCPError> {
    const { connection } = this.#connector;
    if (!this.#target && connection) await this.#askToLeave(connection, office, this.#limits.answerMs);
    else if (this.#joins === 0) {
      this.#vacate();
      void this.#recover();
    }
    return superseded(office);
  }

  #lost(connection: Connection, reason: string): void {
    if (connection !== this.#connector.connection) return;
    const { office = '' } = this;
    const session = this.#session;
    const isTakeover = reason === 'io server disconnect' && this.#departureWasLast;
    this.#departureWasLast = false;
    this.#connector.release();
    this.#vacate();
    this.#emitState();
    // A connection that is cut again and again must not be reopened at full speed.
    if (this.#connector.ageMs > this.#limits.reconnectMaxMs) this.#backoff = this.#newBackoff();
    this.#events.emit('lost', { reason });
    if (this.#session !== session) return; // a listener disconnected
    if (isTakeover) this.#end(takenOver(this.#options.role, this.#name, office));
    else void this.#recover();
  }

  #received(connection: Connection, event: ReceivedEvent): void {
    const { role, handshake } = this.#options;
    const own = { role, name: this.#name, instance: handshake.instance };
    this.#departureWasLast = isOwnDeparture(own, event.name, event.payload);
    this.#options.onEvent(connection, event, this.#officeOf(event));
  }

  /** While a move is pending, requests of both offices may arrive. A Server of a2c states the new one. */
  #officeOf({ payload }: ReceivedEvent): string {
    const present = this.office ?? this.#leaving ?? this.#joining?.office ?? '';
    const stated = isRecord(payload) ? payload.office_id : undefined;
    return stated !== undefined && stated === this.#joining?.office ? (stated as string) : present;
  }

  /** Reconnects and re-joins with backoff until the link is as wanted. Pauses while a join of the caller is pending. */
  async #recover(): Promise<void> {
    const session = this.#session;
    if (!session || this.#recovering === session) return;
    this.#recovering = session;
    const staleSeatUntil = performance.now() + this.#limits.staleSeatMs;
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
          if (this.#mustEnd(error, staleSeatUntil)) return this.#end(error);
          this.#events.emit('attemptFailed', error);
        }
      }
    } finally {
      if (this.#recovering === session) this.#recovering = undefined;
    }
  }

  get #isSettled(): boolean {
    const { connection } = this.#connector;
    return connection !== undefined && (!this.#target || this.office === this.#target.office);
  }

  #mustEnd(error: SMCPError, staleSeatUntil: number): boolean {
    if (!isFinal(error)) return false;
    if (isSeatTaken(error) && this.#target?.waitForSeat !== 'never') return false;
    return !(mayBeOwnSeat(error) && performance.now() < staleSeatUntil);
  }

  #end(error: SMCPError): void {
    this.#error = error;
    void this.disconnect({ reason: error });
    this.#events.emit('ended', error);
  }

  /** Closes a connection to continue on another node. */
  #close(connection: Connection): void {
    if (connection !== this.#connector.connection) return;
    this.#connector.release();
    this.#vacate();
    connection.close();
  }

  #setTarget(target: Target | undefined): void {
    this.#target?.dropped.abort(superseded(this.#target.office));
    if (!this.#target && target) this.#seat.renew();
    this.#target = target;
  }

  #giveUpSeat(): void {
    this.#setTarget(undefined);
    this.#seat.reject(this.#reason);
    this.#vacate();
  }

  /** The seat is lost. Requests wait for the next one, if one is wanted. */
  #vacate(): void {
    const office = this.#seat.vacate();
    if (office === undefined) return;
    this.#emitState();
    this.#events.emit('left', { office });
  }

  async #askToLeave(connection: Connection, office: string, ms: number): Promise<void> {
    const payload = { office_id: office, role: this.#options.role, name: this.#name };
    const read = (ack: readonly unknown[]) => parseAnswer('server:leave_office', ack, connection.generation);
    await connection.request('server:leave_office', payload, { ms, read });
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

/** The version that a Server of a2c adds to the acknowledgement of a join. */
function statedVersion([, , facts]: readonly unknown[]): string | undefined {
  return isRecord(facts) && typeof facts.a2c_version === 'string' ? facts.a2c_version : undefined;
}

function notJoined(): SMCPError {
  return new SMCPError('NotInRoom', 'not in an office; join one first');
}

function superseded(office: string): SMCPError {
  return new SMCPError('NotInRoom', `left office "${office}" before the join was complete`);
}

function anyOf(...signals: readonly (AbortSignal | undefined)[]): AbortSignal {
  return AbortSignal.any(signals.filter((signal) => signal !== undefined));
}
