import { capabilityKey, clientMeta, type ServedClient } from '../clients/served-client.js';
import { Deadline } from '../deadline.js';
import type { ComparedTools } from '../pins/server-pins.js';
import type { ToolList } from '../tools/tool-list.js';
import { asSeenBy, ClientViews } from './client-views.js';
import type { ManagedServerOptions } from './managed-server.js';
import type { ServerConnection } from './server-connection.js';
import type { ServerConnections } from './server-connections.js';

/**
 * The tools of one server as single clients see them. Most servers list the same to all. Some list by the capabilities
 * of the client, and on some a call changes the list of its connection.
 */
export class ClientTools {
  readonly #server: string;
  readonly #connections: ServerConnections;
  readonly #shared: ToolList;
  readonly #options: Pick<ManagedServerOptions, 'limits' | 'handlers' | 'on'>;
  readonly #views: ClientViews;

  /** `shared`: the list of the connection that all clients share. */
  constructor(
    server: string,
    connections: ServerConnections,
    shared: ToolList,
    options: Pick<ManagedServerOptions, 'limits' | 'handlers' | 'on'>,
  ) {
    this.#server = server;
    this.#connections = connections;
    this.#shared = shared;
    this.#options = options;
    const { on } = options;
    this.#views = new ClientViews({
      keyOf: (client) =>
        connections.haveDiverged && !client.isStateless ? client : capabilityKey(client.capabilities),
      list: (client) => this.#list(client),
      onWarning: on.warning,
      onLate: (viewers) => {
        on.clientTools(viewers);
        on.resources();
        on.prompts();
      },
    });
  }

  /** Lists what a client sees, if that is not known and may differ. Announces what is found after `timeoutMs`. */
  async prepare(client: ServedClient, timeoutMs: number): Promise<void> {
    const { haveDiverged, shared } = this.#connections;
    const isConnected = shared.supervisor.current !== undefined;
    const listed = isConnected && (client.isDirect || haveDiverged) ? this.#views.prepare(client) : undefined;
    if (!listed) return;
    const deadline = new Deadline(timeoutMs, { what: 'listing for a client', server: this.#server });
    try {
      await deadline.race(listed);
    } catch {
      this.#views.announceLate(client);
    } finally {
      deadline.release();
    }
  }

  /** The tools that a client sees; undefined if they are those of all clients. */
  of(client: ServedClient): ComparedTools | undefined {
    return this.#views.of(client);
  }

  /** Announces the tools of a connection to those who see them. The shared ones are announced when they are read. */
  connectionChanged(connection: ServerConnection): void {
    const { shared } = this.#connections;
    if (connection === shared && shared.supervisor.current?.era === 'legacy') return;
    const viewers = new Set(this.#views.changed(connection));
    const own = this.#connections.viewersOf(connection);
    if (own) viewers.add(own);
    for (const each of viewers) this.#options.on.clientTools(each);
  }

  /** What calls have changed on a connection is lost with it. A stateless client expects no more. */
  connectionEnded(connection: ServerConnection): void {
    if (!this.#connections.haveDiverged) return;
    for (const viewer of this.#views.changed(connection))
      if (typeof viewer !== 'string') this.#options.on.clientTools(viewer);
  }

  /** The tools of the shared connection are others now. */
  sharedChanged(): void {
    this.#views.sharedChanged();
  }

  /** The shared connection was established again: the server may be another version. */
  clear(): void {
    this.#views.clear();
  }

  #list(client: ServedClient) {
    const { limits, handlers } = this.#options;
    const subject = { what: 'listing for a client', server: this.#server };
    return Deadline.run(limits.startTimeoutMs, subject, async (deadline) => {
      const lease = await this.#connections.leaseForLists(client, deadline);
      if (!lease) return undefined;
      const { connection, release } = lease;
      const { shared } = this.#connections;
      try {
        const isShared = connection === shared && shared.supervisor.current?.era === 'legacy';
        if (isShared) return { connection, tools: undefined };
        const opened = await connection.ready(deadline);
        const isModern = opened.era === 'modern';
        const listing = isModern ? asSeenBy(client, opened, clientMeta(client, handlers.client, opened)) : opened;
        const tools = await this.#shared.read(listing, deadline.signal);
        return { connection, tools: this.#shared.isSame(tools) ? undefined : tools };
      } finally {
        release();
      }
    });
  }
}
