import type { Connection } from './connection.js';

/** The seat to hold. Replaced as a whole by the next join. */
export interface Target {
  readonly office: string;
  readonly waitForSeat: 'never' | 'rejoin' | 'always';
  /** Aborted when the seat is no longer wanted. */
  readonly dropped: AbortController;
  wasJoined: boolean;
}

/** Whether this member is in an office, and what waits until it is. */
export class Seat {
  readonly #queue: { readonly event: string; readonly payload: object }[] = [];
  #office: string | undefined;
  #connection: Connection | undefined;
  #taken!: Promise<Connection>;
  #resolve!: (connection: Connection) => void;
  #reject!: (error: unknown) => void;

  constructor() {
    this.renew();
  }

  /** The office this member is in. */
  get office(): string | undefined {
    return this.#office;
  }

  /** The connection of the seat; undefined while it is not taken. */
  get connection(): Connection | undefined {
    return this.#connection;
  }

  /** Resolves with the connection of the seat. */
  get whenTaken(): Promise<Connection> {
    return this.#taken;
  }

  take(office: string, connection: Connection): void {
    this.#office = office;
    this.#connection = connection;
    for (const { event, payload } of this.#queue.splice(0)) connection.notify(event, payload);
    this.#resolve(connection);
  }

  /** The seat is lost. Returns the office; undefined when the seat was not taken. */
  vacate(): string | undefined {
    const office = this.#office;
    if (office === undefined) return undefined;
    this.#office = undefined;
    this.#connection = undefined;
    this.renew();
    return office;
  }

  /** The seat is no longer wanted: rejects the requests that wait for it and drops the queue. */
  reject(error: unknown): void {
    this.#queue.length = 0;
    this.#reject(error);
  }

  /** Starts to wait for the seat again. */
  renew(): void {
    this.#taken = new Promise((resolve, reject) => {
      this.#resolve = resolve;
      this.#reject = reject;
    });
    // Avoids an unhandled rejection when nothing awaits the promise.
    this.#taken.catch(() => {});
  }

  /** Sends the event when the seat is taken the next time. */
  enqueue(event: string, payload: object): void {
    this.#queue.push({ event, payload });
  }
}
