import type { JsonObject, ServerConfig } from '@a2c/config';
import type { ClientHandlers } from '../clients/client-handlers.js';
import { isAnswered, isNotFound } from '../clients/explain-failure.js';
import type { MCPClientProtocol } from '../clients/mcp-client.js';
import { Deadline } from '../deadline.js';
import { ConnectionSupervisor, type SupervisorOptions } from './connection-supervisor.js';
import { type PendingRequest, RequestAttribution } from './request-attribution.js';
import { CallerSubscriptions, ConnectionSubscriptions, subscriptionsNotSupported } from './resource-subscriptions.js';

/** What every connection of one server has in common. */
export type ConnectionContext = Pick<
  SupervisorOptions,
  'guard' | 'root' | 'limits' | 'autoReconnect' | 'prepare' | 'createClient' | 'loginOf' | 'onWarning' | 'onOutput'
>;

export interface ServerConnectionOptions extends ConnectionContext, Pick<SupervisorOptions, 'lazy' | 'onState'> {
  /** Answer the server requests that belong to no pending request. */
  readonly handlers: () => Promise<ClientHandlers>;
  /** Called after connecting, before the start has succeeded. */
  readonly onConnected: (
    client: MCPClientProtocol,
    subscriptions: ConnectionSubscriptions,
    signal: AbortSignal,
  ) => Promise<void>;
  readonly onReady: (client: MCPClientProtocol) => void;
  readonly onGone: () => void;
  readonly onNotification: (method: string, params: JsonObject) => void;
  /** A subscribed resource may have changed while there was no connection. */
  readonly onUpdated: (uri: string) => void;
}

/** A connection to one server that is established again after a failure: its requests and its subscriptions. */
export class ServerConnection {
  readonly supervisor: ConnectionSupervisor;
  readonly attribution: RequestAttribution;
  readonly #server: string;
  readonly #options: ServerConnectionOptions;
  #callers = new CallerSubscriptions();
  #subscriptions: ConnectionSubscriptions | undefined;

  constructor(config: ServerConfig, options: ServerConnectionOptions) {
    this.#server = config.name;
    this.#options = options;
    this.attribution = new RequestAttribution(options.limits.attributionTimeoutMs);
    this.supervisor = new ConnectionSupervisor(config, {
      ...options,
      handlers: async () => this.attribution.attribute(await options.handlers()),
      onConnected: (client, signal) => {
        this.#subscriptions = new ConnectionSubscriptions(client);
        return options.onConnected(client, this.#subscriptions, signal);
      },
      onReady: (client) => {
        options.onReady(client);
        if (this.#subscriptions) void this.#resubscribe(this.#subscriptions);
      },
      onGone: () => {
        this.attribution.forgetAbandoned();
        options.onGone();
      },
      onNotification: (_client, method, params) => options.onNotification(method, params),
    });
  }

  /** Subscribes to what the callers of another connection have subscribed to. */
  takeOver(previous: ServerConnection): void {
    this.#callers = previous.#callers;
  }

  /** Returns the connection; connects first if that is allowed. */
  async ready(deadline: Deadline): Promise<MCPClientProtocol> {
    return this.supervisor.current ?? deadline.race(this.supervisor.ready());
  }

  /** Runs one request; waits for the connection first. */
  async run<T>(
    request: PendingRequest,
    deadline: Deadline,
    send: (client: MCPClientProtocol) => Promise<T>,
  ): Promise<T> {
    const place = this.attribution.add(request);
    try {
      const client = this.supervisor.current ?? (await this.ready(deadline));
      try {
        return await send(client);
      } catch (error) {
        if (!isNotFound(error) || !client.hasSession) throw error;
        this.supervisor.replace(client);
        if (isAnswered(error)) throw error;
        // The server has lost the session and did not process the request: repeating it is safe.
        return await send(await this.ready(deadline));
      }
    } finally {
      // A legacy server may continue to work on a request that the client abandoned.
      const isAbandoned = deadline.reason !== undefined && this.supervisor.current?.era === 'legacy';
      this.attribution.remove(place, isAbandoned);
    }
  }

  /** Reports changes of the resources as notifications until the returned function is called. */
  async subscribe(uris: readonly string[], deadline: Deadline): Promise<() => void> {
    const callers = this.#callers;
    await this.run({}, deadline, async ({ capabilities }) => {
      if (!capabilities.resources?.subscribe) throw subscriptionsNotSupported(this.#server);
      await callers.add(uris, deadline.signal);
    });
    return () => callers.remove(uris);
  }

  /** Changes during the disconnection were missed: report every subscribed resource as updated. */
  async #resubscribe(connection: ConnectionSubscriptions): Promise<void> {
    const { limits, onWarning, onUpdated } = this.#options;
    await Deadline.run(limits.listTimeoutMs, { what: 'subscribing again' }, async ({ signal }) => {
      const failures = await this.#callers.moveTo(connection, signal);
      for (const [uri, { message }] of failures) onWarning(`cannot subscribe to ${uri}: ${message}`);
    });
    for (const uri of this.#callers.uris) onUpdated(uri);
  }
}
