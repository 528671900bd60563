import type { JsonObject, ServerConfig } from '@a2c/config';
import { timerMs } from '@a2c/protocol';
import type { HubCallOptions, RequestOptions } from '../calls/call-options.js';
import { CallQueue } from '../calls/call-queue.js';
import { CheckThread } from '../calls/check-thread.js';
import { ResultTransformer } from '../calls/finish-result.js';
import type { ClientHandlers, ServerRequestHandlers } from '../clients/client-handlers.js';
import type { MCPClientProtocol } from '../clients/mcp-client.js';
import { clientMeta, type ServedClient } from '../clients/served-client.js';
import { Deadline } from '../deadline.js';
import { HubError } from '../errors.js';
import { type PinOptions, ServerPins } from '../pins/server-pins.js';
import { CoalescedTask } from '../serial-queue.js';
import type { ListedTool } from '../tools/parse-tool.js';
import type { ToolCache } from '../tools/tool-cache.js';
import { ToolList } from '../tools/tool-list.js';
import { ServerWindows } from '../windows/server-windows.js';
import { ClientConnections, type ConnectionLease, needsOwnConnection } from './client-connections.js';
import type { PendingRequest } from './request-attribution.js';
import type { ConnectionSubscriptions } from './resource-subscriptions.js';
import { type ConnectionContext, ServerConnection } from './server-connection.js';
import type { ServerState } from './state-machine.js';
import type { ServerStatus } from './status.js';

/** When a server starts and stops. */
export interface StartPolicy {
  /** Start on the first call, if the tools are known from an earlier run. */
  readonly lazy?: boolean;
  /** Stop after this many seconds without a call. The next call starts the server again. */
  readonly idleTimeout?: number;
}

export interface ManagedServerOptions extends Omit<ConnectionContext, 'onWarning'> {
  /** Client info and handlers of the shared connection. */
  readonly handlers: ClientHandlers;
  /** The only client of the hub, which the shared connection then belongs to. */
  readonly onlyClient: Promise<ServedClient | undefined> | undefined;
  readonly startPolicy: StartPolicy;
  readonly cache: ToolCache | null;
  readonly pins: PinOptions | null;
  readonly on: {
    readonly state: (state: ServerState, cause: string | null) => void;
    readonly tools: () => void;
    /** The server has announced a change of its tools, and they were listed again. */
    readonly toolList: () => void;
    readonly windows: (uri: string | null) => void;
    readonly updated: (uri: string) => void;
    readonly resources: () => void;
    readonly prompts: () => void;
    /** `client`: the client of all pending requests. A log message may contain what its caller sent. */
    readonly log: (params: JsonObject, client: object | undefined) => void;
    readonly warning: (message: string) => void;
  };
}

/** A request to the server. `headers` are sent by transports that have headers. */
export interface OutgoingRequest {
  readonly method: string;
  readonly params: JsonObject;
  readonly headers?: Readonly<Record<string, string>> | undefined;
}

/** One configured server: its tools, windows and subscriptions, and the requests to it. */
export class ManagedServer {
  readonly config: ServerConfig;
  readonly #options: ManagedServerOptions;
  /** The connection that reads the lists, and that all clients without one of their own use. */
  readonly #shared: ServerConnection;
  readonly #own: ClientConnections;
  /** The only client of the hub, once it is known. */
  #onlyClient: ServedClient | undefined;
  #speaksOnlyModern = false;
  readonly #queue: CallQueue;
  /** One per server, so that a costly schema delays only the calls of its own server. */
  readonly checkThread: CheckThread;
  readonly #toolList: ToolList;
  readonly #pins: ServerPins | null;
  readonly #refreshTools = new CoalescedTask(() => this.#updateTools());
  readonly #refreshWindows = new CoalescedTask(() => this.#updateWindows());
  #windows: ServerWindows | undefined;
  #transformer: ResultTransformer | undefined;
  #idleTimer: NodeJS.Timeout | undefined;

  constructor(config: ServerConfig, options: ManagedServerOptions) {
    const { limits, cache, on } = options;
    this.config = config;
    this.#options = options;
    this.#queue = new CallQueue(config.name, limits);
    this.checkThread = new CheckThread(limits.argumentCheckMs);
    this.#pins = options.pins && new ServerPins(config, { ...options.pins, root: options.root, onWarning: on.warning });
    this.#toolList = new ToolList(config, { limits, cache, pins: this.#pins, onWarning: on.warning });
    this.#shared = new ServerConnection(config, {
      ...options,
      handlers: () => this.#sharedHandlers(),
      lazy: this.#startsOnDemand,
      onState: on.state,
      onWarning: on.warning,
      onConnected: (client, subscriptions, signal) => this.#onConnected(client, subscriptions, signal),
      onReady: (client) => this.#onReady(client),
      onGone: () => this.#onGone(),
      onNotification: (method, params) => this.#onNotification(this.#shared, method, params),
      onUpdated: on.updated,
    });
    this.#own = new ClientConnections(config.name, limits, (client) => this.#openOwn(client));
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
    const { on } = this.#options;
    const connection: ServerConnection = new ServerConnection(this.config, {
      ...this.#options,
      handlers: async () => this.#handlersOf(client),
      lazy: true,
      onState: () => {},
      onWarning: on.warning,
      onConnected: async () => {},
      onReady: (opened) => void this.#sendLogLevel(opened, client.logLevel),
      onGone: () => {},
      onNotification: (method, params) => this.#onNotification(connection, method, params, client),
      onUpdated: on.updated,
    });
    connection.supervisor.knownEra = this.#supervisor.current?.era === 'legacy' ? 'legacy' : null;
    return connection;
  }

  get #supervisor() {
    return this.#shared.supervisor;
  }

  get name(): string {
    return this.config.name;
  }

  get active(): boolean {
    return this.#supervisor.active;
  }

  get isConnected(): boolean {
    return this.#supervisor.current !== undefined;
  }

  get #startsOnDemand(): boolean {
    const { lazy, idleTimeout } = this.#options.startPolicy;
    return lazy === true || idleTimeout !== undefined;
  }

  /** The configuration that applies to the tools: with placeholders filled in while connected. */
  get effectiveConfig(): ServerConfig {
    return this.#supervisor.current?.server ?? this.config;
  }

  /** The tools that can be called, possibly after a start. */
  get tools(): readonly ListedTool[] {
    return this.active ? this.#toolList.tools : [];
  }

  /** The names of tools that are not listed until a person approves them. */
  get withheldTools(): readonly string[] {
    return this.#toolList.withheld;
  }

  /** Lists the tools again if another process approved changes of them. */
  async applyApprovals(): Promise<void> {
    if (!(await this.#pins?.isOutdated())) return;
    await this.#toolList.compareAgain();
    this.#options.on.tools();
  }

  get windows(): ServerWindows | undefined {
    return this.#supervisor.current && this.#windows;
  }

  get transformer(): ResultTransformer | undefined {
    return this.#transformer;
  }

  /** Loads what an earlier run has cached. */
  async restore(): Promise<void> {
    this.#supervisor.knownEra = await this.#toolList.restore();
  }

  /** Replaces another server, which is stopped first. Its tools are listed until this server has connected. */
  replace(previous: ManagedServer): void {
    this.#toolList.takeOver(previous.#toolList);
    this.#shared.takeOver(previous.#shared);
    if (previous.active && !this.config.disabled) this.#supervisor.want(); // A call during the restart waits for it.
    this.#supervisor.startAfter(previous.dispose());
  }

  /** Starts the server. Resolves when it is connected; a lazy server with cached tools is started by the first call. */
  async start(): Promise<void> {
    this.#supervisor.want();
    const isDeferred = this.#options.startPolicy.lazy && this.#toolList.isFromCache;
    const started = isDeferred ? undefined : this.#supervisor.start();
    this.#options.on.tools(); // Cached tools are listed before the server has started.
    await started;
  }

  async stop(): Promise<void> {
    clearTimeout(this.#idleTimer);
    await Promise.all([this.#supervisor.stop(), this.#own.close()]);
  }

  /** Stops permanently. */
  async dispose(): Promise<void> {
    clearTimeout(this.#idleTimer);
    this.checkThread.close(new HubError('not-connected', 'the server was stopped', { server: this.name }));
    await Promise.all([this.#supervisor.dispose(), this.#own.close()]);
    await this.#toolList.saved();
  }

  /**
   * The deadline of a request: the caller's timeout, else the configured one, else the limit. Release it at the end.
   */
  deadline({ timeout, signal }: RequestOptions, subject: { readonly what: string; readonly tool?: string }): Deadline {
    const seconds = timeout ?? callTimeoutOf(this.config);
    const ms = seconds === null ? this.#options.limits.callTimeoutMs : seconds * 1_000;
    return new Deadline(ms, { ...subject, server: this.name, signal });
  }

  /** Returns the shared connection; connects first if that is allowed. */
  ready(deadline: Deadline): Promise<MCPClientProtocol> {
    return this.#shared.ready(deadline);
  }

  /** Runs one request on the shared connection: waits for a free place in the queue and for the connection. */
  run<T>(request: PendingRequest, deadline: Deadline, send: (client: MCPClientProtocol) => Promise<T>): Promise<T> {
    return this.#enqueue(deadline, () => this.#shared.run(request, deadline, send));
  }

  async #enqueue<T>(deadline: Deadline, work: () => Promise<T>): Promise<T> {
    try {
      return await this.#queue.run(deadline.signal, work);
    } finally {
      this.#restartIdleTimer();
    }
  }

  /** Sends one request and returns the answer. */
  send(
    { method, params, headers }: OutgoingRequest,
    { client, ...options }: HubCallOptions,
    deadline: Deadline,
  ): Promise<JsonObject> {
    const request = { ...options, client, inputsPending: 0 };
    const { signal } = deadline;
    const clientOptions = { signal, onProgress: options.onProgress, headers, handlers: whileCounted(request) };
    return this.#enqueue(deadline, async () => {
      const { connection, release } = await this.#connectionFor(request, method, deadline);
      try {
        return await connection.run(request, deadline, (opened) => {
          const meta = client && opened.era === 'modern' && clientMeta(client, this.#options.handlers.client, opened);
          const sent = meta ? { ...params, _meta: { ...(params._meta as JsonObject | undefined), ...meta } } : params;
          return opened.request(method, sent, clientOptions);
        });
      } finally {
        release();
      }
    });
  }

  /** The connection for a request of a client: its own if it needs one, else the shared one. */
  async #connectionFor(request: PendingRequest, method: string, deadline: Deadline): Promise<ConnectionLease> {
    const { client } = request;
    const shared = { connection: this.#shared, release: () => {} };
    if (!client || !MAY_ASK.has(method)) return shared;
    const { era } = await this.ready(deadline);
    if (client === this.#onlyClient || this.config.connections === 'shared') return shared;
    const isForced = this.config.connections === 'per-client';
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

  /** Emits `updated` for changes of the resources until the returned function is called. */
  async subscribe(uris: readonly string[], client: ServedClient | undefined, deadline: Deadline): Promise<() => void> {
    // A stateless client keeps no connection that could report changes.
    const owner = client?.isStateless ? undefined : client;
    const { connection, release } = await this.#connectionFor({ client: owner }, 'resources/subscribe', deadline);
    try {
      return await this.#enqueue(deadline, () => connection.subscribe(uris, deadline));
    } finally {
      release();
    }
  }

  /** Reports to the server that the roots or the log level of a client have changed. */
  async clientChanged(client: ServedClient, what: 'roots' | 'logLevel'): Promise<void> {
    const connection = client === this.#onlyClient ? this.#shared : this.#own.of(client);
    const opened = connection?.supervisor.current;
    if (opened?.era !== 'legacy') return; // A modern server learns both with each request.
    if (what === 'logLevel') await this.#sendLogLevel(opened, client.logLevel);
    else await opened.notify('notifications/roots/list_changed', {});
  }

  async #sendLogLevel(opened: MCPClientProtocol, level: string | undefined): Promise<void> {
    if (opened.era !== 'legacy' || level === undefined || !opened.capabilities.logging) return;
    const { limits, on } = this.#options;
    await Deadline.run(limits.listTimeoutMs, { what: 'setting the log level' }, ({ signal }) =>
      opened.request('logging/setLevel', { level }, { signal }),
    ).catch((error: Error) => on.warning(`cannot set the log level: ${error.message}`));
  }

  async #onConnected(
    client: MCPClientProtocol,
    subscriptions: ConnectionSubscriptions,
    signal: AbortSignal,
  ): Promise<void> {
    const { vrl } = client.server;
    const { limits, on } = this.#options;
    this.#transformer = vrl?.trim() ? new ResultTransformer(vrl) : undefined;
    const tools = await this.#toolList.read(client, signal);
    this.#toolList.connected(tools, client, this.#supervisor.knownEra === null);
    this.#windows = new ServerWindows(client, {
      limits,
      subscriptions,
      onChange: () => on.windows(null),
      onWarning: on.warning,
    });
  }

  #onReady(client: MCPClientProtocol): void {
    this.#options.on.tools();
    this.#saveTools(client);
    this.#restartIdleTimer();
    this.#refreshWindows.request();
    if (this.#onlyClient) void this.#sendLogLevel(client, this.#onlyClient.logLevel);
  }

  /** A preferred generation is not the server's only one: the next run negotiates again. */
  #saveTools({ era, instructions }: MCPClientProtocol): void {
    const isPreferred = this.#onlyClient?.era === 'legacy';
    this.#toolList.save({ era: isPreferred ? null : era, instructions });
  }

  #onGone(): void {
    const hadWindows = this.#windows?.isEmpty === false;
    this.#windows = undefined;
    if (!this.#startsOnDemand) this.#toolList.dropUnconfirmed();
    this.#options.on.tools();
    if (hadWindows) this.#options.on.windows(null);
  }

  #onNotification({ attribution }: ServerConnection, method: string, params: JsonObject, owner?: ServedClient): void {
    const { on } = this.#options;
    switch (method) {
      case 'notifications/tools/list_changed':
        this.#refreshTools.request();
        break;
      case 'notifications/prompts/list_changed':
        on.prompts();
        break;
      case 'notifications/resources/list_changed':
        on.resources();
        this.#refreshWindows.request();
        break;
      case 'notifications/resources/updated':
        if (typeof params.uri !== 'string') break;
        on.updated(params.uri);
        if (this.#windows?.has(params.uri)) on.windows(params.uri);
        break;
      case 'notifications/message':
        if (!attribution.log(params)) on.log(params, owner ?? attribution.onlyClient);
    }
  }

  async #updateTools(): Promise<void> {
    const client = this.#supervisor.current;
    if (!client) return; // The list is read again at the next start.
    try {
      const tools = await Deadline.run(this.#options.limits.startTimeoutMs, { what: 'listing the tools' }, (deadline) =>
        this.#toolList.read(client, deadline.signal),
      );
      if (this.#supervisor.current !== client) return;
      this.#toolList.changed(tools);
      this.#options.on.tools();
      this.#options.on.toolList();
      this.#saveTools(client);
    } catch (error) {
      this.#warnIfConnected('cannot list the changed tools', error);
    }
  }

  async #updateWindows(): Promise<void> {
    try {
      await this.windows?.list();
    } catch (error) {
      this.#warnIfConnected('its windows could not be listed', error);
    }
  }

  /** A lost connection is reported by the supervisor. */
  #warnIfConnected(what: string, error: unknown): void {
    if (this.isConnected) this.#options.on.warning(`${what}: ${(error as Error).message}`);
  }

  #restartIdleTimer(): void {
    const { idleTimeout } = this.#options.startPolicy;
    clearTimeout(this.#idleTimer);
    if (idleTimeout === undefined) return;
    const disconnect = () => {
      if (this.#shared.attribution.isIdle) void this.#supervisor.disconnectIdle();
    };
    this.#idleTimer = setTimeout(disconnect, timerMs(idleTimeout * 1_000)).unref();
  }

  status(conflicts: readonly string[]): ServerStatus {
    return {
      name: this.name,
      transport: this.config.transport.type,
      disabled: this.config.disabled,
      ...this.#supervisor.status(),
      instructions: this.#toolList.instructions,
      tools: this.tools.length,
      toolsFromCache: this.#toolList.isFromCache,
      changedTools: this.#pins?.changes ?? 0,
      conflicts,
      callsInFlight: this.#queue.inFlight,
      callsQueued: this.#queue.waiting,
    };
  }
}

/** Requests that a server may answer with a question. Lists are the same for all clients. */
const MAY_ASK: ReadonlySet<string> = new Set([
  'tools/call',
  'prompts/get',
  'resources/read',
  'completion/complete',
  'resources/subscribe',
]);

/** The handlers of a request, which count the inputs that a modern server waits for before it continues. */
function whileCounted(request: PendingRequest & { inputsPending: number }): ServerRequestHandlers {
  const counted = <Args extends unknown[], T>(handler: ((...args: Args) => Promise<T>) | undefined) =>
    handler &&
    (async (...args: Args) => {
      request.inputsPending++;
      try {
        return await handler(...args);
      } finally {
        request.inputsPending--;
      }
    });
  return {
    onElicit: counted(request.onElicit),
    onSample: counted(request.onSample),
    onRoots: counted(request.onRoots),
  };
}

/** In the a2c format, the `timeout` of an HTTP server is that of its HTTP client, not of its calls. */
function callTimeoutOf({ transport, timeouts, origin }: ServerConfig): number | null {
  const isHttp = transport.type === 'streamable_http' || transport.type === 'sse';
  return isHttp && origin.format === 'a2c' ? null : timeouts.timeout;
}
