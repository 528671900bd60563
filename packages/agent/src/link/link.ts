import {
  Backoff,
  type EnterOfficeReq,
  isFinal,
  isWrongNode,
  parseAnswer,
  parseRequest,
  SMCPError,
} from '@a2c/protocol';
import { Connection, type ConnectionHandlers, type Endpoint, type Loss } from './connection.js';
import { pause } from './pause.js';

/**
 * `left` is in no office, by its own will; `closed` for good, by its own will or because the Server would not have it any
 * more.
 */
export type AgentState = 'joining' | 'joined' | 'reconnecting' | 'left' | 'closed';

export interface LinkHandlers extends ConnectionHandlers {
  readonly onLost: (loss: Loss) => void;
  readonly onRejoined: () => void;
  /** It will not be back: what was refused, and must not be tried again. */
  readonly onEnded: (error: SMCPError) => void;
}

/** Attempts to reach the node that holds the office, before a wrong one is an error. */
const MAX_NODES = 4;

/**
 * A seat in an office that outlives connections: when one is lost, the next joins under the same name. Whoever has
 * something to send waits for `seat()`, which is the connection that sits there.
 */
export class Link {
  readonly #endpoint: Endpoint;
  readonly #handlers: LinkHandlers;
  readonly #owed: { readonly event: string; readonly payload: object }[] = [];
  #state: AgentState = 'left';
  #office: string;
  #connection: Connection | undefined;
  #error: SMCPError | undefined;
  #stop = new AbortController();
  #seat = new Deferred<Connection>();
  #satSince = 0;
  #backoff: Backoff;

  constructor(endpoint: Endpoint, office: string, handlers: LinkHandlers) {
    this.#endpoint = endpoint;
    this.#office = office;
    this.#handlers = handlers;
    this.#backoff = this.#newBackoff();
  }

  get state(): AgentState {
    return this.#state;
  }

  get office(): string {
    return this.#office;
  }

  /** Why it is closed, when that was not our own will. */
  get error(): SMCPError | undefined {
    return this.#error;
  }

  /** The connection in our seat; while it is away, once it is back. Rejects in no office. */
  seat(): Promise<Connection> {
    if (this.#state === 'left' || this.#state === 'closed') return Promise.reject(this.#refusal());
    return this.#seat.promise;
  }

  get connection(): Connection | undefined {
    return this.#connection;
  }

  async join(office: string): Promise<void> {
    if (this.#state === 'closed') throw this.#refusal();
    if (this.#state !== 'left') {
      throw new SMCPError(
        'Forbidden',
        `already in office "${this.#office}"; leave it first: an Agent has one at a time`,
      );
    }
    this.#office = office;
    this.#state = 'joining';
    this.#stop = new AbortController();
    this.#seat = new Deferred();
    try {
      await this.#take('joining');
    } catch (error) {
      if (this.#state === 'joining') this.#state = 'left';
      this.#seat.reject(error);
      throw error;
    }
  }

  async leave(): Promise<void> {
    if (this.#state !== 'closed') await this.#vacate('left');
  }

  async close(): Promise<void> {
    if (this.#state !== 'closed') await this.#vacate('closed');
  }

  /** Sends what nobody answers, after the next join if it must be. */
  tell(event: string, payload: object): void {
    if (this.#connection) this.#connection.tell(event, payload);
    else if (this.#state === 'reconnecting') this.#owed.push({ event, payload });
  }

  async #vacate(state: 'left' | 'closed'): Promise<void> {
    const connection = this.#connection;
    this.#state = state;
    this.#connection = undefined;
    this.#owed.length = 0;
    this.#stop.abort(this.#refusal());
    this.#seat.reject(this.#refusal());
    if (!connection) return;
    connection.abandon();
    const { name, limits } = this.#endpoint;
    const farewell = { office_id: this.#office, role: 'agent', name };
    // The Server may be silent or already gone: closing says the same.
    await connection.ask('server:leave_office', farewell, limits.leaveSeconds * 1_000).catch(() => {});
    connection.close();
  }

  /** Takes the seat, unless it was given up while we were on our way to it. */
  async #take(expected: AgentState): Promise<void> {
    const connection = await this.#establish();
    if (this.#state === expected) return this.#sit(connection);
    connection.close();
    throw this.#refusal();
  }

  async #establish(): Promise<Connection> {
    const { name, limits } = this.#endpoint;
    const join: EnterOfficeReq = { role: 'agent', name, office_id: this.#office };
    parseRequest('server:join_office', join);
    const backoff = this.#newBackoff();
    for (let attempt = 1; ; attempt++) {
      const { signal } = this.#stop;
      const connection = await Connection.dial(this.#endpoint, this.#office, this.#handlers, signal);
      try {
        const ack = await connection.ask('server:join_office', join, limits.connectSeconds * 1_000, signal);
        parseAnswer('server:join_office', ack);
        return connection;
      } catch (error) {
        connection.close();
        if (!(error instanceof SMCPError && isWrongNode(error)) || attempt === MAX_NODES) throw error;
        await pause(backoff.next(), signal);
      }
    }
  }

  #sit(connection: Connection): void {
    const isBack = this.#state === 'reconnecting';
    this.#connection = connection;
    this.#state = 'joined';
    this.#satSince = performance.now();
    for (const { event, payload } of this.#owed.splice(0)) connection.tell(event, payload);
    this.#seat.resolve(connection);
    if (isBack) this.#handlers.onRejoined();
    void connection.lost.then((loss) => this.#lost(connection, loss));
  }

  #lost(connection: Connection, loss: Loss): void {
    if (connection !== this.#connection) return;
    this.#connection = undefined;
    this.#seat = new Deferred();
    this.#state = 'reconnecting';
    // One that is cut off again and again must not come back at full speed each time.
    const { reconnectMaxMs } = this.#endpoint.limits;
    if (performance.now() - this.#satSince > reconnectMaxMs) this.#backoff = this.#newBackoff();
    this.#handlers.onLost(loss);
    if (this.#state !== 'reconnecting') return; // who was told has closed us
    if (loss.replaced) this.#end(takenOver(this.#office));
    else void this.#reconnect();
  }

  async #reconnect(): Promise<void> {
    const ghostUntil = performance.now() + this.#endpoint.limits.ghostSeconds * 1_000;
    while (this.#state === 'reconnecting') {
      try {
        await pause(this.#backoff.next(), this.#stop.signal);
        return await this.#take('reconnecting');
      } catch (thrown) {
        if (this.#state !== 'reconnecting') return; // left or closed meanwhile, and this is how it ends here
        const error = thrown instanceof SMCPError ? thrown : notBack(thrown);
        const mayPass = isPerhapsOurselves(error) && performance.now() < ghostUntil;
        if (isFinal(error) && !mayPass) this.#end(error);
        else this.#handlers.onWarning(error);
      }
    }
  }

  #end(error: SMCPError): void {
    this.#error = error;
    this.#state = 'closed';
    this.#stop.abort(error);
    this.#seat.reject(error);
    this.#handlers.onEnded(error);
  }

  #newBackoff(): Backoff {
    const { reconnectMinMs, reconnectMaxMs } = this.#endpoint.limits;
    return new Backoff(reconnectMinMs, reconnectMaxMs);
  }

  #refusal(): SMCPError {
    if (this.#error) return this.#error;
    return new SMCPError(
      'NotInRoom',
      this.#state === 'closed' ? 'this Agent is closed' : 'this Agent is in no office; join one first',
    );
  }
}

/** The words of Servers that cannot say whose the seat is: it may be our own connection, lost but not yet given up. */
function isPerhapsOurselves({ code, a2cCode, message }: SMCPError): boolean {
  return code === 403 && a2cCode === undefined && /already (?:in|exists|registered)/i.test(message);
}

function takenOver(office: string): SMCPError {
  return new SMCPError('RoomFull', `office "${office}" was taken over by another Agent with this name and identity`, {
    details: { reason: 'taken_over' },
  });
}

/** A fault of the caller's own, such as of the function that makes `auth`. */
function notBack(thrown: unknown): SMCPError {
  const reason = thrown instanceof Error ? thrown.message : String(thrown);
  return new SMCPError('InternalError', `could not connect again: ${reason}`, { cause: thrown });
}

class Deferred<T> {
  readonly promise: Promise<T>;
  resolve!: (value: T) => void;
  reject!: (error: unknown) => void;

  constructor() {
    this.promise = new Promise<T>((resolve, reject) => {
      this.resolve = resolve;
      this.reject = reject;
    });
    // Often nobody waits, and then the rejection is nobody's.
    this.promise.catch(() => {});
  }
}
