import type { JsonObject } from '@a2c/config';
import type { ListingClient, MCPClientProtocol } from '../clients/mcp-client.js';
import { capabilityKey, type ServedClient } from '../clients/served-client.js';
import type { ComparedTools } from '../pins/server-pins.js';
import type { ServerConnection } from './server-connection.js';

/** The tools that clients with some capabilities see, and the connection that they were listed on. */
interface View {
  readonly connection: ServerConnection;
  /** Undefined if they are those of the shared connection. */
  readonly tools: ComparedTools | undefined;
}

export interface ClientViewsOptions {
  /**
   * Lists the tools as this client sees them. Resolves with undefined if the lists of the server do not depend on what
   * its client can do.
   */
  readonly list: (client: ServedClient) => Promise<View | undefined>;
  readonly onWarning: (message: string) => void;
  /** The lists for clients with these capabilities differ, which was found after one of them had got the others. */
  readonly onLate: (capabilities: string) => void;
}

/**
 * What clients see of one server whose lists depend on the capabilities of its client. Clients with the same
 * capabilities see the same.
 */
export class ClientViews {
  readonly #options: ClientViewsOptions;
  readonly #views = new Map<string, View>();
  readonly #pending = new Map<string, Promise<void>>();
  /** The capabilities of clients that did not wait for their lists. */
  readonly #late = new Set<string>();
  /** All clients see what the shared connection lists. */
  #isOneForAll = false;

  constructor(options: ClientViewsOptions) {
    this.#options = options;
  }

  /** Lists for a client, unless that was done before or no longer waited for. Undefined: nothing is to wait for. */
  prepare(client: ServedClient): Promise<void> | undefined {
    if (this.#isOneForAll) return undefined;
    const key = capabilityKey(client.capabilities);
    if (this.#views.has(key) || this.#late.has(key)) return undefined;
    const pending = this.#pending.get(key) ?? this.#list(client, key).finally(() => this.#pending.delete(key));
    this.#pending.set(key, pending);
    return pending;
  }

  /** The client does not wait any longer: a difference that is found from now on is announced. */
  announceLate({ capabilities }: ServedClient): void {
    this.#late.add(capabilityKey(capabilities));
  }

  /** The tools for a client; undefined: those of the shared connection. */
  of(client: ServedClient): ComparedTools | undefined {
    return this.#views.size === 0 ? undefined : this.#views.get(capabilityKey(client.capabilities))?.tools;
  }

  /** The lists on a connection have changed. Returns the capabilities of the clients that may see other tools now. */
  changed(connection: ServerConnection): readonly string[] {
    const keys = [...this.#views].filter(([, view]) => view.connection === connection).map(([key]) => key);
    for (const key of keys) this.#views.delete(key);
    return keys;
  }

  /** The shared connection was established again: the server may be another version. */
  clear(): void {
    this.#views.clear();
    this.#late.clear();
    this.#isOneForAll = false;
  }

  async #list(client: ServedClient, key: string): Promise<void> {
    try {
      const view = await this.#options.list(client);
      if (view) this.#views.set(key, view);
      else this.#isOneForAll = true;
      if (view && this.#late.has(key)) this.#options.onLate(key);
    } catch (error) {
      const message = `cannot list what a client with other capabilities sees, so it sees all: ${(error as Error).message}`;
      this.#isOneForAll = true;
      this.#options.onWarning(message);
    } finally {
      this.#late.delete(key);
    }
  }
}

/** The connection as requests of this client use it: a modern server learns the capabilities with each request. */
export function asSeenBy(client: ServedClient, opened: MCPClientProtocol, meta: JsonObject): ListingClient {
  const { capabilities, era, server, instructions } = opened;
  const request: ListingClient['request'] = (method, params, options) =>
    opened.request(method, { ...params, _meta: meta }, options);
  return { capabilities, era, server, instructions, declared: client.capabilities, request };
}
