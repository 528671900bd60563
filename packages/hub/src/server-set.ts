import { EventEmitter } from 'node:events';
import { resolveServer, type ServerConfig, TrustError, TrustGuard, UNTRUSTED } from '@a2c/config';
import { HubError, ToolNameDuplicatedError } from './errors.js';
import { HUB_LIMITS, type HubLimits } from './limits.js';
import { ManagedServer, type Surroundings } from './managed-server.js';
import type { HubEvents, ManagerOptions } from './manager-options.js';
import type { ServerStatus } from './status.js';
import { ToolCache } from './tool-cache.js';
import { didYouMean } from './tools/did-you-mean.js';
import { ToolTable } from './tools/tool-table.js';
import { openTransport } from './transports/open-transport.js';

/**
 * Which servers there are. A change of the set takes effect at once, and what it replaces ends by itself, so that no server waits
 * for another and a later change of the same one simply wins.
 */
export class ServerSet extends EventEmitter<HubEvents> {
  readonly #options: ManagerOptions;
  protected readonly limits: HubLimits;
  readonly #guard: TrustGuard;
  readonly #root: string;
  readonly #cache: ToolCache | null;
  protected readonly managed = new Map<string, ManagedServer>();
  readonly #ending = new Set<Promise<void>>();
  #isClosed = false;
  protected table = ToolTable.EMPTY;

  constructor(options: ManagerOptions = {}) {
    super();
    this.#options = options;
    this.limits = { ...HUB_LIMITS, ...options.limits };
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

  /** Replaces everything. Servers start side by side; one that cannot is in state `error` and says why. */
  async initialize(configs: readonly ServerConfig[]): Promise<void> {
    this.#refuseIfClosed();
    const names = new Set(configs.map(({ name }) => name));
    if (names.size < configs.length) throw new HubError('refused', 'two of the servers have the same name');
    await this.#endAll();
    this.#refuseIfClosed();
    const servers = configs.map((config) => this.#manage(config));
    for (const server of servers) this.managed.set(server.name, server);
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
    const previous = this.managed.get(config.name);
    const wasActive = previous?.active === true;
    if (wasActive && !this.#autoReconnect) {
      const message = `Server ${config.name} is active. Stop it before updating config`;
      throw new HubError('refused', message, { server: config.name });
    }
    const before = this.table;
    const server = this.#replace(previous, config);
    await this.#remember(server);
    if (!config.disabled && (wasActive || this.#autoConnect)) {
      await server.want().catch(() => {}); // Its status says why.
    } else this.#rebuildTable();
    if (this.managed.get(config.name) !== server) {
      throw new HubError('refused', `server "${config.name}" was changed again meanwhile`, { server: config.name });
    }
    const conflict = newConflict(this.table, before, config.name);
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
      this.managed.delete(server.name);
      await this.#end(server);
    }
    this.#rebuildTable(before); // Names go back to whoever had them.
  }

  /** Puts a server into its place; the one before it ends first. */
  #replace(previous: ManagedServer | undefined, config: ServerConfig): ManagedServer {
    const server = this.#manage(config);
    if (previous) server.succeed(previous);
    this.managed.set(config.name, server);
    return server;
  }

  async removeServer(name: string): Promise<void> {
    const server = this.get(name);
    this.managed.delete(name);
    this.#rebuildTable();
    await this.#end(server);
  }

  /** Every server that is not disabled, side by side; each failure is that server's state. */
  async startAll(): Promise<void> {
    this.#refuseIfClosed();
    await this.#startEach([...this.managed.values()]);
  }

  async #startEach(servers: readonly ManagedServer[]): Promise<void> {
    const enabled = servers.filter(({ config }) => !config.disabled);
    await Promise.all(enabled.map((server) => server.want().catch(() => {})));
  }

  async startClient(name: string): Promise<void> {
    await this.get(name).want();
  }

  async stopClient(name: string): Promise<void> {
    await this.get(name).stop();
  }

  async stopAll(): Promise<void> {
    await Promise.all([...this.managed.values()].map((server) => server.stop()));
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
    const servers = [...this.managed.values()];
    this.managed.clear();
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
    return [...this.managed.values()].map((server) => this.#statusOf(server));
  }

  #statusOf(server: ManagedServer): ServerStatus {
    const conflicts = this.table.conflicts.filter(({ left }) => left === server.name);
    return server.status(conflicts.map(({ displayName }) => displayName));
  }

  /** As configured: nothing is filled in. */
  servers(): readonly ServerConfig[] {
    return [...this.managed.values()].map(({ config }) => config);
  }

  protected get(name: string): ManagedServer {
    const server = this.managed.get(name);
    if (server) return server;
    const message = `there is no server "${name}"${didYouMean(name, [...this.managed.keys()])}`;
    throw new HubError('unknown-server', message, { server: name });
  }

  #manage(config: ServerConfig): ManagedServer {
    const { startPolicy, clientInfo = { name: 'a2c', version: '0.1.0' }, client = null } = this.#options;
    const { onElicit, onSample, onRoots } = this.#options;
    const server = config.name;
    const around: Surroundings = {
      limits: this.limits,
      ours: { clientInfo, client, onElicit, onSample, onRoots },
      autoReconnect: this.#autoReconnect,
      startPolicy: startPolicy?.(config) ?? {},
      cache: this.#cache,
      prepare: (raw) => this.#prepare(raw),
      openTransport: (resolved) =>
        openTransport(resolved, { guard: this.#guard, root: this.#root, limits: this.limits }),
      on: {
        state: (state, cause) => this.tell('state', { server, state, cause }),
        tools: () => this.#rebuildTable(),
        windows: (uri) => this.tell('windows', { server, uri }),
        updated: (uri) => this.tell('updated', { server, uri }),
        resources: () => this.tell('resources', { server }),
        prompts: () => this.tell('prompts', { server }),
        log: ({ level, logger, data }, client) => {
          const name = typeof logger === 'string' ? logger : null;
          this.tell('log', { server, level: String(level), logger: name, data, client });
        },
        warning: (message) => this.tell('warning', { server, message }),
      },
    };
    return new ManagedServer(config, around);
  }

  async #prepare(raw: ServerConfig): Promise<ServerConfig> {
    const refusals = this.#guard.check(raw); // Before anything is filled in for it.
    if (refusals.length > 0) throw new TrustError(refusals);
    const { prepare } = this.#options;
    return prepare ? prepare(raw) : resolveServer(raw, { trusted: this.#guard.policy.trusted, root: this.#root });
  }

  /** What a server nobody trusts showed in an earlier run is not shown. */
  async #remember(server: ManagedServer): Promise<void> {
    if (this.#guard.check(server.config).length === 0) await server.remember();
  }

  /** Built aside and swapped whole; whoever lists or calls meanwhile uses the old one. */
  #rebuildTable(previous = this.table): void {
    const before = this.table;
    const sources = [...this.managed.values()].map(({ effectiveConfig, tools }) => ({
      config: effectiveConfig,
      tools,
    }));
    this.table = new ToolTable(sources, previous);
    for (const { displayName, kept, left } of this.table.conflicts) {
      const isKnown = before.conflicts.some((known) => known.displayName === displayName && known.left === left);
      if (!isKnown) this.tell('conflict', { server: left, displayName, keptBy: kept });
    }
    if (this.table.fingerprint !== before.fingerprint) this.tell('tools');
  }

  /** A listener that throws is its owner's bug and must not become a server's failure: it is thrown where it belongs. */
  protected tell<E extends keyof HubEvents>(event: E, ...details: HubEvents[E]): void {
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
