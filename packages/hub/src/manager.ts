import { EventEmitter } from 'node:events';
import {
  type ClientConfig,
  type JsonObject,
  resolveServer,
  type ServerConfig,
  TrustError,
  TrustGuard,
  UNTRUSTED,
} from '@a2c/config';
import type { Window, WindowResource } from '@a2c/protocol';
import type { Progress } from '@modelcontextprotocol/client';
import { checkArguments } from './calls/check-arguments.js';
import { finishResult, type ToolResult } from './calls/finish-result.js';
import { parameterHeaders } from './calls/parameter-headers.js';
import { LISTS, listAll } from './connection/list-all.js';
import type { Answerers, OurSide } from './connection/our-side.js';
import { Deadline } from './deadline.js';
import { HubError, ToolNameDuplicatedError } from './errors.js';
import { Lane } from './lane.js';
import { HUB_LIMITS, type HubLimits } from './limits.js';
import { ManagedServer, type StartPolicy, type Surroundings } from './managed-server.js';
import type { ServerState } from './state-machine.js';
import type { ServerStatus } from './status.js';
import { ToolCache } from './tool-cache.js';
import { nearest } from './tools/nearest.js';
import { isRecord } from './tools/parse-tool.js';
import { type AvailableTool, ToolTable } from './tools/tool-table.js';
import { openTransport } from './transports/open-transport.js';

export interface ManagerOptions extends Answerers {
  /** Stands between configuration and the world; asked before every start. Absent: nothing is trusted. */
  readonly guard?: TrustGuard;
  /** Fills in placeholders right before a start. Absent: those of the environment. */
  readonly prepare?: (server: ServerConfig) => Promise<ServerConfig>;
  /** Start servers as they are added. Default true. */
  readonly autoConnect?: boolean;
  /** Come back after a lost connection, and restart on an update. Default true. */
  readonly autoReconnect?: boolean;
  /** What a configuration says about us. */
  readonly client?: ClientConfig | null;
  readonly clientInfo?: { readonly name: string; readonly version: string };
  /** Which servers start on their first call, and when they rest. Absent: all start at once and stay. */
  readonly startPolicy?: (server: ServerConfig) => StartPolicy;
  /** Where tool lists are remembered between runs; null: nowhere. */
  readonly cacheFolder?: string | null;
  /** What a `stdout_log` must stay inside. Default: the working directory. */
  readonly root?: string;
  readonly limits?: Partial<HubLimits>;
}

export interface RequestOptions {
  /** Seconds. Absent: what the server's configuration says, else `limits.callTimeout`. */
  readonly timeout?: number | undefined;
  readonly signal?: AbortSignal | undefined;
}

export interface CallOptions extends RequestOptions, Answerers {
  readonly onProgress?: ((progress: Progress) => void) | undefined;
  /** Joined into the request's `_meta`: trace context and the like. */
  readonly meta?: JsonObject | undefined;
}

/** What happens in the hub, for whoever shows or forwards it. */
export interface HubEvents {
  state: [{ readonly server: string; readonly state: ServerState; readonly cause: string | null }];
  /** The tools are other ones than before. */
  tools: [];
  /** A window changed, or with `uri: null` the set of a server's windows. */
  windows: [{ readonly server: string; readonly uri: string | null }];
  resources: [{ readonly server: string }];
  prompts: [{ readonly server: string }];
  /** A server's `notifications/message`. */
  log: [{ readonly server: string; readonly level: string; readonly logger: string | null; readonly data: unknown }];
  /** Something went wrong that stops nothing. */
  warning: [{ readonly server: string; readonly message: string }];
}

/** The pool of MCP connections: every server a person owns behind one door. */
export class MCPServerManager extends EventEmitter<HubEvents> {
  readonly #options: ManagerOptions;
  readonly #limits: HubLimits;
  readonly #guard: TrustGuard;
  readonly #cache: ToolCache | null;
  readonly #servers = new Map<string, ManagedServer>();
  /** Changes of the set are ordered; what happens inside one server is ordered by the server. */
  readonly #changes = new Lane();
  #table = ToolTable.EMPTY;
  #fingerprint = '';

  constructor(options: ManagerOptions = {}) {
    super();
    this.#options = options;
    this.#limits = { ...HUB_LIMITS, ...options.limits };
    this.#guard = options.guard ?? new TrustGuard(UNTRUSTED);
    this.#cache = options.cacheFolder ? new ToolCache(options.cacheFolder) : null;
  }

  /** Replaces everything. Servers start side by side; one that cannot is in state `error` and says why. */
  initialize(servers: readonly ServerConfig[]): Promise<void> {
    return this.#changes.run(async () => {
      await this.#stopAndForgetAll();
      for (const config of servers) this.#servers.set(config.name, this.#manage(config));
      await Promise.all(this.#all.map((server) => server.remember()));
      if (this.#options.autoConnect ?? true) await this.startAll();
    });
  }

  /**
   * Adds a server, or gives a running one a new configuration. A tool name that another server has is refused and
   * everything is as it was. A server that cannot be started is kept, in state `error`; the answer says so.
   */
  addOrUpdateServer(config: ServerConfig): Promise<ServerStatus> {
    return this.#changes.run(async () => {
      const previous = this.#servers.get(config.name);
      const wasActive = previous?.active === true;
      if (wasActive && !(this.#options.autoReconnect ?? true)) {
        const message = `Server ${config.name} is active. Stop it before updating config`;
        throw new HubError('refused', message, { server: config.name });
      }
      await previous?.stop();
      const server = this.#manage(config);
      this.#servers.set(config.name, server);
      await server.remember();
      if (!config.disabled && (wasActive || (this.#options.autoConnect ?? true))) {
        await server.want().catch(() => {}); // Its status says why.
      }
      const conflict = this.#table.conflicts.find(({ left }) => left === config.name);
      if (!conflict) return this.#statusOf(server);
      await server.stop();
      if (previous) this.#servers.set(config.name, previous);
      else this.#servers.delete(config.name);
      this.#rebuildTable();
      if (wasActive) await previous?.want().catch(() => {});
      throw new ToolNameDuplicatedError(conflict.displayName, [conflict.kept, conflict.left]);
    });
  }

  removeServer(name: string): Promise<void> {
    return this.#changes.run(async () => {
      await this.#get(name).stop();
      this.#servers.delete(name);
      this.#rebuildTable();
    });
  }

  /** Every server that is not disabled, side by side; each failure is that server's state. */
  async startAll(): Promise<void> {
    const enabled = this.#all.filter(({ config }) => !config.disabled);
    await Promise.all(enabled.map((server) => server.want().catch(() => {})));
  }

  async startClient(name: string): Promise<void> {
    await this.#get(name).want();
  }

  async stopClient(name: string): Promise<void> {
    await this.#get(name).stop();
  }

  async stopAll(): Promise<void> {
    await Promise.all(this.#all.map((server) => server.stop()));
  }

  async close(): Promise<void> {
    await this.stopAll(); // At once: what is still starting need not be waited for.
    await this.#changes.run(() => this.#stopAndForgetAll());
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  async #stopAndForgetAll(): Promise<void> {
    await this.stopAll();
    this.#servers.clear();
    this.#rebuildTable();
  }

  /** In configuration order. */
  status(): readonly ServerStatus[] {
    return this.#all.map((server) => this.#statusOf(server));
  }

  #statusOf(server: ManagedServer): ServerStatus {
    const conflicts = this.#table.conflicts.filter(({ left }) => left === server.name);
    return server.status(conflicts.map(({ displayName }) => displayName));
  }

  /** As configured: nothing is filled in. */
  servers(): readonly ServerConfig[] {
    return this.#all.map(({ config }) => config);
  }

  // ── Tools ──

  /** One flat list; of two servers with one tool name, the one that had it first has it. */
  availableTools(): readonly AvailableTool[] {
    return this.#table.all();
  }

  /** The tools of one server, also those whose name another server has. */
  toolsOf(server: string): readonly AvailableTool[] {
    this.#get(server);
    return this.#table.of(server);
  }

  /** How many tools each server has. */
  toolStats(): ReadonlyMap<string, number> {
    return this.#table.stats();
  }

  /** The tool a name or alias stands for, if it may be called. */
  validateToolCall(nameOrAlias: string): AvailableTool {
    return this.#table.find(nameOrAlias);
  }

  executeTool(nameOrAlias: string, parameters: JsonObject, options?: CallOptions): Promise<ToolResult> {
    const { server, name } = this.#table.find(nameOrAlias);
    return this.callTool(server, name, parameters, options);
  }

  /** One call on the long-lived connection: checked, bounded in time, told of when given up, and marked with what its owner says. */
  async callTool(server: string, tool: string, parameters: JsonObject, options: CallOptions = {}): Promise<ToolResult> {
    const managed = this.#get(server);
    const deadline = this.#deadline(managed, options, `the call of "${tool}"`);
    try {
      await managed.connection(deadline); // First, because a server that was away may have learnt new tools.
      const entry = this.#table.findIn(server, tool);
      checkArguments(entry, parameters);
      const params = { name: entry.name, arguments: parameters, ...(options.meta && { _meta: options.meta }) };
      const headers = parameterHeaders(entry.tool.inputSchema, parameters);
      const answer = await managed.request('tools/call', params, { ...options, headers, deadline });
      return this.#transform(managed, entry, parameters, finishResult(answer, entry), deadline);
    } finally {
      deadline.release();
    }
  }

  #transform(
    { name, transformer }: ManagedServer,
    entry: AvailableTool,
    parameters: JsonObject,
    result: ToolResult,
    { remainingMs }: Deadline,
  ): ToolResult {
    try {
      return transformer?.transform(result, entry.name, parameters, remainingMs) ?? result;
    } catch (error) {
      const message = `the VRL script failed on a result of "${entry.name}": ${(error as Error).message}`;
      this.emit('warning', { server: name, message });
      return result;
    }
  }

  // ── Windows ──

  async listWindows(uri?: string): Promise<readonly { readonly server: string; readonly resource: WindowResource }[]> {
    const lists = await Promise.all(this.#all.map((server) => this.#windowsOf(server, uri)));
    return lists.flat();
  }

  async getWindowsDetails(uri?: string): Promise<readonly Window[]> {
    const details = this.#all.map(async (server) => {
      const windows = await this.#windowsOf(server, uri);
      const watch = server.windows;
      return watch ? Promise.all(windows.map(({ resource }) => watch.read(resource))) : [];
    });
    return (await Promise.all(details)).flat();
  }

  /** A server that is slow or fails costs its own windows only. */
  async #windowsOf(server: ManagedServer, uri: string | undefined) {
    try {
      const resources = (await server.windows?.list()) ?? [];
      return resources
        .filter((resource) => uri === undefined || resource.uri === uri)
        .map((resource) => ({ server: server.name, resource }));
    } catch (error) {
      this.emit('warning', {
        server: server.name,
        message: `its windows could not be listed: ${(error as Error).message}`,
      });
      return [];
    }
  }

  // ── Everything else MCP has ──

  listResources(server: string, options?: RequestOptions): Promise<readonly JsonObject[]> {
    return this.#list(server, 'resources', options);
  }

  listResourceTemplates(server: string, options?: RequestOptions): Promise<readonly JsonObject[]> {
    return this.#list(server, 'resourceTemplates', options);
  }

  listPrompts(server: string, options?: RequestOptions): Promise<readonly JsonObject[]> {
    return this.#list(server, 'prompts', options);
  }

  readResource(server: string, uri: string, options?: CallOptions): Promise<JsonObject> {
    return this.request(server, 'resources/read', { uri }, options);
  }

  getPrompt(
    server: string,
    name: string,
    args: Readonly<Record<string, string>> = {},
    options?: CallOptions,
  ): Promise<JsonObject> {
    return this.request(server, 'prompts/get', { name, arguments: { ...args } }, options);
  }

  /** Any request, and its result as it came. */
  async request(
    server: string,
    method: string,
    params: JsonObject = {},
    options: CallOptions = {},
  ): Promise<JsonObject> {
    const managed = this.#get(server);
    const deadline = this.#deadline(managed, options, method);
    try {
      const meta = options.meta && { _meta: { ...(isRecord(params._meta) && params._meta), ...options.meta } };
      return await managed.request(method, { ...params, ...meta }, { ...options, deadline });
    } finally {
      deadline.release();
    }
  }

  async notify(server: string, method: string, params: JsonObject = {}): Promise<void> {
    await this.#get(server).notify(method, params);
  }

  async #list(server: string, list: keyof typeof LISTS, options: RequestOptions = {}): Promise<readonly JsonObject[]> {
    const managed = this.#get(server);
    const deadline = this.#deadline(managed, options, LISTS[list].method);
    const warn = (message: string) => this.emit('warning', { server, message });
    try {
      const connection = await managed.connection(deadline);
      const limits = { pages: this.#limits.listPages, items: Number.POSITIVE_INFINITY };
      const items = await listAll(connection, LISTS[list], limits, deadline.signal, warn);
      return items.filter(isRecord) as JsonObject[];
    } finally {
      deadline.release();
    }
  }

  #deadline({ config }: ManagedServer, { timeout, signal }: RequestOptions, what: string): Deadline {
    return new Deadline(timeout ?? config.timeouts.timeout ?? this.#limits.callTimeout, what, signal);
  }

  // ── Inside ──

  get #all(): ManagedServer[] {
    return [...this.#servers.values()];
  }

  #get(name: string): ManagedServer {
    const server = this.#servers.get(name);
    if (server) return server;
    const message = `there is no server "${name}"${nearest(name, [...this.#servers.keys()])}`;
    throw new HubError('unknown-server', message, { server: name });
  }

  #manage(config: ServerConfig): ManagedServer {
    const { prepare, startPolicy, autoReconnect = true, root = process.cwd() } = this.#options;
    const server = config.name;
    const around: Surroundings = {
      limits: this.#limits,
      ours: this.#ourSide(),
      autoReconnect,
      startPolicy: startPolicy?.(config) ?? {},
      cache: this.#cache,
      prepare: async (raw) => {
        const refusals = this.#guard.judge(raw); // Before anything is filled in for it.
        if (refusals.length > 0) throw new TrustError(refusals);
        return prepare ? prepare(raw) : resolveServer(raw, { trusted: this.#guard.policy.trusted, root });
      },
      openTransport: (resolved) => openTransport(resolved, { guard: this.#guard, root, limits: this.#limits }),
      on: {
        state: (state, cause) => this.emit('state', { server, state, cause }),
        tools: () => this.#rebuildTable(),
        windows: (uri) => this.emit('windows', { server, uri }),
        resources: () => this.emit('resources', { server }),
        prompts: () => this.emit('prompts', { server }),
        log: ({ level, logger, data }) =>
          this.emit('log', { server, level: String(level), logger: typeof logger === 'string' ? logger : null, data }),
        warning: (message) => this.emit('warning', { server, message }),
      },
    };
    return new ManagedServer(config, around);
  }

  #ourSide(): OurSide {
    const { clientInfo = { name: 'a2c', version: '0.1.0' }, client = null, onElicit, onSample } = this.#options;
    return { clientInfo, client, onElicit, onSample };
  }

  /** Built aside and swapped whole; whoever lists or calls meanwhile uses the old one. */
  #rebuildTable(): void {
    const sources = this.#all.map(({ effectiveConfig, tools }) => ({ config: effectiveConfig, tools }));
    const before = this.#table;
    this.#table = new ToolTable(sources, before);
    for (const { displayName, kept, left } of this.#table.conflicts) {
      if (before.conflicts.some((known) => known.displayName === displayName && known.left === left)) continue;
      const message = `its tool "${displayName}" is hidden by the one of "${kept}": give one of them an alias in tool_meta`;
      this.emit('warning', { server: left, message });
    }
    const fingerprint = JSON.stringify(this.#all.map(({ name }) => [name, this.#table.of(name)]));
    if (fingerprint === this.#fingerprint) return;
    this.#fingerprint = fingerprint;
    this.emit('tools');
  }
}
