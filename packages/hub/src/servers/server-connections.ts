import { isDeepStrictEqual } from 'node:util';
import type { JsonObject, ServerConfig } from '@a2c/config';
import type { ClientCapabilities } from '@modelcontextprotocol/client';
import type { ClientHandlers } from '../clients/client-handlers.js';
import { declaredCapabilities } from '../clients/declared-capabilities.js';
import { LISTS, listAll } from '../clients/list-all.js';
import type { MCPClientProtocol } from '../clients/mcp-client.js';
import { capabilityKey, isInteractive, type ServedClient } from '../clients/served-client.js';
import { Deadline } from '../deadline.js';
import { ClientConnections, type ConnectionLease, needsOwnConnection } from './client-connections.js';
import type { ViewKey } from './client-views.js';
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
  /** Called before the shared connection is established, with what it will declare. The connection waits for it. */
  readonly onDeclare: (capabilities: ClientCapabilities) => Promise<unknown>;
  /** `owner`: the client that the connection belongs to; undefined for the shared connection. */
  readonly onNotification: (
    connection: ServerConnection,
    method: string,
    params: JsonObject,
    owner: ServedClient | undefined,
  ) => void;
  /** The connection of a single client or group has ended. */
  readonly onOwnGone: (connection: ServerConnection) => void;
}

/** Requests that a server may answer with a question, and those that belong to such a request. */
const MAY_ASK: ReadonlySet<string> = new Set([
  'tools/call',
  'prompts/get',
  'resources/read',
  'completion/complete',
  'resources/subscribe',
  // A task is known only on the connection of its call.
  'tasks/get',
  'tasks/result',
  'tasks/list',
  'tasks/cancel',
  'tasks/update',
]);

const LIST_METHODS: ReadonlySet<string> = new Set(Object.values(LISTS).map(({ method }) => method));

/** The connections of one server, and which of them serves a request: the shared one, or one of a single client. */
export class ServerConnections {
  /** The connection that reads the lists, and that all clients without one of their own use. */
  readonly shared: ServerConnection;
  readonly #sharedLease: ConnectionLease;
  readonly #own: ClientConnections;
  readonly #config: ServerConfig;
  readonly #options: ServerConnectionsOptions;
  #onlyClient: ServedClient | undefined;
  #speaksOnlyModern = false;
  /** Stand for all clients that declare the same and cannot be asked. They share a connection. */
  readonly #groups = new Map<string, ServedClient>();
  /** The group whose connection the calls of a client use, or null for the shared one: a server may keep state. */
  readonly #groupOf = new WeakMap<ServedClient, ServedClient | null>();
  /** Whether a client that declares nothing sees other lists. */
  #listsDiffer: Promise<boolean> | undefined;
  #haveListsDiffered = false;
  /**
   * A list has changed on one of the connections, maybe by a call. From then on each client gets the lists of the
   * connection that its calls use.
   */
  haveDiverged = false;

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
    this.#sharedLease = { connection: this.shared, release: () => {} };
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
  lease(request: PendingRequest, method: string, deadline: Deadline): ConnectionLease | Promise<ConnectionLease> {
    const { client } = request;
    const isList = LIST_METHODS.has(method);
    if (!client || !(isList || MAY_ASK.has(method))) return this.#sharedLease;
    const opened = this.shared.supervisor.current;
    if (opened) return this.#leaseFor(client, request, isList, opened, deadline);
    return this.shared.ready(deadline).then((ready) => this.#leaseFor(client, request, isList, ready, deadline));
  }

  #leaseFor(
    client: ServedClient,
    request: PendingRequest,
    isList: boolean,
    { era }: MCPClientProtocol,
    deadline: Deadline,
  ): ConnectionLease | Promise<ConnectionLease> {
    const { connections } = this.#config;
    if (client === this.#onlyClient || connections === 'shared') return this.#sharedLease;
    if (isList && !this.haveDiverged) {
      return this.#haveListsDiffered && client.isDirect ? this.#own.lease(this.#ownerFor(client)) : this.#sharedLease;
    }
    const isForced = connections === 'per-client';
    const needsOwn = isForced || needsOwnConnection(client, era, this.#speaksOnlyModern);
    const owner = needsOwn ? client : era === 'legacy' ? this.#callGroupOf(client, isList) : null;
    return owner ? this.#leaseOwn(owner, request, isForced, deadline) : this.#sharedLease;
  }

  async #leaseOwn(
    owner: ServedClient,
    request: PendingRequest,
    isForced: boolean,
    deadline: Deadline,
  ): Promise<ConnectionLease> {
    const lease = this.#own.lease(owner);
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
    return this.#sharedLease;
  }

  /**
   * The connection on which a client that is no other client's equal sees its lists. Undefined if all clients see the
   * same. A modern server learns the capabilities with each request, so that its shared connection serves all.
   */
  async leaseForLists(client: ServedClient, deadline: Deadline): Promise<ConnectionLease | undefined> {
    const { era } = await this.shared.ready(deadline);
    if (client === this.#onlyClient || this.#config.connections === 'shared') return undefined;
    if (era === 'legacy' && client.isDirect) await this.#compareOnce(deadline);
    if (this.haveDiverged) return this.lease({ client }, LISTS.tools.method, deadline);
    if (era === 'modern') return this.#sharedLease;
    return this.#haveListsDiffered ? this.#own.lease(this.#ownerFor(client)) : undefined;
  }

  /** Whose lists are on a connection: a client's, or those of the clients with some capabilities. */
  viewersOf(connection: ServerConnection): ViewKey | undefined {
    const client = this.#own.clientOf(connection);
    return client && this.#isGroup(client) ? capabilityKey(client.capabilities) : client;
  }

  async #compareOnce(deadline: Deadline): Promise<void> {
    this.#listsDiffer ??= this.#compareLists(deadline);
    this.#haveListsDiffered = await this.#listsDiffer.catch((error) => {
      this.#listsDiffer = undefined;
      throw error;
    });
  }

  /** Compares the lists of the shared connection, which declares all capabilities, with those of one without any. */
  async #compareLists(deadline: Deadline): Promise<boolean> {
    const { connection, release } = this.#own.lease(this.#groupFor({}));
    try {
      const [all, few] = await Promise.all([this.shared, connection].map((each) => this.#lists(each, deadline)));
      const differ = !isDeepStrictEqual(all, few);
      if (!differ) void this.#own.end(connection);
      return differ;
    } catch (error) {
      void this.#own.end(connection);
      throw error;
    } finally {
      release();
    }
  }

  async #lists(connection: ServerConnection, deadline: Deadline): Promise<readonly (readonly unknown[])[]> {
    const opened = await connection.ready(deadline);
    const { listPages: maxPages, toolsPerServer: maxItems } = this.#options.limits;
    const options = { maxPages, maxItems, signal: deadline.signal, onWarning: () => {} };
    return Promise.all(Object.keys(LISTS).map((list) => listAll(opened, list as keyof typeof LISTS, options)));
  }

  /** The client itself if it can be asked. Otherwise its group. */
  #ownerFor(client: ServedClient): ServedClient {
    return isInteractive(client) ? client : this.#groupFor(client.capabilities);
  }

  #groupFor(capabilities: ServedClient['capabilities']): ServedClient {
    const key = capabilityKey(capabilities);
    const group = this.#groups.get(key) ?? { era: 'legacy', capabilities, isStateless: false };
    this.#groups.set(key, group);
    return group;
  }

  #isGroup(client: ServedClient): boolean {
    return this.#groups.get(capabilityKey(client.capabilities)) === client;
  }

  /** The group of a client that must not be taken for one that can be asked. It is decided with its first call. */
  #callGroupOf(client: ServedClient, isList: boolean): ServedClient | null {
    if (!client.isDirect) return null;
    // A question to a modern client that cannot answer shows which capability is missing, so it may be asked.
    if (client.era === 'modern') return this.#haveListsDiffered ? this.#groupFor(client.capabilities) : null;
    const known = this.#groupOf.get(client);
    if (known !== undefined) return known;
    const matters = this.#haveListsDiffered || this.shared.attribution.hasAsked;
    const group = matters ? this.#groupFor(client.capabilities) : null;
    if (!isList) this.#groupOf.set(client, group);
    return group;
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
    const handlers = this.#onlyClient ? this.#handlersOf(this.#onlyClient) : this.#options.handlers;
    await this.#options.onDeclare(declaredCapabilities(this.shared.attribution.attribute(handlers)));
    return handlers;
  }

  #handlersOf({ capabilities, era, onElicit, onSample, onRoots }: ServedClient): ClientHandlers {
    return { ...this.#options.handlers, capabilities, preferredEra: era, onElicit, onSample, onRoots };
  }

  /** A connection with the capabilities and the generation of one client, or of a group. */
  #openOwn(client: ServedClient): ServerConnection {
    const owner = this.#isGroup(client) ? undefined : client;
    const connection: ServerConnection = new ServerConnection(this.#config, {
      ...this.#options,
      handlers: async () => this.#handlersOf(client),
      lazy: true,
      onState: () => {},
      onConnected: async () => {},
      onReady: (opened) => void this.#sendLogLevel(opened, client.logLevel),
      onGone: () => this.#options.onOwnGone(connection),
      onNotification: (method, params) => this.#options.onNotification(connection, method, params, owner),
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
