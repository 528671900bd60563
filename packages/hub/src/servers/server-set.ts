import { resolveServer, type ServerConfig, TrustError, TrustGuard, UNTRUSTED } from '@a2c/config';
import { type ServerLogin, Vault } from '@a2c/login';
import type { Emitter } from '@a2c/protocol';
import { createClient } from '../clients/client-factory.js';
import { loginOf } from '../clients/login.js';
import type { ServedClient } from '../clients/served-client.js';
import { checkTrust, isBuiltIn } from '../clients/trust.js';
import { HubError, ToolNameDuplicatedError } from '../errors.js';
import { HUB_LIMITS, type HubLimits } from '../limits.js';
import type { AddOptions, HubEvents, ManagerOptions } from '../options.js';
import type { ComparedTools } from '../pins/server-pins.js';
import { bundleIdsOf } from '../tools/bundle-ids.js';
import { didYouMean } from '../tools/did-you-mean.js';
import type { ListedTool } from '../tools/parse-tool.js';
import { ToolCache } from '../tools/tool-cache.js';
import { type ToolConflict, type ToolSource, ToolTable } from '../tools/tool-table.js';
import { malformedDeclarations, namesNoTool, reservedNames, unmatchedNames } from '../tools/tool-warnings.js';
import { download } from '../transports/http/download.js';
import { VERSION } from '../version.js';
import { ManagedServer } from './managed-server.js';
import type { ServerStatus } from './status.js';

/**
 * The servers of a hub and their tool table. A change of the set takes effect at once, and a replaced server ends in
 * the background: no server waits for another, and of two changes of one server the later one wins.
 */
export class ServerSet {
  readonly limits: HubLimits;
  readonly #options: ManagerOptions;
  readonly #events: Emitter<HubEvents>;
  readonly #guard: TrustGuard;
  readonly #root: string;
  readonly #vault: Vault;
  readonly #cache: ToolCache | null;
  readonly #servers = new Map<string, ManagedServer>();
  /** The last update of each server, while its placeholders are filled in. */
  readonly #updates = new Map<string, ManagedServer>();
  readonly #ending = new Set<Promise<void>>();
  #approvalTimer: NodeJS.Timeout | undefined;
  #isClosed = false;
  /** The table is built once for all of them. */
  #isStartingAll = false;
  #table = ToolTable.EMPTY;
  /** The tools of the table that wait for approval. */
  #withheld = '[]';
  #bundleIds = bundleIdsOf([]);
  readonly #clientTables = new WeakMap<ComparedTools, ToolTable>();
  readonly #knownNames = new WeakMap<readonly ListedTool[], readonly string[]>();
  readonly #warnedOf = new Set<string>();

  constructor(options: ManagerOptions, events: Emitter<HubEvents>) {
    this.#options = options;
    this.#events = events;
    this.limits = { ...HUB_LIMITS, ...options.limits };
    this.#guard = options.guard ?? new TrustGuard(UNTRUSTED);
    this.#root = options.root ?? process.cwd();
    this.#vault = options.vault ?? new Vault();
    const context = [this.#root, options.client ?? null];
    // Approvals are given in another process: `a2c tools approve`.
    if (options.pins)
      this.#approvalTimer = setInterval(() => void this.applyApprovals(), this.limits.approvalPollMs).unref();
    this.#cache = options.cacheFolder ? new ToolCache(options.cacheFolder, context) : null;
  }

  /** All callable tools. The table is replaced as a whole, never changed. */
  get table(): ToolTable {
    return this.#table;
  }

  /** The tools of one server as a client sees them, once `prepareClient` has listed them. */
  tableFor(server: ManagedServer, client: ServedClient): ToolTable | undefined {
    const view = server.clientTools.of(client);
    if (!view) return undefined;
    const { name, effectiveConfig: config } = server;
    const { tools, withheld } = view;
    const known = this.#clientTables.get(view);
    const table = known ?? new ToolTable([{ config, tools, withheld, bundleId: this.bundleIdOf(name) }]);
    this.#clientTables.set(view, table);
    return table;
  }

  /** The display names of the tools in the last list of a server. */
  knownNamesOf({ name, config, knownTools: tools }: ManagedServer): readonly string[] {
    const known = this.#knownNames.get(tools) ?? namesOf({ config, tools, bundleId: this.bundleIdOf(name) });
    this.#knownNames.set(tools, known);
    return known;
  }

  /** All servers, in configuration order. */
  all(): readonly ManagedServer[] {
    return [...this.#servers.values()];
  }

  get(name: string): ManagedServer {
    const server = this.#servers.get(name);
    if (server) return server;
    const message = `there is no server "${name}"${didYouMean(name, [...this.#servers.keys()])}`;
    throw new HubError('unknown-server', message, { server: name });
  }

  /** @throws TrustError if the configuration may use no login */
  assertLogin(name: string): void {
    const refusal = this.#guard.checkLogin(this.get(name).config.name);
    if (refusal) throw new TrustError([refusal]);
  }

  /** The login of a server, with its placeholders filled in. */
  async login(name: string, account?: string): Promise<ServerLogin> {
    const resolved = await this.#prepare(this.get(name).config);
    const login = loginOf(resolved, { guard: this.#guard, vault: this.#vault }, account);
    if (login) return login;
    const message = `server "${name}" has no login: it is not an HTTP server, or its configuration has credentials`;
    throw new HubError('refused', message, { server: name });
  }

  /** Downloads a file from an address that a server named. */
  download(server: ManagedServer, url: string, maxBytes: number, signal: AbortSignal): Promise<Buffer> {
    const { connectTimeoutMs } = this.limits;
    return download(server.effectiveConfig, url, this.#guard, { maxBytes, connectTimeoutMs, signal });
  }

  /** Reports a problem that fails no operation. */
  warn(server: string, message: string): void {
    this.#events.emit('warning', { server, message });
  }

  /** The bundle id of a server of the set. */
  bundleIdOf(server: string): string {
    return this.#bundleIds.ofServer.get(server) ?? '';
  }

  /** The name of the server with this bundle id, or the name itself. */
  nameOf(nameOrBundleId: string): string {
    return this.#bundleIds.servers.get(nameOrBundleId) ?? nameOrBundleId;
  }

  get #autoConnect(): boolean {
    return this.#options.autoConnect ?? true;
  }

  get #autoReconnect(): boolean {
    return this.#options.autoReconnect ?? true;
  }

  async initialize(configs: readonly ServerConfig[]): Promise<void> {
    this.#throwIfClosed();
    const names = new Set(configs.map(({ name }) => name));
    if (names.size < configs.length) throw new HubError('refused', 'two of the servers have the same name');
    await this.#endAll();
    this.#throwIfClosed();
    const servers = configs.map((config) => this.#create(config));
    for (const server of servers) this.#servers.set(server.name, server);
    await Promise.all(servers.map((server) => this.#restore(server)));
    if (this.#autoConnect) await this.#startEach(servers);
    else this.#rebuildTable();
  }

  async addOrUpdate(config: ServerConfig, { sharesToolNames = false }: AddOptions): Promise<ServerStatus> {
    this.#throwIfClosed();
    if (this.#servers.get(config.name)?.active && !this.#autoReconnect) {
      const message = `Server ${config.name} is active. Stop it before updating config`;
      throw new HubError('refused', message, { server: config.name });
    }
    const server = this.#create(config);
    this.#updates.delete(config.name); // An earlier update that still waits for inputs is not made.
    const keepsOld = this.#servers.get(config.name)?.isConnected && !config.disabled;
    const prepared = keepsOld ? await this.#prepareUpdate(server) : undefined;
    const previous = this.#servers.get(config.name);
    const wasActive = previous?.active === true;
    const tableBefore = this.#table;
    this.#replace(previous, server);
    await this.#restore(server);
    if (!config.disabled && (wasActive || this.#autoConnect)) {
      await server.start(prepared).catch(() => {}); // The status has the error.
    } else this.#rebuildTable();
    if (this.#servers.get(config.name) !== server) throw changedAgain(server);
    const conflict = this.#table.conflicts.find(
      (found) => [found.server, found.keptBy].includes(config.name) && !hasConflict(tableBefore, found),
    );
    if (!conflict || sharesToolNames) return this.#statusOf(server);
    if (previous) {
      const restored = this.#create(previous.config);
      this.#replace(server, restored);
      if (wasActive) await restored.start().catch(() => {});
    } else {
      this.#servers.delete(server.name);
      await this.#end(server);
    }
    this.#rebuildTable();
    throw new ToolNameDuplicatedError(conflict.displayName, [conflict.keptBy, conflict.server]);
  }

  /** Fills in placeholders while the former process still runs: if that fails, it is kept. */
  async #prepareUpdate(server: ManagedServer): Promise<ServerConfig> {
    const { name } = server;
    this.#updates.set(name, server);
    try {
      const prepared = await server.prepare();
      if (this.#updates.get(name) !== server) throw changedAgain(server);
      return prepared;
    } catch (error) {
      void this.#end(server);
      throw error;
    } finally {
      if (this.#updates.get(name) === server) this.#updates.delete(name);
    }
  }

  #replace(previous: ManagedServer | undefined, server: ManagedServer): void {
    if (previous) server.replace(previous);
    this.#servers.set(server.name, server);
  }

  async remove(name: string): Promise<void> {
    const server = this.get(name);
    this.#updates.delete(name);
    this.#servers.delete(name);
    this.#rebuildTable();
    await this.#end(server);
  }

  async startAll(): Promise<void> {
    this.#throwIfClosed();
    await this.#startEach(this.all());
  }

  async #startEach(servers: readonly ManagedServer[]): Promise<void> {
    const enabled = servers.filter(({ config }) => !config.disabled);
    this.#isStartingAll = true;
    const starts = enabled.map((server) => server.start().catch(() => {})); // Each status has its error.
    this.#isStartingAll = false;
    this.#rebuildTable();
    await Promise.all(starts);
  }

  async stopAll(): Promise<void> {
    await Promise.all(this.all().map((server) => server.stop()));
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    clearInterval(this.#approvalTimer);
    await this.#endAll();
  }

  async #endAll(): Promise<void> {
    const servers = this.all();
    this.#updates.clear();
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

  /** Lists tools that were approved meanwhile. */
  async applyApprovals(): Promise<void> {
    await Promise.all(
      this.all().map((server) =>
        server.applyApprovals().catch((error: Error) => this.warn(server.name, `approvals: ${error.message}`)),
      ),
    );
  }

  #throwIfClosed(): void {
    if (this.#isClosed) throw new HubError('refused', 'the hub is closed');
  }

  status(): readonly ServerStatus[] {
    return this.all().map((server) => this.#statusOf(server));
  }

  statusOf(name: string): ServerStatus | undefined {
    const server = this.#servers.get(name);
    return server && this.#statusOf(server);
  }

  #statusOf(server: ManagedServer): ServerStatus {
    const conflicts = this.#table.conflicts.filter((conflict) => conflict.server === server.name);
    return server.status(conflicts.map(({ displayName }) => displayName));
  }

  #create(config: ServerConfig): ManagedServer {
    const { startPolicy, clientInfo = { name: 'a2c', version: VERSION }, client = null, clients } = this.#options;
    const { onElicit, onSample, onRoots, extensions } = this.#options;
    const events = this.#events;
    const server = config.name;
    return new ManagedServer(config, {
      guard: this.#guard,
      root: this.#root,
      limits: this.limits,
      handlers: { clientInfo, client, onElicit, onSample, onRoots, ...(extensions && { extensions }) },
      onlyClient: this.#options.onlyClient,
      startAfter: this.#options.startAfter,
      autoReconnect: this.#autoReconnect,
      startPolicy: startPolicy?.(config) ?? {},
      cache: this.#cache,
      pins: this.#options.pins ?? null,
      prepare: (raw) => this.#prepare(raw),
      createClient: (resolved, options) => createClient(resolved, options, clients),
      loginOf: (resolved) => {
        if (this.#guard.checkLogin(resolved.name)) return undefined;
        return loginOf(resolved, { guard: this.#guard, vault: this.#vault });
      },
      on: {
        state: (state, cause) => events.emit('state', { server, state, cause }),
        tools: () => this.#rebuildTable(),
        toolList: () => events.emit('toolList', { server }),
        clientTools: (viewers) =>
          events.emit('clientTools', {
            server,
            ...(typeof viewers === 'string' ? { capabilities: viewers } : { client: viewers }),
          }),
        windows: (uri) => events.emit('windows', { server, uri }),
        updated: (uri, meta) => events.emit('updated', { server, uri, ...(meta && { meta }) }),
        resources: () => events.emit('resources', { server }),
        prompts: () => events.emit('prompts', { server }),
        log: ({ level, logger, data }, client) => {
          const name = typeof logger === 'string' ? logger : null;
          events.emit('log', { server, level: level as string, logger: name, data, client });
        },
        elicitationComplete: (params, client) => events.emit('elicitationComplete', { server, params, client }),
        task: (params, client) => events.emit('task', { server, params, client }),
        warning: (message) => this.warn(server, message),
        output: () => events.emit('output', { server }),
      },
    });
  }

  async #prepare(raw: ServerConfig): Promise<ServerConfig> {
    checkTrust(this.#guard, raw); // Before placeholders are filled in.
    const { prepare } = this.#options;
    if (prepare) return prepare(raw);
    if (!isBuiltIn(raw)) return raw;
    return resolveServer(raw, { trusted: this.#guard.policy.trusted, root: this.#root });
  }

  /** Loads cached tools, unless the configuration is untrusted. */
  async #restore(server: ManagedServer): Promise<void> {
    try {
      checkTrust(this.#guard, server.config);
    } catch {
      return; // The start fails with the same error and reports it.
    }
    await server.restore();
  }

  /** Builds a new table and swaps it: readers never see a table under construction. */
  #rebuildTable(): void {
    if (this.#isStartingAll) return;
    const before = this.#table;
    this.#bundleIds = bundleIdsOf(this.all().map(({ config }) => config));
    for (const { server, bundleId, owner } of this.#bundleIds.renamed)
      this.#warnOnce(server, `its bundle id is "${bundleId}", because "${owner}" has the same id; set "bundle_id"`);
    const sources = this.all().map(({ name, effectiveConfig, tools, withheldTools }) => ({
      config: effectiveConfig,
      tools,
      withheld: withheldTools,
      bundleId: this.bundleIdOf(name),
    }));
    const withheld = JSON.stringify(sources.map((source) => source.withheld));
    // A server that has started usually has the tools that were cached.
    if (withheld === this.#withheld && before.fingerprint === ToolTable.fingerprintOf(sources)) return;
    this.#withheld = withheld;
    this.#table = new ToolTable(sources, before);
    for (const conflict of newConflicts(before, this.#table)) this.#events.emit('conflict', conflict);
    if (this.#table.fingerprint === before.fingerprint) return;
    for (const source of sources) this.#warnOfUnmatched(source);
    this.#events.emit('tools');
  }

  /** Warns once about each entry: tool lists change while servers run. */
  #warnOfUnmatched(source: ToolSource): void {
    const { name } = source.config;
    const reserved = reservedNames(name, this.#table.reserved);
    for (const message of [...unmatchedNames(source), ...malformedDeclarations(source), ...reserved])
      this.#warnOnce(name, message);
  }

  #warnOnce(server: string, message: string): void {
    const key = JSON.stringify([server, message]);
    if (this.#warnedOf.has(key)) return;
    this.#warnedOf.add(key);
    this.warn(server, message);
  }
}

function changedAgain({ name }: ManagedServer): HubError {
  return new HubError('refused', `server "${name}" was changed again meanwhile`, { server: name });
}

function namesOf(source: ToolSource): readonly string[] {
  if (namesNoTool(source.config)) return source.tools.map(({ name }) => name);
  return new ToolTable([source]).of(source.config.name).map(({ displayName }) => displayName);
}

function hasConflict({ conflicts }: ToolTable, { server, displayName }: ToolConflict): boolean {
  return conflicts.some((known) => known.server === server && known.displayName === displayName);
}

/** The conflicts that the former table did not have, one event per pair of servers. */
function newConflicts(before: ToolTable, { conflicts }: ToolTable): HubEvents['conflict'][] {
  const pairs = new Map<string, { server: string; keptBy: string; displayNames: string[] }>();
  for (const conflict of conflicts) {
    if (hasConflict(before, conflict)) continue;
    const { server, keptBy, displayName } = conflict;
    const key = JSON.stringify([server, keptBy]);
    const pair = pairs.get(key) ?? { server, keptBy, displayNames: [] };
    pair.displayNames.push(displayName);
    pairs.set(key, pair);
  }
  return [...pairs.values()];
}
