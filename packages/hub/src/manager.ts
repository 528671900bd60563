import { EventEmitter } from 'node:events';
import { type JsonObject, resolveServer, type ServerConfig, TrustError, TrustGuard, UNTRUSTED } from '@a2c/config';
import type { Window, WindowResource } from '@a2c/protocol';
import { checkArguments } from './calls/check-arguments.js';
import { finishResult, type ToolResult } from './calls/finish-result.js';
import { parameterHeaders } from './calls/parameter-headers.js';
import { LISTS, listAll } from './connection/list-all.js';
import { Deadline } from './deadline.js';
import { HubError, ToolNameDuplicatedError } from './errors.js';
import { HUB_LIMITS, type HubLimits } from './limits.js';
import { ManagedServer, type Surroundings } from './managed-server.js';
import type { CallOptions, HubEvents, ManagerOptions, RequestOptions } from './manager-options.js';
import type { ServerStatus } from './status.js';
import { ToolCache } from './tool-cache.js';
import { didYouMean } from './tools/did-you-mean.js';
import { isRecord } from './tools/parse-tool.js';
import { type AvailableTool, ToolTable } from './tools/tool-table.js';
import { openTransport } from './transports/open-transport.js';
import type { WindowWatch } from './windows/window-watch.js';

/**
 * The pool of MCP connections: every server a person owns behind one door. A change of the set takes effect at once, and
 * what it replaces ends by itself, so that no server waits for another and a later change of the same one simply wins.
 */
export class MCPServerManager extends EventEmitter<HubEvents> {
  readonly #options: ManagerOptions;
  readonly #limits: HubLimits;
  readonly #guard: TrustGuard;
  readonly #root: string;
  readonly #cache: ToolCache | null;
  readonly #servers = new Map<string, ManagedServer>();
  readonly #ending = new Set<Promise<void>>();
  #isClosed = false;
  #table = ToolTable.EMPTY;

  constructor(options: ManagerOptions = {}) {
    super();
    this.#options = options;
    this.#limits = { ...HUB_LIMITS, ...options.limits };
    this.#guard = options.guard ?? new TrustGuard(UNTRUSTED);
    this.#root = options.root ?? process.cwd();
    const context = [this.#root, options.client ?? null];
    this.#cache = options.cacheFolder ? new ToolCache(options.cacheFolder, context) : null;
  }

  get #autoConnect(): boolean {
    return this.#options.autoConnect ?? true;
  }

  get #autoReconnect(): boolean {
    return this.#options.autoReconnect ?? true;
  }

  // ── The set of servers ──

  /** Replaces everything. Servers start side by side; one that cannot is in state `error` and says why. */
  async initialize(configs: readonly ServerConfig[]): Promise<void> {
    this.#refuseIfClosed();
    const names = new Set(configs.map(({ name }) => name));
    if (names.size < configs.length) throw new HubError('refused', 'two of the servers have the same name');
    await this.#endAll();
    this.#refuseIfClosed();
    const servers = configs.map((config) => this.#manage(config));
    for (const server of servers) this.#servers.set(server.name, server);
    await Promise.all(servers.map((server) => this.#remember(server)));
    if (this.#autoConnect) await this.#startEach(servers);
    else this.#rebuildTable();
  }

  /**
   * Adds a server, or gives a running one a new configuration. A tool name that another server has is refused and
   * everything is as it was. A server that cannot be started is kept, in state `error`; the answer says so.
   */
  async addOrUpdateServer(config: ServerConfig): Promise<ServerStatus> {
    this.#refuseIfClosed();
    const previous = this.#servers.get(config.name);
    const wasActive = previous?.active === true;
    if (wasActive && !this.#autoReconnect) {
      const message = `Server ${config.name} is active. Stop it before updating config`;
      throw new HubError('refused', message, { server: config.name });
    }
    const before = this.#table;
    const server = this.#replace(previous, config);
    await this.#remember(server);
    if (!config.disabled && (wasActive || this.#autoConnect)) {
      await server.want().catch(() => {}); // Its status says why.
    } else this.#rebuildTable();
    if (this.#servers.get(config.name) !== server) {
      throw new HubError('refused', `server "${config.name}" was changed again meanwhile`, { server: config.name });
    }
    const conflict = newConflict(this.#table, before, config.name);
    if (!conflict) return this.#statusOf(server);
    await this.#rollBack(server, previous, wasActive, before);
    throw new ToolNameDuplicatedError(conflict.displayName, [conflict.kept, conflict.left]);
  }

  async #rollBack(
    server: ManagedServer,
    previous: ManagedServer | undefined,
    wasActive: boolean,
    before: ToolTable,
  ): Promise<void> {
    if (previous) {
      const restored = this.#replace(server, previous.config);
      if (wasActive) await restored.want().catch(() => {});
    } else {
      this.#servers.delete(server.name);
      await this.#end(server);
    }
    this.#rebuildTable(before); // Names go back to whoever had them.
  }

  /** Puts a server into its place; the one before it ends first. */
  #replace(previous: ManagedServer | undefined, config: ServerConfig): ManagedServer {
    const server = this.#manage(config);
    if (previous) server.succeed(previous);
    this.#servers.set(config.name, server);
    return server;
  }

  async removeServer(name: string): Promise<void> {
    const server = this.#get(name);
    this.#servers.delete(name);
    this.#rebuildTable();
    await this.#end(server);
  }

  /** Every server that is not disabled, side by side; each failure is that server's state. */
  async startAll(): Promise<void> {
    this.#refuseIfClosed();
    await this.#startEach([...this.#servers.values()]);
  }

  async #startEach(servers: readonly ManagedServer[]): Promise<void> {
    const enabled = servers.filter(({ config }) => !config.disabled);
    await Promise.all(enabled.map((server) => server.want().catch(() => {})));
  }

  async startClient(name: string): Promise<void> {
    await this.#get(name).want();
  }

  async stopClient(name: string): Promise<void> {
    await this.#get(name).stop();
  }

  async stopAll(): Promise<void> {
    await Promise.all([...this.#servers.values()].map((server) => server.stop()));
  }

  /** For good: everything ends, and nothing starts any more. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#endAll();
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  async #endAll(): Promise<void> {
    const servers = [...this.#servers.values()];
    this.#servers.clear();
    this.#rebuildTable();
    for (const server of servers) void this.#end(server);
    await Promise.all(this.#ending);
  }

  #end(server: ManagedServer): Promise<void> {
    const ended = server.dispose().finally(() => this.#ending.delete(ended));
    this.#ending.add(ended);
    return ended;
  }

  #refuseIfClosed(): void {
    if (this.#isClosed) throw new HubError('refused', 'the hub is closed');
  }

  /** In configuration order. */
  status(): readonly ServerStatus[] {
    return [...this.#servers.values()].map((server) => this.#statusOf(server));
  }

  #statusOf(server: ManagedServer): ServerStatus {
    const conflicts = this.#table.conflicts.filter(({ left }) => left === server.name);
    return server.status(conflicts.map(({ displayName }) => displayName));
  }

  /** As configured: nothing is filled in. */
  servers(): readonly ServerConfig[] {
    return [...this.#servers.values()].map(({ config }) => config);
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

  async executeTool(nameOrAlias: string, parameters: JsonObject, options?: CallOptions): Promise<ToolResult> {
    const { server, name } = this.#table.find(nameOrAlias);
    return this.callTool(server, name, parameters, options);
  }

  /** One call on the long-lived connection: checked, bounded in time, told of when given up, and marked with what its owner says. */
  async callTool(server: string, tool: string, parameters: JsonObject, options: CallOptions = {}): Promise<ToolResult> {
    const managed = this.#get(server);
    const deadline = this.#deadline(managed, options, `the call of "${tool}"`);
    try {
      return await managed.use({ ...options, deadline }, async (connection) => {
        const entry = this.#table.findIn(server, tool); // Now: a server that was away may have learnt new tools.
        checkArguments(entry, parameters);
        const params = { name: entry.name, arguments: parameters, ...(options.meta && { _meta: options.meta }) };
        const answer = await connection.request('tools/call', params, {
          signal: deadline.signal,
          onProgress: options.onProgress,
          headers: parameterHeaders(entry.tool.inputSchema, parameters),
          answerers: options,
        });
        return this.#transform(managed, entry, parameters, finishResult(answer, entry), deadline);
      });
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
      this.#tell('warning', { server: name, message });
      return result;
    }
  }

  // ── Windows ──

  async listWindows(uri?: string): Promise<readonly { readonly server: string; readonly resource: WindowResource }[]> {
    return this.#eachWindow(uri, async (server, _watch, resources) =>
      resources.map((resource) => ({ server: server.name, resource })),
    );
  }

  async getWindowsDetails(uri?: string): Promise<readonly Window[]> {
    return this.#eachWindow(uri, (_server, watch, resources) => watch.readAll(resources));
  }

  /** A server that is slow or fails costs its own windows only. */
  async #eachWindow<T>(
    uri: string | undefined,
    show: (server: ManagedServer, watch: WindowWatch, resources: readonly WindowResource[]) => Promise<readonly T[]>,
  ): Promise<readonly T[]> {
    const shown = [...this.#servers.values()].map(async (server) => {
      if (!server.windows) return []; // Nobody starts a server to look through its windows.
      const deadline = new Deadline(this.#limits.listTimeout * 2, 'looking at the windows');
      try {
        return await server.use({ deadline }, async () => {
          const resources = (await server.windows?.list()) ?? [];
          const wanted = resources.filter((resource) => uri === undefined || resource.uri === uri);
          return server.windows ? show(server, server.windows, wanted) : [];
        });
      } catch (error) {
        const message = `its windows could not be listed: ${(error as Error).message}`;
        this.#tell('warning', { server: server.name, message });
        return [];
      } finally {
        deadline.release();
      }
    });
    return (await Promise.all(shown)).flat();
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

  /** Hear of changes of a resource, as `updated`, until the returned function is called; also after a lost connection. */
  async follow(server: string, uri: string, options: RequestOptions = {}): Promise<() => void> {
    const managed = this.#get(server);
    const deadline = this.#deadline(managed, options, `following ${uri}`);
    try {
      return await managed.follow(uri, { deadline });
    } finally {
      deadline.release();
    }
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
    const managed = this.#get(server);
    const deadline = this.#deadline(managed, {}, method);
    try {
      await managed.use({ deadline }, (connection) => connection.notify(method, params));
    } finally {
      deadline.release();
    }
  }

  async #list(server: string, list: keyof typeof LISTS, options: RequestOptions = {}): Promise<readonly JsonObject[]> {
    const managed = this.#get(server);
    const deadline = this.#deadline(managed, options, LISTS[list].method);
    const limits = { pages: this.#limits.listPages, items: Number.POSITIVE_INFINITY };
    const warn = (message: string) => this.#tell('warning', { server, message });
    try {
      const items = await managed.use({ deadline }, (connection) =>
        listAll(connection, LISTS[list], limits, deadline.signal, warn),
      );
      return items.filter(isRecord) as JsonObject[];
    } finally {
      deadline.release();
    }
  }

  #deadline({ config }: ManagedServer, { timeout, signal }: RequestOptions, what: string): Deadline {
    return new Deadline(timeout ?? config.timeouts.timeout ?? this.#limits.callTimeout, what, signal);
  }

  // ── Inside ──

  #get(name: string): ManagedServer {
    const server = this.#servers.get(name);
    if (server) return server;
    const message = `there is no server "${name}"${didYouMean(name, [...this.#servers.keys()])}`;
    throw new HubError('unknown-server', message, { server: name });
  }

  #manage(config: ServerConfig): ManagedServer {
    const { startPolicy, clientInfo = { name: 'a2c', version: '0.1.0' }, client = null } = this.#options;
    const { onElicit, onSample, onRoots } = this.#options;
    const server = config.name;
    const around: Surroundings = {
      limits: this.#limits,
      ours: { clientInfo, client, onElicit, onSample, onRoots },
      autoReconnect: this.#autoReconnect,
      startPolicy: startPolicy?.(config) ?? {},
      cache: this.#cache,
      prepare: (raw) => this.#prepare(raw),
      openTransport: (resolved) =>
        openTransport(resolved, { guard: this.#guard, root: this.#root, limits: this.#limits }),
      on: {
        state: (state, cause) => this.#tell('state', { server, state, cause }),
        tools: () => this.#rebuildTable(),
        windows: (uri) => this.#tell('windows', { server, uri }),
        updated: (uri) => this.#tell('updated', { server, uri }),
        resources: () => this.#tell('resources', { server }),
        prompts: () => this.#tell('prompts', { server }),
        log: ({ level, logger, data }) => {
          const name = typeof logger === 'string' ? logger : null;
          this.#tell('log', { server, level: String(level), logger: name, data });
        },
        warning: (message) => this.#tell('warning', { server, message }),
      },
    };
    return new ManagedServer(config, around);
  }

  async #prepare(raw: ServerConfig): Promise<ServerConfig> {
    const refusals = this.#guard.judge(raw); // Before anything is filled in for it.
    if (refusals.length > 0) throw new TrustError(refusals);
    const { prepare } = this.#options;
    return prepare ? prepare(raw) : resolveServer(raw, { trusted: this.#guard.policy.trusted, root: this.#root });
  }

  /** What a server nobody trusts showed in an earlier run is not shown. */
  async #remember(server: ManagedServer): Promise<void> {
    if (this.#guard.judge(server.config).length === 0) await server.remember();
  }

  /** Built aside and swapped whole; whoever lists or calls meanwhile uses the old one. */
  #rebuildTable(previous = this.#table): void {
    const before = this.#table;
    const sources = [...this.#servers.values()].map(({ effectiveConfig, tools }) => ({
      config: effectiveConfig,
      tools,
    }));
    this.#table = new ToolTable(sources, previous);
    for (const { displayName, kept, left } of this.#table.conflicts) {
      const isKnown = before.conflicts.some((known) => known.displayName === displayName && known.left === left);
      if (!isKnown) this.#tell('conflict', { server: left, displayName, keptBy: kept });
    }
    if (this.#table.fingerprint !== before.fingerprint) this.#tell('tools');
  }

  /** A listener that throws is its owner's bug and must not become a server's failure: it is thrown where it belongs. */
  #tell<E extends keyof HubEvents>(event: E, ...details: HubEvents[E]): void {
    try {
      this.emit(event, ...(details as never));
    } catch (error) {
      process.nextTick(() => {
        throw error;
      });
    }
  }
}

/** A name this server loses to another, and did not lose before. */
function newConflict(now: ToolTable, before: ToolTable, server: string) {
  return now.conflicts.find(
    ({ left, displayName }) =>
      left === server && !before.conflicts.some((known) => known.left === server && known.displayName === displayName),
  );
}
