import type { JsonObject, ServerConfig } from '@a2c/config';
import { timerMs } from '@a2c/protocol';
import type { HubCallOptions, RequestOptions } from '../calls/call-options.js';
import { CallQueue } from '../calls/call-queue.js';
import { CheckThread } from '../calls/check-thread.js';
import { ResultTransformer } from '../calls/finish-result.js';
import { isNotFound } from '../clients/explain-failure.js';
import type { MCPClientProtocol } from '../clients/mcp-client.js';
import { Deadline } from '../deadline.js';
import { HubError } from '../errors.js';
import { type PinOptions, ServerPins } from '../pins/server-pins.js';
import { CoalescedTask } from '../serial-queue.js';
import type { ListedTool } from '../tools/parse-tool.js';
import type { ToolCache } from '../tools/tool-cache.js';
import { ToolList } from '../tools/tool-list.js';
import { ServerWindows } from '../windows/server-windows.js';
import { ConnectionSupervisor, type SupervisorOptions } from './connection-supervisor.js';
import { type PendingRequest, RequestAttribution } from './request-attribution.js';
import { CallerSubscriptions, ConnectionSubscriptions, subscriptionsNotSupported } from './resource-subscriptions.js';
import type { ServerState } from './state-machine.js';
import type { ServerStatus } from './status.js';

/** When a server starts and stops. */
export interface StartPolicy {
  /** Start on the first call, if the tools are known from an earlier run. */
  readonly lazy?: boolean;
  /** Stop after this many seconds without a call. The next call starts the server again. */
  readonly idleTimeout?: number;
}

export interface ManagedServerOptions
  extends Pick<
    SupervisorOptions,
    'guard' | 'root' | 'limits' | 'handlers' | 'autoReconnect' | 'prepare' | 'createClient' | 'loginOf'
  > {
  readonly startPolicy: StartPolicy;
  readonly cache: ToolCache | null;
  readonly pins: PinOptions | null;
  readonly on: {
    readonly state: (state: ServerState, cause: string | null) => void;
    readonly tools: () => void;
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
  readonly #supervisor: ConnectionSupervisor;
  readonly #queue: CallQueue;
  /** One per server, so that a costly schema delays only the calls of its own server. */
  readonly checkThread: CheckThread;
  readonly #attribution: RequestAttribution;
  readonly #toolList: ToolList;
  readonly #pins: ServerPins | null;
  readonly #refreshTools = new CoalescedTask(() => this.#updateTools());
  readonly #refreshWindows = new CoalescedTask(() => this.#updateWindows());
  #callerSubscriptions = new CallerSubscriptions();
  #connectionSubscriptions: ConnectionSubscriptions | undefined;
  #windows: ServerWindows | undefined;
  #transformer: ResultTransformer | undefined;
  #idleTimer: NodeJS.Timeout | undefined;

  constructor(config: ServerConfig, options: ManagedServerOptions) {
    const { limits, cache, on } = options;
    this.config = config;
    this.#options = options;
    this.#queue = new CallQueue(config.name, limits);
    this.checkThread = new CheckThread(limits.argumentCheckMs);
    this.#attribution = new RequestAttribution(limits.attributionTimeoutMs);
    this.#pins = options.pins && new ServerPins(config, { ...options.pins, root: options.root, onWarning: on.warning });
    this.#toolList = new ToolList(config, { limits, cache, pins: this.#pins, onWarning: on.warning });
    this.#supervisor = new ConnectionSupervisor(config, {
      ...options,
      handlers: this.#attribution.attribute(options.handlers),
      lazy: this.#startsOnDemand,
      onState: on.state,
      onWarning: on.warning,
      onConnected: (client, signal) => this.#onConnected(client, signal),
      onReady: (client) => this.#onReady(client),
      onGone: () => this.#onGone(),
      onNotification: (_client, method, params) => this.#onNotification(method, params),
    });
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
    this.#callerSubscriptions = previous.#callerSubscriptions;
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
    await this.#supervisor.stop();
  }

  /** Stops permanently. */
  async dispose(): Promise<void> {
    clearTimeout(this.#idleTimer);
    this.checkThread.close(new HubError('not-connected', 'the server was stopped', { server: this.name }));
    await this.#supervisor.dispose();
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

  /** Returns the connection; connects first if that is allowed. */
  async ready(deadline: Deadline): Promise<MCPClientProtocol> {
    return this.#supervisor.current ?? deadline.race(this.#supervisor.ready());
  }

  /** Runs one request: waits for a free place in the queue and for the connection. */
  async run<T>(
    request: PendingRequest,
    deadline: Deadline,
    send: (client: MCPClientProtocol) => Promise<T>,
  ): Promise<T> {
    try {
      return await this.#queue.run(deadline.signal, async () => {
        this.#attribution.add(request);
        const client = await this.ready(deadline);
        try {
          return await send(client);
        } catch (error) {
          if (!isNotFound(error) || !client.hasSession) throw error;
          // The server has lost the session and did not process the request: repeating it is safe.
          this.#supervisor.replace(client);
          return await send(await this.ready(deadline));
        }
      });
    } finally {
      // A legacy server may continue to work on a request that the client abandoned.
      const isAbandoned = deadline.signal.aborted && this.#supervisor.current?.era === 'legacy';
      this.#attribution.remove(request, isAbandoned);
      this.#restartIdleTimer();
    }
  }

  /** Sends one request and returns the answer. */
  send({ method, params, headers }: OutgoingRequest, options: HubCallOptions, deadline: Deadline): Promise<JsonObject> {
    const clientOptions = { signal: deadline.signal, onProgress: options.onProgress, headers, handlers: options };
    // A copy: the same options object may be used for several requests.
    return this.run({ ...options }, deadline, (client) => client.request(method, params, clientOptions));
  }

  /** Emits `updated` for changes of the resources until the returned function is called. */
  async subscribe(uris: readonly string[], deadline: Deadline): Promise<() => void> {
    const subscriptions = this.#callerSubscriptions;
    await this.run({}, deadline, async ({ capabilities }) => {
      if (!capabilities.resources?.subscribe) throw subscriptionsNotSupported(this.name);
      await subscriptions.add(uris, deadline.signal);
    });
    return () => subscriptions.remove(uris);
  }

  async #onConnected(client: MCPClientProtocol, signal: AbortSignal): Promise<void> {
    const { vrl } = client.server;
    const { limits, on } = this.#options;
    this.#transformer = vrl?.trim() ? new ResultTransformer(vrl) : undefined;
    const tools = await this.#toolList.read(client, signal);
    this.#toolList.connected(tools, client, this.#supervisor.knownEra === null);
    const subscriptions = new ConnectionSubscriptions(client);
    this.#connectionSubscriptions = subscriptions;
    this.#windows = new ServerWindows(client, {
      limits,
      subscriptions,
      onChange: () => on.windows(null),
      onWarning: on.warning,
    });
  }

  #onReady(client: MCPClientProtocol): void {
    this.#options.on.tools();
    this.#toolList.save(client);
    this.#restartIdleTimer();
    this.#refreshWindows.request();
    if (this.#connectionSubscriptions) void this.#resubscribe(this.#connectionSubscriptions);
  }

  /** Changes during the disconnection were missed: report every subscribed resource as updated. */
  async #resubscribe(connection: ConnectionSubscriptions): Promise<void> {
    const { limits, on } = this.#options;
    await Deadline.run(limits.listTimeoutMs, { what: 'subscribing again' }, async ({ signal }) => {
      const failures = await this.#callerSubscriptions.moveTo(connection, signal);
      for (const [uri, { message }] of failures) on.warning(`cannot subscribe to ${uri}: ${message}`);
    });
    for (const uri of this.#callerSubscriptions.uris) on.updated(uri);
  }

  #onGone(): void {
    this.#attribution.forgetAbandoned();
    const hadWindows = this.#windows?.isEmpty === false;
    this.#windows = undefined;
    if (!this.#startsOnDemand) this.#toolList.dropUnconfirmed();
    this.#options.on.tools();
    if (hadWindows) this.#options.on.windows(null);
  }

  #onNotification(method: string, params: JsonObject): void {
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
        on.log(params, this.#attribution.onlyClient);
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
      this.#toolList.save(client);
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
      if (this.#attribution.isIdle) void this.#supervisor.disconnectIdle();
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

/** In the a2c format, the `timeout` of an HTTP server is that of its HTTP client, not of its calls. */
function callTimeoutOf({ transport, timeouts, origin }: ServerConfig): number | null {
  const isHttp = transport.type === 'streamable_http' || transport.type === 'sse';
  return isHttp && origin.format === 'a2c' ? null : timeouts.timeout;
}
