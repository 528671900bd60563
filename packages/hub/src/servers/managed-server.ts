import type { JsonObject, ServerConfig } from '@a2c/config';
import { isRecord, timerMs } from '@a2c/protocol';
import { compile } from '@a2c/vrl';
import { callerOf, type HubCallOptions, type RequestOptions } from '../calls/call-options.js';
import { type Caller, type CallQueue, serverQueue } from '../calls/call-queue.js';
import { ServerThreads } from '../calls/server-threads.js';
import type { ServerRequestHandlers } from '../clients/client-handlers.js';
import type { ClientRequestOptions, MCPClientProtocol } from '../clients/mcp-client.js';
import { RequestMeta, type ServedClient } from '../clients/served-client.js';
import { Deadline } from '../deadline.js';
import { HubError } from '../errors.js';
import { type PinOptions, type ServerPins, serverPins } from '../pins/server-pins.js';
import { CoalescedTask } from '../serial-queue.js';
import type { ListedTool } from '../tools/parse-tool.js';
import type { ToolCache } from '../tools/tool-cache.js';
import { ToolList } from '../tools/tool-list.js';
import { ServerWindows } from '../windows/server-windows.js';
import type { ConnectionLease } from './client-connections.js';
import { ClientTools } from './client-tools.js';
import { whileCounted } from './request-attribution.js';
import type { ConnectionSubscriptions } from './resource-subscriptions.js';
import type { ConnectionContext, ServerConnection } from './server-connection.js';
import { ServerConnections, type ServerConnectionsOptions } from './server-connections.js';
import type { ServerEvents } from './server-events.js';
import type { ServerStatus } from './status.js';

/** When a server starts and stops. */
export interface StartPolicy {
  /** Start on the first call, if the tools are known from an earlier run. */
  readonly lazy?: boolean;
  /** Stop after this many seconds without a call. The next call starts the server again. */
  readonly idleTimeout?: number;
}

export interface ManagedServerOptions
  extends Omit<ConnectionContext, 'onWarning' | 'onOutput'>,
    Pick<ServerConnectionsOptions, 'handlers' | 'onlyClient'> {
  /** A server whose tools are cached starts after this. */
  readonly startAfter: Promise<unknown> | undefined;
  readonly startPolicy: StartPolicy;
  readonly cache: ToolCache | null;
  readonly pins: PinOptions | null;
  readonly on: ServerEvents;
}

/** A request to the server. `headers` are those of transports that have headers. */
export interface OutgoingRequest {
  readonly method: string;
  readonly params: JsonObject;
  readonly headers?: (() => Readonly<Record<string, string>>) | undefined;
  /**
   * The hub waits for a task of MCP 2026-07-28 that begins: the request declares the extension for tasks if the server
   * has it.
   */
  readonly awaitsTasks?: boolean | undefined;
  /** Called when it is sent. */
  readonly onSent?: HubCallOptions['onSent'];
  /** It is about a task of a call that has begun, and needs no place in the queue. */
  readonly isOfTask?: boolean | undefined;
}

/** What few requests need is created when it is used. */
class ManagedRequestOptions implements ClientRequestOptions {
  readonly cancellation: Deadline;
  readonly onProgress: HubCallOptions['onProgress'];
  readonly #headers: OutgoingRequest['headers'];
  readonly #request: Parameters<typeof whileCounted>[0];

  constructor(
    deadline: Deadline,
    request: Parameters<typeof whileCounted>[0],
    onProgress: HubCallOptions['onProgress'],
    headers: OutgoingRequest['headers'],
  ) {
    this.cancellation = deadline;
    this.#request = request;
    this.onProgress = onProgress;
    this.#headers = headers;
  }

  get signal(): AbortSignal {
    return this.cancellation.signal;
  }

  get headers(): ClientRequestOptions['headers'] {
    return this.#headers?.();
  }

  get handlers(): ServerRequestHandlers {
    return whileCounted(this.#request);
  }
}

/** One configured server: its tools, windows and subscriptions, and the requests to it. */
export class ManagedServer {
  readonly config: ServerConfig;
  readonly #options: ManagedServerOptions;
  readonly #connections: ServerConnections;
  readonly #queue: CallQueue;
  readonly #requestMeta: RequestMeta;
  /** Of this server alone, so that a costly schema or script delays only the calls of its own server. */
  readonly threads: ServerThreads;
  readonly #toolList: ToolList;
  readonly #pins: ServerPins | null;
  /** The tools of clients that see others than the rest. */
  readonly clientTools: ClientTools;
  readonly #refreshTools = new CoalescedTask(() => this.#updateTools());
  readonly #refreshWindows = new CoalescedTask(() => this.#updateWindows());
  #windows: ServerWindows | undefined;
  #script: string | undefined;
  #idleTimer: NodeJS.Timeout | undefined;
  /** The tools changed while the first list of a connection was read. */
  #changedAtStart = false;

  constructor(config: ServerConfig, options: ManagedServerOptions) {
    const { limits, cache, on } = options;
    this.config = config;
    this.#options = options;
    this.#queue = serverQueue(config.name, limits);
    this.threads = new ServerThreads(config.name, limits);
    this.#requestMeta = new RequestMeta(options.handlers.client);
    this.#pins = serverPins(config, options);
    this.#toolList = new ToolList(config, { limits, cache, pins: this.#pins, onWarning: on.warning });
    this.#connections = new ServerConnections(config, {
      ...options,
      lazy: this.#startsOnDemand,
      onState: on.state,
      onWarning: on.warning,
      onOutput: on.output,
      onDeclare: async (capabilities) => {
        if (this.#toolList.dropUnlessDeclared(capabilities)) on.tools();
        // Otherwise the first answers may wait for this server.
        if (this.#toolList.isFromCache) await options.startAfter;
      },
      onConnected: (client, subscriptions, signal) => this.#onConnected(client, subscriptions, signal),
      onReady: (client) => this.#onReady(client),
      onGone: () => this.#onGone(),
      onNotification: (connection, method, params, owner) => this.#onNotification(connection, method, params, owner),
      onOwnGone: (connection) => this.clientTools.connectionEnded(connection),
      onUpdated: (uri) => on.updated(uri),
    });
    this.clientTools = new ClientTools(config.name, this.#connections, this.#toolList, options);
  }

  get #shared(): ServerConnection {
    return this.#connections.shared;
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

  /** Why an enabled server has no connection and lists no tools. */
  get notRunning(): HubError | undefined {
    return this.config.disabled || this.tools.length > 0 ? undefined : this.#supervisor.notRunning;
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

  /** The tools of its last list, also while it does not run and those that wait for approval. */
  get knownTools(): readonly ListedTool[] {
    return this.#toolList.known;
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

  /** The VRL script for its results. */
  get script(): string | undefined {
    return this.#script;
  }

  /** How long the check of the arguments of a call may take. */
  get checkMs(): number {
    return this.#options.limits.argumentCheckMs;
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

  /** Fills in the placeholders for a start. Rejects with the reason and changes nothing if that fails. */
  prepare(): Promise<ServerConfig> {
    return this.#supervisor.prepare();
  }

  /**
   * Starts the server. Resolves when it is connected; a lazy server with cached tools is started by the first call.
   * `prepared` is the result of `prepare`, if that was called before.
   */
  async start(prepared?: ServerConfig): Promise<void> {
    this.#supervisor.want();
    const isDeferred = this.#options.startPolicy.lazy && this.#toolList.isFromCache;
    const started = isDeferred ? undefined : this.#supervisor.start(prepared);
    this.#options.on.tools(); // Cached tools are listed before the server has started.
    await started;
  }

  /** Stops and starts the server. It keeps running if its inputs have no values for the start. */
  async restart(): Promise<void> {
    const prepared = this.isConnected ? await this.prepare() : undefined;
    await this.stop();
    await this.start(prepared);
  }

  async stop(): Promise<void> {
    clearTimeout(this.#idleTimer);
    await Promise.all([this.#supervisor.stop(), this.#connections.closeOwn()]);
  }

  /** Stops permanently. */
  async dispose(): Promise<void> {
    clearTimeout(this.#idleTimer);
    this.threads.close(new HubError('not-connected', 'the server was stopped', { server: this.name }));
    await Promise.all([this.#supervisor.dispose(), this.#connections.closeOwn()]);
    await this.#toolList.saved();
  }

  /**
   * The deadline of a request: the caller's timeout, else the configured one, else the limit. Release it at the end.
   */
  deadline(
    { timeout, signal, cancellation }: RequestOptions,
    { what, tool }: { readonly what: string; readonly tool?: string | undefined },
  ): Deadline {
    const seconds = timeout ?? callTimeoutOf(this.config);
    const ms = seconds === null ? this.#options.limits.callTimeoutMs : seconds * 1_000;
    return new Deadline(ms, { what, tool, server: this.name, signal, cancellation });
  }

  /** Returns the shared connection; connects first if that is allowed. */
  ready(deadline: Deadline): Promise<MCPClientProtocol> {
    return this.#shared.ready(deadline);
  }

  /** Runs one request on the shared connection: waits for a free place in the queue and for the connection. */
  run<T>(
    options: Pick<RequestOptions, 'caller' | 'client'>,
    deadline: Deadline,
    send: (client: MCPClientProtocol) => Promise<T>,
  ): Promise<T> {
    return this.#enqueue(callerOf(options), deadline, () => this.#shared.run({}, deadline, send));
  }

  async #enqueue<T>(caller: Caller, deadline: Deadline, work: () => Promise<T>): Promise<T> {
    const waiting = this.#queue.enter(caller, deadline);
    if (waiting instanceof Promise) await waiting;
    try {
      return await work();
    } finally {
      this.#queue.leave(caller);
      this.#restartIdleTimer();
    }
  }

  /** Sends one request and returns the answer. As `#enqueue`, with one promise less: every call comes here. */
  async send(
    { method, params, headers, awaitsTasks = false, isOfTask = false, onSent }: OutgoingRequest,
    options: HubCallOptions,
    deadline: Deadline,
  ): Promise<JsonObject> {
    const { client, onLog, onElicit, onSample, onRoots, onProgress } = options;
    const caller = callerOf(options);
    const request = { client, onLog, onElicit, onSample, onRoots, inputsPending: 0 };
    const clientOptions = new ManagedRequestOptions(deadline, request, onProgress, headers);
    const waiting = isOfTask ? undefined : this.#queue.enter(caller, deadline);
    if (waiting instanceof Promise) await waiting;
    let lease: ConnectionLease | undefined;
    try {
      const leased = this.#connections.lease(request, method, deadline);
      lease = leased instanceof Promise ? await leased : leased;
      return await lease.connection.run(request, deadline, (opened) => {
        const meta = opened.era === 'modern' && this.#requestMeta.of(client, opened, awaitsTasks);
        onSent?.(opened);
        if (!meta) return opened.request(method, params, clientOptions);
        const _meta = params._meta ? { ...(params._meta as JsonObject), ...meta } : meta;
        // In V8, a spread and a key take ten times as long.
        return opened.request(method, Object.assign({}, params, { _meta }), clientOptions);
      });
    } finally {
      lease?.release();
      if (!isOfTask) this.#queue.leave(caller);
      this.#restartIdleTimer();
    }
  }

  /** Sends a request whose answer no caller waits for. */
  async abandon(request: OutgoingRequest, { client }: HubCallOptions): Promise<void> {
    const { limits, on } = this.#options;
    const subject = { what: request.method, server: this.name };
    await Deadline.run(limits.listTimeoutMs, subject, (deadline) => this.send(request, { client }, deadline)).catch(
      (error: Error) => on.warning(error.message),
    );
  }

  /** Reports to the server that the roots or the log level of a client have changed. */
  clientChanged(client: ServedClient, what: 'roots' | 'logLevel'): Promise<void> {
    return this.#connections.clientChanged(client, what);
  }

  /** Emits `updated` for changes of the resources until the returned function is called. */
  async subscribe(uris: readonly string[], client: ServedClient | undefined, deadline: Deadline): Promise<() => void> {
    const { connection, release, hold } = await this.#connections.lease({ client }, 'resources/subscribe', deadline);
    try {
      const unsubscribe = await this.#enqueue(callerOf({ client }), deadline, () =>
        connection.subscribe(uris, deadline),
      );
      const letGo = hold?.();
      return () => {
        unsubscribe();
        letGo?.();
      };
    } finally {
      release();
    }
  }

  async #onConnected(
    client: MCPClientProtocol,
    subscriptions: ConnectionSubscriptions,
    signal: AbortSignal,
  ): Promise<void> {
    const { vrl } = client.server;
    const { limits, on } = this.#options;
    this.#script = vrl?.trim() ? vrl : undefined;
    if (this.#script !== undefined) compile(this.#script).dispose(); // Throws if it is wrong.
    this.#changedAtStart = false;
    const tools = await this.#toolList.read(client, signal);
    this.#toolList.connected(tools, this.#supervisor.knownEra === null);
    this.clientTools.clear();
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
    if (this.#changedAtStart) this.#refreshTools.request();
  }

  /** A preferred generation is not the server's only one: the next run negotiates again. */
  #saveTools({ era, instructions }: MCPClientProtocol): void {
    const isPreferred = this.#connections.onlyClient?.era === 'legacy';
    this.#toolList.save({ era: isPreferred ? null : era, instructions });
  }

  #onGone(): void {
    const hadWindows = this.#windows?.isEmpty === false;
    this.#windows = undefined;
    if (!this.#startsOnDemand) this.#toolList.dropUnconfirmed();
    this.#options.on.tools();
    if (hadWindows) this.#options.on.windows(null);
  }

  #onNotification(
    connection: ServerConnection,
    method: string,
    params: JsonObject,
    owner: ServedClient | undefined,
  ): void {
    const { on } = this.#options;
    switch (method) {
      case 'notifications/tools/list_changed':
        this.#connections.haveDiverged = true;
        if (connection === this.#shared) this.#refreshTools.request();
        this.clientTools.connectionChanged(connection);
        break;
      case 'notifications/prompts/list_changed':
        this.#connections.haveDiverged = true;
        on.prompts();
        break;
      case 'notifications/resources/list_changed':
        this.#connections.haveDiverged = true;
        on.resources();
        this.#refreshWindows.request();
        break;
      case 'notifications/resources/updated':
        if (typeof params.uri !== 'string') break;
        on.updated(params.uri, isRecord(params._meta) ? (params._meta as JsonObject) : undefined);
        if (this.#windows?.has(params.uri)) on.windows(params.uri);
        break;
      case 'notifications/tasks/status':
        if (typeof params.taskId === 'string') on.task(params, owner);
        break;
      case 'notifications/elicitation/complete':
        if (typeof params.elicitationId === 'string') on.elicitationComplete(params, owner);
        break;
      case 'notifications/message':
        this.#log(connection, typeof params.level === 'string' ? params : { ...params, level: 'info' }, owner);
    }
  }

  #log({ attribution }: ServerConnection, params: JsonObject, owner: ServedClient | undefined): void {
    if (!attribution.log(params)) this.#options.on.log(params, owner ?? attribution.onlyClient);
  }

  async #updateTools(): Promise<void> {
    const client = this.#supervisor.current;
    if (!client) {
      this.#changedAtStart = true; // The list is read again when the connection is ready, or at the next start.
      return;
    }
    try {
      const tools = await Deadline.run(this.#options.limits.startTimeoutMs, { what: 'listing the tools' }, (deadline) =>
        this.#toolList.read(client, deadline.signal),
      );
      if (this.#supervisor.current !== client) return;
      this.#toolList.changed(tools);
      this.clientTools.sharedChanged();
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
      transport: this.#supervisor.current?.usesSse ? 'sse' : this.config.transport.type,
      disabled: this.config.disabled,
      sandboxed: this.config.transport.type === 'stdio' && this.config.transport.sandbox !== undefined,
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

/** In the a2c format, the `timeout` of an HTTP server is that of its HTTP client, not of its calls. */
function callTimeoutOf({ transport, timeouts, origin }: ServerConfig): number | null {
  const isHttp = transport.type === 'streamable_http' || transport.type === 'sse';
  return isHttp && origin.format === 'a2c' ? null : timeouts.timeout;
}
