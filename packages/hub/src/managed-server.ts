import type { JsonObject, ServerConfig } from '@a2c/config';
import type { Progress } from '@modelcontextprotocol/client';
import { CallQueue } from './calls/call-queue.js';
import { ResultTransformer } from './calls/finish-result.js';
import type { Connection } from './connection/connection.js';
import { isSessionGone } from './connection/failures.js';
import { ConnectionKeeper, type KeeperOptions } from './connection/keeper.js';
import { LISTS, listAll } from './connection/list-all.js';
import type { Answerers, OurSide } from './connection/our-side.js';
import { Deadline } from './deadline.js';
import type { ServerState } from './state-machine.js';
import type { ServerStatus } from './status.js';
import type { ToolCache } from './tool-cache.js';
import { type ListedTool, parseTools } from './tools/parse-tool.js';
import { WindowWatch } from './windows/window-watch.js';

/** Start on the first call, stop after so many seconds without one. */
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
    readonly resources: () => void;
    readonly prompts: () => void;
    readonly log: (params: JsonObject) => void;
    readonly warning: (message: string) => void;
  };
}

/** A request to a server, whatever it is. */
export interface ServerRequest extends Answerers {
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
  /** Requests under way, whose callers can answer questions. */
  readonly #underWay = new Set<ServerRequest>();
  #windows: WindowWatch | undefined;
  #transformer: ResultTransformer | undefined;
  #tools: readonly ListedTool[] = [];
  #toolsFromCache = false;
  #toolsAreStale = false;
  #instructions: string | null = null;
  #idle: NodeJS.Timeout | undefined;

  constructor(config: ServerConfig, around: Surroundings) {
    this.config = config;
    this.#around = around;
    this.#queue = new CallQueue(config.name, around.limits);
    this.#keeper = new ConnectionKeeper(config, {
      ...around,
      ours: this.#ourSide(),
      lazy: around.startPolicy.lazy === true,
      onState: around.on.state,
      onWarning: around.on.warning,
      onConnected: (connection, signal) => this.#onConnected(connection, signal),
      onReady: (connection) => this.#onReady(connection),
      onGone: around.on.tools,
      onNotification: (connection, method, params) => this.#onNotification(connection, method, params),
    });
  }

  get name(): string {
    return this.config.name;
  }

  get active(): boolean {
    return this.#keeper.active;
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
    this.#instructions = remembered.instructions;
    this.#tools = remembered.tools;
    this.#toolsFromCache = true;
  }

  /** Wanted from now on. Resolves when it is connected; a lazy one whose tools are known may rest. */
  async want(): Promise<void> {
    this.#keeper.want();
    const mayRest = this.#around.startPolicy.lazy && this.#toolsFromCache;
    const started = mayRest ? undefined : this.#keeper.start();
    if (this.#toolsFromCache) this.#around.on.tools(); // They can be shown before the server is there.
    await started;
  }

  async stop(): Promise<void> {
    clearTimeout(this.#idle);
    await this.#keeper.stop();
  }

  /** Its connection, made if need be, for those who look at more than one answer. */
  connection(deadline: Deadline): Promise<Connection> {
    return deadline.race(this.#keeper.ready());
  }

  /** One request on the long-lived connection, which is made first where that is allowed. */
  async request(method: string, params: JsonObject, request: ServerRequest): Promise<JsonObject> {
    const { deadline, onProgress, headers } = request;
    const { signal } = deadline;
    const send = (connection: Connection) => connection.request(method, params, { signal, onProgress, headers });
    this.#underWay.add(request);
    try {
      return await this.#queue.run(signal, async () => {
        const connection = await this.connection(deadline);
        try {
          return await send(connection);
        } catch (error) {
          if (!isSessionGone((error as Error).cause)) throw error;
          // The server did not look at it, so that asking again cannot do it twice.
          this.#keeper.replace(connection);
          return await send(await this.connection(deadline));
        }
      });
    } finally {
      this.#underWay.delete(request);
      this.#restWhenIdle();
    }
  }

  async notify(method: string, params: JsonObject): Promise<void> {
    await (await this.#keeper.ready()).notify(method, params);
  }

  async #onConnected(connection: Connection, signal: AbortSignal): Promise<void> {
    const { vrl } = connection.server;
    this.#transformer = vrl?.trim() ? new ResultTransformer(vrl) : undefined;
    this.#tools = await this.#listTools(connection, signal);
    this.#toolsFromCache = false;
    this.#instructions = connection.instructions;
    this.#windows = new WindowWatch(connection, this.#around.limits, this.#around.on.warning);
  }

  #onReady(connection: Connection): void {
    this.#around.on.tools();
    this.#memorise(connection);
    this.#restWhenIdle();
    void this.#refreshWindows();
  }

  #ourSide(): OurSide {
    const { onElicit, onSample } = this.#around.ours;
    return {
      ...this.#around.ours,
      onElicit: onElicit && ((params, context) => (this.#onlyCaller?.onElicit ?? onElicit)(params, context)),
      onSample: onSample && ((params, context) => (this.#onlyCaller?.onSample ?? onSample)(params, context)),
    };
  }

  /** A server does not say which call its question belongs to. When only one can have caused it, its caller answers. */
  get #onlyCaller(): Answerers | undefined {
    const [only, ...others] = this.#underWay;
    return others.length === 0 ? only : undefined;
  }

  async #listTools(connection: Connection, signal: AbortSignal): Promise<readonly ListedTool[]> {
    const { limits, on } = this.#around;
    const pages = { pages: limits.listPages, items: limits.toolsPerServer };
    return parseTools(await listAll(connection, LISTS.tools, pages, signal, on.warning), on.warning);
  }

  #memorise({ era, instructions }: Connection): void {
    const warn = (error: Error) => this.#around.on.warning(`its tools could not be remembered: ${error.message}`);
    this.#around.cache?.write(this.config, { era, instructions, tools: this.#tools }).catch(warn);
  }

  #onNotification(connection: Connection, method: string, params: JsonObject): void {
    const { on } = this.#around;
    switch (method) {
      case 'notifications/tools/list_changed':
        void this.#refreshTools(connection);
        break;
      case 'notifications/prompts/list_changed':
        on.prompts();
        break;
      case 'notifications/resources/list_changed':
        on.resources();
        void this.#refreshWindows();
        break;
      case 'notifications/resources/updated':
        if (typeof params.uri === 'string' && this.#windows?.has(params.uri)) on.windows(params.uri);
        break;
      case 'notifications/message':
        on.log(params);
    }
  }

  /** Announcements that arrive before the list is read again are answered by one reading. */
  async #refreshTools(connection: Connection): Promise<void> {
    if (this.#toolsAreStale) return;
    this.#toolsAreStale = true;
    await this.#keeper.inOrder(async () => {
      this.#toolsAreStale = false;
      if (this.#keeper.current !== connection) return;
      const deadline = new Deadline(this.#around.limits.startTimeout, 'listing the tools');
      try {
        this.#tools = await this.#listTools(connection, deadline.signal);
        this.#around.on.tools();
        this.#memorise(connection);
      } catch (error) {
        this.#warnWhileConnected('its tools changed but could not be listed', error);
      } finally {
        deadline.release();
      }
    });
  }

  async #refreshWindows(): Promise<void> {
    try {
      if (await this.#windows?.refresh()) this.#around.on.windows(null);
    } catch (error) {
      this.#warnWhileConnected('its windows could not be listed', error);
    }
  }

  /** A connection that ended says so itself. */
  #warnWhileConnected(what: string, error: unknown): void {
    if (this.#keeper.current) this.#around.on.warning(`${what}: ${(error as Error).message}`);
  }

  /** Stops a server nobody has called for a while; the next call starts it again. */
  #restWhenIdle(): void {
    const { lazy, idleTimeout } = this.#around.startPolicy;
    clearTimeout(this.#idle);
    if (!lazy || !idleTimeout) return;
    this.#idle = setTimeout(() => {
      if (this.#underWay.size === 0) void this.#keeper.rest();
    }, idleTimeout * 1_000).unref();
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
