import type { JsonObject } from '@a2c/config';
import type { ListingClient, MCPClientProtocol } from '../clients/mcp-client.js';
import type { ServedClient } from '../clients/served-client.js';
import type { ComparedTools } from '../pins/server-pins.js';
import type { ServerConnection } from './server-connection.js';

const MAX_ATTEMPTS = 5;

/** Whose view it is: clients with these capabilities, as `capabilityKey` writes them, or a single client. */
export type ViewKey = string | ServedClient;

/** The tools that some clients see, and the connection that they were listed on. */
interface View {
  readonly connection: ServerConnection;
  /** Undefined if they are those of the shared connection. */
  readonly tools: ComparedTools | undefined;
}

export interface ClientViewsOptions {
  readonly keyOf: (client: ServedClient) => ViewKey;
  /**
   * Lists the tools as this client sees them. Resolves with undefined if the lists of the server do not depend on what
   * its client can do.
   */
  readonly list: (client: ServedClient) => Promise<View | undefined>;
  readonly onWarning: (message: string) => void;
  /** The lists for these clients differ, which was found after one of them had got the others. */
  readonly onLate: (key: ViewKey) => void;
}

/**
 * What clients see of one server whose lists depend on the capabilities of its client, or on what was done on the
 * connection that the calls of a client use.
 */
export class ClientViews {
  readonly #options: ClientViewsOptions;
  readonly #views = new Map<ViewKey, View>();
  readonly #pending = new Map<ViewKey, Promise<void>>();
  /** Clients that did not wait for their lists. */
  readonly #late = new Set<ViewKey>();
  /** Clients whose view is deleted when they disconnect. */
  readonly #watched = new WeakSet<ServedClient>();
  /** The number of changes: what was listed before the latest one is out of date. */
  #changes = 0;
  /** All clients see what the shared connection lists. */
  #isOneForAll = false;

  constructor(options: ClientViewsOptions) {
    this.#options = options;
  }

  /** Lists for a client, unless that was done before or no longer waited for. Undefined: nothing is to wait for. */
  prepare(client: ServedClient): Promise<void> | undefined {
    if (this.#isOneForAll) return undefined;
    const key = this.#options.keyOf(client);
    if (this.#views.has(key) || this.#late.has(key)) return undefined;
    const pending = this.#pending.get(key) ?? this.#list(client, key).finally(() => this.#pending.delete(key));
    this.#pending.set(key, pending);
    return pending;
  }

  /** The client does not wait any longer: a difference that is found from now on is announced. */
  announceLate(client: ServedClient): void {
    this.#late.add(this.#options.keyOf(client));
  }

  /** The tools for a client; undefined: those of the shared connection. */
  of(client: ServedClient): ComparedTools | undefined {
    return this.#views.size === 0 ? undefined : this.#views.get(this.#options.keyOf(client))?.tools;
  }

  /** The lists on a connection have changed. Returns which clients may see other tools now. */
  changed(connection: ServerConnection): readonly ViewKey[] {
    return this.#drop((view) => view.connection === connection);
  }

  /** The tools of the shared connection are others now: what was the same may differ. */
  sharedChanged(): void {
    this.#drop(({ tools }) => tools === undefined);
  }

  #drop(isOutdated: (view: View) => boolean): readonly ViewKey[] {
    this.#changes++;
    this.#isOneForAll = false;
    const keys = [...this.#views].filter(([, view]) => isOutdated(view)).map(([key]) => key);
    for (const key of keys) this.#views.delete(key);
    return keys;
  }

  /** The shared connection was established again: the server may be another version. */
  clear(): void {
    this.#views.clear();
    this.#late.clear();
    this.#isOneForAll = false;
  }

  async #list(client: ServedClient, key: ViewKey): Promise<void> {
    try {
      const view = await this.#listLatest(client);
      if (view) this.#set(key, view);
      else this.#isOneForAll = true;
      if (view && this.#late.has(key)) this.#options.onLate(key);
    } catch (error) {
      const message = `cannot list what a client with other capabilities sees, so it sees all: ${(error as Error).message}`;
      if (typeof key === 'string') this.#isOneForAll = true;
      this.#options.onWarning(message);
    } finally {
      this.#late.delete(key);
    }
  }

  /** Lists again if something has changed meanwhile. Bounded: a server may announce a change with every list. */
  async #listLatest(client: ServedClient): Promise<View | undefined> {
    for (let attempt = 1; ; attempt++) {
      const before = this.#changes;
      const view = await this.#options.list(client);
      if (this.#changes === before || attempt === MAX_ATTEMPTS) return view;
    }
  }

  #set(key: ViewKey, view: View): void {
    if (typeof key !== 'string' && key.signal?.aborted) return;
    if (typeof key !== 'string' && !this.#watched.has(key)) {
      this.#watched.add(key);
      key.signal?.addEventListener('abort', () => this.#views.delete(key), { once: true });
    }
    this.#views.set(key, view);
  }
}

/** The connection as requests of this client use it: a modern server learns the capabilities with each request. */
export function asSeenBy(client: ServedClient, opened: MCPClientProtocol, meta: JsonObject): ListingClient {
  const { capabilities, era, server, instructions } = opened;
  const request: ListingClient['request'] = (method, params, options) =>
    opened.request(method, { ...params, _meta: meta }, options);
  return { capabilities, era, server, instructions, declared: client.capabilities, request };
}
