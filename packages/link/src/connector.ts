import { Connection, type ConnectionHandlers, ConnectionLost } from './connection.js';
import type { Handshake } from './handshake.js';

/** Holds the connection of a link. One attempt to open it runs at a time, shared by all callers. */
export class Connector {
  readonly #handshake: Omit<Handshake, 'office' | 'attempt'>;
  readonly #handlers: ConnectionHandlers;
  #connection: Connection | undefined;
  #opening: Promise<Connection> | undefined;
  #openedAt = 0;
  #attempt = 0;

  constructor(handshake: Omit<Handshake, 'office' | 'attempt'>, handlers: ConnectionHandlers) {
    this.#handshake = handshake;
    this.#handlers = handlers;
  }

  get connection(): Connection | undefined {
    return this.#connection;
  }

  /** The time since the last connection was opened. */
  get ageMs(): number {
    return performance.now() - this.#openedAt;
  }

  /** Returns the open connection, or opens one. The signal ends the attempt. */
  async open(office: string | undefined, signal: AbortSignal): Promise<Connection> {
    if (this.#connection) return this.#connection;
    if (!this.#opening) {
      const opening = this.#open(office, signal).finally(() => {
        if (this.#opening === opening) this.#opening = undefined;
      });
      this.#opening = opening;
    }
    return this.#opening;
  }

  /** Forgets the connection, or the attempt to open it, and returns it. The caller closes it. */
  release(): Connection | undefined {
    const connection = this.#connection;
    this.#connection = undefined;
    this.#opening = undefined;
    return connection;
  }

  async #open(office: string | undefined, signal: AbortSignal): Promise<Connection> {
    const connection = await Connection.open(
      { ...this.#handshake, office, attempt: ++this.#attempt },
      this.#handlers,
      signal,
    );
    if (signal.aborted || !connection.isOpen) {
      connection.close();
      signal.throwIfAborted();
      throw new ConnectionLost();
    }
    this.#connection = connection;
    this.#openedAt = performance.now();
    return connection;
  }
}
