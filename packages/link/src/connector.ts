import { type Generation, SMCPError } from '@a2c/protocol';
import { Connection, type ConnectionHandlers, ConnectionLost } from './connection.js';
import type { Handshake } from './handshake.js';
import { offeredGeneration } from './refusals.js';

/** Holds the connection of a link. One attempt to open it runs at a time, shared by all callers. */
export class Connector {
  readonly #handshake: Omit<Handshake, 'office' | 'attempt'>;
  readonly #isPinned: boolean;
  readonly #handlers: ConnectionHandlers;
  /** What the next connection announces: the newest generation, or the one that the Server named last. */
  #generation: Generation;
  #connection: Connection | undefined;
  #opening: Promise<Connection> | undefined;
  #openedAt = 0;
  #attempt = 0;

  /** @param isPinned Whether only the generation of the handshake is announced. */
  constructor(handshake: Omit<Handshake, 'office' | 'attempt'>, isPinned: boolean, handlers: ConnectionHandlers) {
    this.#handshake = handshake;
    this.#isPinned = isPinned;
    this.#generation = handshake.generation;
    this.#handlers = handlers;
  }

  get connection(): Connection | undefined {
    return this.#connection;
  }

  get generation(): Generation {
    return this.#connection?.generation ?? this.#generation;
  }

  get isPinned(): boolean {
    return this.#isPinned;
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
    const connection = await this.#negotiate(office, signal);
    if (signal.aborted || !connection.isOpen) {
      connection.close();
      signal.throwIfAborted();
      throw new ConnectionLost();
    }
    this.#connection = connection;
    this.#openedAt = performance.now();
    return connection;
  }

  /** Opens a connection. If the Server refuses the version and names one that is known here, announces that one. */
  async #negotiate(office: string | undefined, signal: AbortSignal): Promise<Connection> {
    const open = () =>
      Connection.open(
        { ...this.#handshake, generation: this.#generation, office, attempt: ++this.#attempt },
        this.#handlers,
        signal,
      );
    try {
      return await open();
    } catch (error) {
      const offered = error instanceof SMCPError && !this.#isPinned ? offeredGeneration(error) : undefined;
      if (offered === undefined || offered === this.#generation) throw error;
      this.#generation = offered;
      return open();
    }
  }
}
