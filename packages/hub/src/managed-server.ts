import type { JsonObject, ServerConfig } from '@a2c/config';
import type { Progress } from '@modelcontextprotocol/client';
import { CallQueue } from './calls/call-queue.js';
import { ResultTransformer } from './calls/finish-result.js';
import { type Asker, UnderWay } from './calls/under-way.js';
import { attributed } from './connection/attributed.js';
import type { Connection } from './connection/connection.js';
import { isNotFound } from './connection/failures.js';
import { cannotBeFollowed, FollowedResources } from './connection/followed-resources.js';
import { ConnectionKeeper, type KeeperOptions } from './connection/keeper.js';
import { LISTS, listAll } from './connection/list-all.js';
import { Subscriptions } from './connection/subscriptions.js';
import { Deadline, LONGEST_TIMER_MS } from './deadline.js';
import type { ServerState } from './state-machine.js';
import type { ServerStatus } from './status.js';
import type { ToolCache } from './tool-cache.js';
import { type ListedTool, parseTools } from './tools/parse-tool.js';
import { WindowWatch } from './windows/window-watch.js';

/** `lazy`: start on the first call. `idleTimeout`: stop after so many seconds without one; the next call starts it again. */
export interface StartPolicy {
  readonly lazy?: boolean;
  readonly idleTimeout?: number;
}

/** What a server needs of the house around it. */
export interface Surroundings
  extends Pick<KeeperOptions, 'limits' | 'ours' | 'autoReconnect' | 'prepare' | 'openTransport'> {
  readonly startPolicy: StartPolicy;
  readonly cache: ToolCache | null;
  readonly on: {
    readonly state: (state: ServerState, cause: string | null) => void;
    readonly tools: () => void;
    readonly windows: (uri: string | null) => void;
    readonly updated: (uri: string) => void;
    readonly resources: () => void;
    readonly prompts: () => void;
    /** With the client that everything under way is of: what a server logs may hold what its caller sent. */
    readonly log: (params: JsonObject, client: object | undefined) => void;
    readonly warning: (message: string) => void;
  };
}

/** Something asked of a server, whatever it is. */
export interface ServerRequest extends Asker {
  readonly deadline: Deadline;
  readonly headers?: Readonly<Record<string, string>>;
  readonly onProgress?: ((progress: Progress) => void) | undefined;
}

/** One configured server: what it shows, and the requests to it. Its connection is the keeper's. */
export class ManagedServer {
  readonly config: ServerConfig;
  readonly #around: Surroundings;
  readonly #keeper: ConnectionKeeper;
  readonly #queue: CallQueue;
  readonly #underWay: UnderWay;
  #followed = new FollowedResources();
  #windows: WindowWatch | undefined;
  #transformer: ResultTransformer | undefined;
  #tools: readonly ListedTool[] = [];
  #toolsFromCache = false;
  /** Tools that no connection of ours has confirmed are shown until the first one fails. */
  #hasConnected = false;
  #subscriptions: Subscriptions | undefined;
  #refreshing: Promise<void> | undefined;
  #toolsAreStale = false;
  #windowsRefreshing: Promise<void> | undefined;
  #windowsAreStale = false;
  #instructions: string | null = null;
  #eraAskedAt: number | null = null;
  #memorising: Promise<void> = Promise.resolve();
  #idle: NodeJS.Timeout | undefined;

  constructor(config: ServerConfig, around: Surroundings) {
    this.config = config;
    this.#around = around;
    this.#queue = new CallQueue(config.name, around.limits);
    this.#underWay = new UnderWay(around.limits.attributionTimeout);
    this.#keeper = new ConnectionKeeper(config, {
      ...around,
      ours: attributed(around.ours, this.#underWay),
      lazy: this.#mayRest,
      onState: around.on.state,
      onWarning: around.on.warning,
      onConnected: (connection, signal) => this.#onConnected(connection, signal),
      onReady: (connection) => this.#onReady(connection),
      onGone: () => this.#onGone(),
      onNotification: (connection, method, params) => this.#onNotification(connection, method, params),
    });
  }

  get name(): string {
    return this.config.name;
  }

  get active(): boolean {
    return this.#keeper.active;
  }

  get #mayRest(): boolean {
    const { lazy, idleTimeout } = this.#around.startPolicy;
    return lazy === true || idleTimeout !== undefined;
  }

  /** The configuration its tools are judged by: rendered while connected. */
  get effectiveConfig(): ServerConfig {
    return this.#keeper.current?.server ?? this.config;
  }

  /** Tools that can be called, if need be after a start. */
  get tools(): readonly ListedTool[] {
    return this.active ? this.#tools : [];
  }

  get windows(): WindowWatch | undefined {
    return this.#keeper.current && this.#windows;
  }

  get transformer(): ResultTransformer | undefined {
    return this.#transformer;
  }

  /** Brings back what an earlier run learnt. */
  async remember(): Promise<void> {
    const remembered = await this.#around.cache?.read(this.config);
    if (!remembered) return;
    this.#keeper.knownEra = remembered.era;
    this.#eraAskedAt = remembered.eraAskedAt;
    this.#instructions = remembered.instructions;
    this.#tools = remembered.tools;
    this.#toolsFromCache = true;
  }

  /** Takes the place of another, which ends first; its tools are shown until the first list of our own. */
  succeed(previous: ManagedServer): void {
    this.#tools = previous.#tools;
    this.#followed = previous.#followed;
    if (previous.active && !this.config.disabled) this.#keeper.want(); // A call that comes now waits for the start.
    this.#keeper.startAfter(previous.dispose());
  }

  /** Wanted from now on. Resolves when it is connected; a lazy one whose tools are known may rest. */
  async want(): Promise<void> {
    this.#keeper.want();
    const mayWait = this.#around.startPolicy.lazy && this.#toolsFromCache;
    const started = mayWait ? undefined : this.#keeper.start();
    this.#around.on.tools(); // What is known can be shown before the server is there.
    await started;
  }

  async stop(): Promise<void> {
    clearTimeout(this.#idle);
    await this.#keeper.stop();
  }

  /** Stops for good. */
  async dispose(): Promise<void> {
    clearTimeout(this.#idle);
    await this.#keeper.dispose();
    await this.#memorising;
  }

  /** Something done on the long-lived connection, which is made first where that is allowed. */
  async use<T>(request: ServerRequest, action: (connection: Connection) => Promise<T>): Promise<T> {
    const { deadline } = request;
    const ready = () => this.#keeper.current ?? deadline.race(this.#keeper.ready());
    try {
      return await this.#queue.run(deadline.signal, async () => {
        this.#underWay.enter(request);
        const connection = await ready();
        try {
          return await action(connection);
        } catch (error) {
          if (!isNotFound(error) || !connection.hasSession) throw error;
          // The server forgot the session and did not look at the request, so that asking again cannot do it twice.
          this.#keeper.replace(connection);
          return await action(await ready());
        }
      });
    } finally {
      // A server of the older generation may go on with what was given up, and ask.
      this.#underWay.leave(request, deadline.signal.aborted && this.#keeper.current?.era === 'legacy');
      this.#restWhenIdle();
    }
  }

  request(method: string, params: JsonObject, request: ServerRequest): Promise<JsonObject> {
    const { deadline, onProgress, headers } = request;
    const options = { signal: deadline.signal, onProgress, headers, answerers: request };
    return this.use(request, (connection) => connection.request(method, params, options));
  }

  async #onConnected(connection: Connection, signal: AbortSignal): Promise<void> {
    const { vrl } = connection.server;
    this.#transformer = vrl?.trim() ? new ResultTransformer(vrl) : undefined;
    this.#tools = await this.#listTools(connection, signal);
    this.#toolsFromCache = false;
    this.#hasConnected = true;
    this.#instructions = connection.instructions;
    if (this.#keeper.knownEra === null) this.#eraAskedAt = Date.now();
    const subscriptions = new Subscriptions(connection);
    this.#subscriptions = subscriptions;
    this.#windows = new WindowWatch(connection, subscriptions, this.#around.limits, {
      onChange: () => this.#around.on.windows(null),
      onWarning: this.#around.on.warning,
    });
  }

  /** What changed while there was no connection was heard by nobody. */
  async #followAgain(subscriptions: Subscriptions): Promise<void> {
    const deadline = new Deadline(this.#around.limits.listTimeout, 'following again');
    try {
      const failures = await this.#followed.moveTo(subscriptions, deadline.signal);
      for (const [uri, { message }] of failures) {
        this.#around.on.warning(`changes of ${uri} will not be heard for now: ${message}`);
      }
    } finally {
      deadline.release();
    }
    for (const uri of this.#followed.uris) this.#around.on.updated(uri);
  }

  /** Hears of changes of resources until the returned function is called. */
  async follow(uris: readonly string[], request: ServerRequest): Promise<() => void> {
    const followed = this.#followed;
    await this.use(request, async ({ capabilities }) => {
      if (!capabilities.resources?.subscribe) throw cannotBeFollowed(this.name);
      await followed.add(uris, request.deadline.signal);
    });
    return () => followed.remove(uris);
  }

  #onReady(connection: Connection): void {
    this.#around.on.tools();
    this.#memorise(connection);
    this.#restWhenIdle();
    void this.#refreshWindows();
    if (this.#subscriptions) void this.#followAgain(this.#subscriptions);
  }

  #onGone(): void {
    this.#underWay.forgetLingering();
    const hadWindows = this.#windows?.isEmpty === false;
    this.#windows = undefined;
    // Tools that no server has shown in this run are not offered once it cannot be started.
    if (!this.#hasConnected && !this.#mayRest) this.#tools = [];
    this.#around.on.tools();
    if (hadWindows) this.#around.on.windows(null);
  }

  async #listTools(connection: Connection, signal: AbortSignal): Promise<readonly ListedTool[]> {
    const { limits, on } = this.#around;
    const pages = { pages: limits.listPages, items: limits.toolsPerServer };
    return parseTools(await listAll(connection, LISTS.tools, pages, signal, on.warning), on.warning);
  }

  #memorise({ era, instructions }: Connection): void {
    const warn = (error: Error) => this.#around.on.warning(`its tools could not be remembered: ${error.message}`);
    const entry = { era, eraAskedAt: this.#eraAskedAt ?? Date.now(), instructions, tools: this.#tools };
    // One after the other, so that the latest list is the one that stays.
    this.#memorising = this.#memorising.then(() => this.#around.cache?.write(this.config, entry)).catch(warn);
  }

  #onNotification(connection: Connection, method: string, params: JsonObject): void {
    const { on } = this.#around;
    switch (method) {
      case 'notifications/tools/list_changed':
        this.#toolsAreStale = true;
        this.#refreshing ??= this.#refreshTools(connection).finally(() => {
          this.#refreshing = undefined;
        });
        break;
      case 'notifications/prompts/list_changed':
        on.prompts();
        break;
      case 'notifications/resources/list_changed':
        on.resources();
        void this.#refreshWindows();
        break;
      case 'notifications/resources/updated':
        if (typeof params.uri !== 'string') break;
        on.updated(params.uri);
        if (this.#windows?.has(params.uri)) on.windows(params.uri);
        break;
      case 'notifications/message':
        on.log(params, this.#underWay.onlyClient);
    }
  }

  /** However many announcements arrive while the list is read, it is read once more. */
  async #refreshTools(connection: Connection): Promise<void> {
    while (this.#toolsAreStale && this.#keeper.current === connection) {
      this.#toolsAreStale = false;
      const deadline = new Deadline(this.#around.limits.startTimeout, 'listing the tools');
      try {
        const tools = await this.#listTools(connection, deadline.signal);
        if (this.#keeper.current !== connection) return;
        this.#tools = tools;
        this.#around.on.tools();
        this.#memorise(connection);
      } catch (error) {
        this.#warnWhileConnected('its tools changed but could not be listed', error);
      } finally {
        deadline.release();
      }
    }
  }

  /** However many announcements arrive while the windows are listed, they are listed once more. */
  #refreshWindows(): Promise<void> {
    this.#windowsAreStale = true;
    this.#windowsRefreshing ??= this.#listWindows().finally(() => {
      this.#windowsRefreshing = undefined;
    });
    return this.#windowsRefreshing;
  }

  async #listWindows(): Promise<void> {
    while (this.#windowsAreStale) {
      this.#windowsAreStale = false;
      try {
        await this.windows?.list();
      } catch (error) {
        this.#warnWhileConnected('its windows could not be listed', error);
      }
    }
  }

  /** A connection that ended says so itself. */
  #warnWhileConnected(what: string, error: unknown): void {
    if (this.#keeper.current) this.#around.on.warning(`${what}: ${(error as Error).message}`);
  }

  /** Stops a server nobody has called for a while; the next call starts it again. */
  #restWhenIdle(): void {
    const { idleTimeout } = this.#around.startPolicy;
    clearTimeout(this.#idle);
    if (idleTimeout === undefined) return;
    const rest = () => {
      if (this.#underWay.isEmpty) void this.#keeper.rest();
    };
    this.#idle = setTimeout(rest, Math.min(idleTimeout * 1_000, LONGEST_TIMER_MS)).unref();
  }

  status(conflicts: readonly string[]): ServerStatus {
    return {
      name: this.name,
      transport: this.config.transport.type,
      disabled: this.config.disabled,
      ...this.#keeper.status(),
      instructions: this.#instructions,
      tools: this.tools.length,
      toolsFromCache: this.#toolsFromCache,
      conflicts,
      callsInFlight: this.#queue.inFlight,
      callsQueued: this.#queue.waiting,
    };
  }
}
