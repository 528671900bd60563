import type { JsonObject, ServerConfig } from '@a2c/config';
import type { ClientHandlers } from '../clients/client-handlers.js';
import type { MCPClientProtocol } from '../clients/mcp-client.js';
import type { ServedClient } from '../clients/served-client.js';
import { Deadline } from '../deadline.js';
import { ClientConnections, type ConnectionLease, needsOwnConnection } from './client-connections.js';
import type { PendingRequest } from './request-attribution.js';
import { type ConnectionContext, ServerConnection, type ServerConnectionOptions } from './server-connection.js';

type SharedEvents = Pick<
  ServerConnectionOptions,
  'lazy' | 'onState' | 'onConnected' | 'onReady' | 'onGone' | 'onUpdated'
>;

export interface ServerConnectionsOptions extends ConnectionContext, SharedEvents {
  /** Client info and handlers of the shared connection. */
  readonly handlers: ClientHandlers;
  /** The only client of the hub, which the shared connection then belongs to. */
  readonly onlyClient: Promise<ServedClient | undefined> | undefined;
  /** `owner`: the client that the connection belongs to; undefined for the shared connection. */
  readonly onNotification: (
    connection: ServerConnection,
    method: string,
    params: JsonObject,
    owner: ServedClient | undefined,
  ) => void;
}

/** Requests that a server may answer with a question. Lists are the same for all clients. */
const MAY_ASK: ReadonlySet<string> = new Set([
  'tools/call',
  'prompts/get',
  'resources/read',
  'completion/complete',
  'resources/subscribe',
]);

/** The connections of one server, and which of them serves a request: the shared one, or one of a single client. */
export class ServerConnections {
  /** The connection that reads the lists, and that all clients without one of their own use. */
  readonly shared: ServerConnection;
  readonly #own: ClientConnections;
  readonly #config: ServerConfig;
  readonly #options: ServerConnectionsOptions;
  #onlyClient: ServedClient | undefined;
  #speaksOnlyModern = false;

  constructor(config: ServerConfig, options: ServerConnectionsOptions) {
    this.#config = config;
    this.#options = options;
    this.shared = new ServerConnection(config, {
      ...options,
      handlers: () => this.#sharedHandlers(),
      onReady: (client) => {
        options.onReady(client);
        if (this.#onlyClient) void this.#sendLogLevel(client, this.#onlyClient.logLevel);
      },
      onNotification: (method, params) => options.onNotification(this.shared, method, params, undefined),
    });
    this.#own = new ClientConnections(config.name, options.limits, (client) => this.#openOwn(client));
  }

  /** The only client of the hub, once it is known. */
  get onlyClient(): ServedClient | undefined {
    return this.#onlyClient;
  }

  /** Closes the connections of single clients. */
  closeOwn(): Promise<void> {
    return this.#own.close();
  }

  /** The connection for a request of a client: its own if it needs one, else the shared one. */
  async lease(request: PendingRequest, method: string, deadline: Deadline): Promise<ConnectionLease> {
    const { client } = request;
    const shared = { connection: this.shared, release: () => {} };
    if (!client || !MAY_ASK.has(method)) return shared;
    const { era } = await this.shared.ready(deadline);
    const { connections } = this.#config;
    if (client === this.#onlyClient || connections === 'shared') return shared;
    const isForced = connections === 'per-client';
    if (!isForced && !needsOwnConnection(client, era, this.#speaksOnlyModern)) return shared;
    const lease = this.#own.lease(client);
    try {
      // Pending, so that it can answer what the server asks at its start.
      const opened = await lease.connection.run(request, deadline, async (client) => client.era);
      if (isForced || opened === 'legacy') return lease;
    } catch (error) {
      lease.release();
      throw error;
    }
    lease.release();
    this.#speaksOnlyModern = true;
    void this.#own.end(lease.connection);
    return shared;
  }

  /** Reports to the server that the roots or the log level of a client have changed. */
  async clientChanged(client: ServedClient, what: 'roots' | 'logLevel'): Promise<void> {
    const connection = client === this.#onlyClient ? this.shared : this.#own.of(client);
    const opened = connection?.supervisor.current;
    if (opened?.era !== 'legacy') return; // A modern server learns both with each request.
    if (what === 'logLevel') await this.#sendLogLevel(opened, client.logLevel);
    else await opened.notify('notifications/roots/list_changed', {});
  }

  /** The handlers of the shared connection; those of the client if there is only one. */
  async #sharedHandlers(): Promise<ClientHandlers> {
    this.#onlyClient ??= await this.#options.onlyClient;
    return this.#onlyClient ? this.#handlersOf(this.#onlyClient) : this.#options.handlers;
  }

  #handlersOf({ capabilities, era, onElicit, onSample, onRoots }: ServedClient): ClientHandlers {
    return { ...this.#options.handlers, capabilities, preferredEra: era, onElicit, onSample, onRoots };
  }

  /** A connection with the capabilities and the generation of one client. */
  #openOwn(client: ServedClient): ServerConnection {
    const connection: ServerConnection = new ServerConnection(this.#config, {
      ...this.#options,
      handlers: async () => this.#handlersOf(client),
      lazy: true,
      onState: () => {},
      onConnected: async () => {},
      onReady: (opened) => void this.#sendLogLevel(opened, client.logLevel),
      onGone: () => {},
      onNotification: (method, params) => this.#options.onNotification(connection, method, params, client),
    });
    connection.supervisor.knownEra = this.shared.supervisor.current?.era === 'legacy' ? 'legacy' : null;
    return connection;
  }

  async #sendLogLevel(opened: MCPClientProtocol, level: string | undefined): Promise<void> {
    if (opened.era !== 'legacy' || level === undefined || !opened.capabilities.logging) return;
    const { limits, onWarning } = this.#options;
    await Deadline.run(limits.listTimeoutMs, { what: 'setting the log level' }, ({ signal }) =>
      opened.request('logging/setLevel', { level }, { signal }),
    ).catch((error: Error) => onWarning(`cannot set the log level: ${error.message}`));
  }
}
