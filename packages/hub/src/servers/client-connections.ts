import { isDeepStrictEqual } from 'node:util';
import { isInteractive, type ServedClient } from '../clients/served-client.js';
import { HubError } from '../errors.js';
import type { HubLimits } from '../limits.js';
import type { ServerConnection } from './server-connection.js';

interface Entry {
  readonly connection: ServerConnection;
  /** Of a stateless client: the client of its latest call. */
  readonly client: ServedClient;
  leases: number;
  /** The subscriptions that keep it open between calls. */
  holds: number;
  lastUsed: number;
  timer?: NodeJS.Timeout;
}

/** A connection in use. Release it at the end of the request. */
export interface ConnectionLease {
  readonly connection: ServerConnection;
  readonly release: () => void;
  /** Keeps the connection open after the request, until the returned function is called. Calls may use it. */
  readonly hold?: () => () => void;
}

/**
 * The connections of one server that belong to one client each. A lasting client keeps its connection until it
 * disconnects. A call of a stateless client has a connection to itself, which another call may use afterwards.
 */
export class ClientConnections {
  readonly #server: string;
  readonly #limits: HubLimits;
  readonly #open: (client: ServedClient) => ServerConnection;
  readonly #entries = new Set<Entry>();

  constructor(server: string, limits: HubLimits, open: (client: ServedClient) => ServerConnection) {
    this.#server = server;
    this.#limits = limits;
    this.#open = open;
  }

  /** The open connection of a lasting client. */
  of(client: ServedClient): ServerConnection | undefined {
    return [...this.#entries].find((entry) => entry.client === client)?.connection;
  }

  /** The client that a connection was opened for. */
  clientOf(connection: ServerConnection): ServedClient | undefined {
    return [...this.#entries].find((entry) => entry.connection === connection)?.client;
  }

  /**
   * @throws {HubError} of kind `overloaded` if there are too many connections and all are in use
   */
  lease(client: ServedClient): ConnectionLease {
    const entry = this.#find(client) ?? this.#add(client);
    clearTimeout(entry.timer);
    entry.leases++;
    return { connection: entry.connection, release: () => this.#release(entry), hold: () => this.#hold(entry) };
  }

  #find(client: ServedClient): Entry | undefined {
    const entries = [...this.#entries];
    if (!client.isStateless) return entries.find((entry) => entry.client === client);
    const free = entries.filter(
      (entry) =>
        entry.client.isStateless &&
        entry.leases === 0 &&
        isDeepStrictEqual(entry.client.capabilities, client.capabilities),
    );
    // Subscriptions report what calls change on their connection.
    return free.find(({ holds }) => holds > 0) ?? free[0];
  }

  #add(client: ServedClient): Entry {
    this.#makeRoom(client);
    const entry: Entry = { connection: this.#open(client), client, leases: 0, holds: 0, lastUsed: performance.now() };
    this.#entries.add(entry);
    entry.connection.supervisor.want();
    client.signal?.addEventListener('abort', () => void this.#end(entry), { once: true });
    return entry;
  }

  /** The clients of one address have at most half of the connections, so that those of others get one too. */
  #makeRoom({ address }: ServedClient): void {
    const most = this.#limits.clientConnections;
    const entries = [...this.#entries];
    const own = address === undefined ? [] : entries.filter(({ client }) => client.address === address);
    const isOverShare = own.length >= Math.ceil(most / 2);
    if (!isOverShare && entries.length < most) return;
    const idle = (isOverShare ? own : entries).filter(({ leases }) => leases === 0);
    const [oldest] = idle.toSorted((a, b) => a.holds - b.holds || a.lastUsed - b.lastUsed);
    if (oldest) {
      void this.#end(oldest);
      return;
    }
    const message = isOverShare
      ? `server "${this.#server}" has ${own.length} of ${most} connections for single clients of this address, and all are in use: set "connections" to "shared" for it`
      : `server "${this.#server}" has ${most} connections for single clients, and all are in use: set "connections" to "shared" for it`;
    throw new HubError('overloaded', message, { server: this.#server });
  }

  #hold(entry: Entry): () => void {
    entry.holds++;
    return () => {
      entry.holds--;
      this.#endLater(entry);
    };
  }

  #release(entry: Entry): void {
    entry.leases--;
    entry.lastUsed = performance.now();
    this.#endLater(entry);
  }

  #endLater(entry: Entry): void {
    clearTimeout(entry.timer);
    if (entry.leases + entry.holds > 0 || !entry.client.isStateless || !this.#entries.has(entry)) return;
    entry.timer = setTimeout(() => void this.#end(entry), this.#limits.clientIdleMs).unref();
  }

  /** Closes a connection that is of no use. */
  async end(connection: ServerConnection): Promise<void> {
    const entry = [...this.#entries].find((each) => each.connection === connection);
    if (entry) await this.#end(entry);
  }

  async #end(entry: Entry): Promise<void> {
    clearTimeout(entry.timer);
    this.#entries.delete(entry);
    await entry.connection.supervisor.dispose();
  }

  /** Closes all connections. */
  async close(): Promise<void> {
    await Promise.all([...this.#entries].map((entry) => this.#end(entry)));
  }
}

/**
 * Whether a client needs a connection to itself. A legacy server learns the capabilities of its client at the start of
 * the connection and does not say which request its questions belong to. A modern server learns and says both.
 */
export function needsOwnConnection(client: ServedClient, sharedEra: string, speaksOnlyModern: boolean): boolean {
  if (!isInteractive(client)) return false;
  return sharedEra === 'legacy' || (client.era === 'legacy' && !speaksOnlyModern);
}
