import { randomUUID } from 'node:crypto';
import {
  type InputDefinition,
  type JsonObject,
  type JsonValue,
  type ServerConfig,
  TrustGuard,
  UNTRUSTED,
} from '@a2c/config';
import {
  type AddOptions,
  type AvailableTool,
  type LogInOptions,
  MCPServerManager,
  type NameForm,
  type SeenChange,
  type ServerStatus,
  type ToolChange,
} from '@a2c/hub';
import { createLogger, type Logger } from '@a2c/log';
import {
  type A2CSkillRef,
  type AgentScope,
  type CallToolResult,
  Emitter,
  type GetMCPConfigRet,
  isPermitted,
  organiseDesktop,
  type PutBlobReq,
  type PutBlobRet,
  type SMCPTool,
  type Window,
} from '@a2c/protocol';
import { notBooted } from './calls/failure-results.js';
import { type ExecuteOptions, ToolCalls } from './calls/tool-calls.js';
import { configSnapshot } from './config-snapshot.js';
import { type ComputerEvents, type EventTargets, forwardHubEvents, warn } from './events.js';
import type { ToolCallRecord } from './history/call-history.js';
import { COMPUTER_LIMITS, type ComputerOptions } from './options.js';
import { Placeholders } from './placeholders.js';
import { type ResourcePage, Resources } from './resources.js';
import { SecretFilter, SecretInputs } from './secrets.js';
import { SharedReads } from './shared-reads.js';
import { NO_SKILLS, type SkillFile, SkillLibrary } from './skills/skill-library.js';
import { listForAgent } from './tool-list.js';
import { LandingStore } from './uploads/landing-store.js';

/** Which windows a desktop shows. */
export interface DesktopRequest {
  /** The maximum number of windows; zero or less means none. */
  readonly size?: number | undefined;
  /** Only the window with this URI. */
  readonly window?: string | undefined;
  /** Only windows of the MCP servers that this includes. */
  readonly scope?: AgentScope | undefined;
  /** The order of the servers that were not used: by name up to protocol 0.2, by bundle id from 0.3 on. */
  readonly order?: 'name' | 'bundle_id' | undefined;
}

/**
 * Hosts a person's MCP servers: fills in inputs, asks for consent, runs every call once, keeps the history and arranges
 * the windows as a desktop. `OfficeLink` connects it to an office.
 *
 * @example
 * ```ts
 * import { Computer } from '@a2c/computer';
 * import { readConfig } from '@a2c/config';
 *
 * const { config } = readConfig('{"mcpServers": {}}', { file: 'mcp.json' });
 * await using computer = new Computer({
 *   name: 'pc',
 *   mcpServers: config?.servers ?? [],
 *   confirm: ({ server, tool, parameters }) => {
 *     console.log(server, tool, parameters);
 *     return true;
 *   },
 * });
 * await computer.boot();
 * const result = await computer.executeTool('1', 'read_file', { path: 'README.md' });
 * console.log(result.content);
 * ```
 */
export class Computer {
  readonly #events = new Emitter<ComputerEvents>();
  readonly #options: ComputerOptions;
  readonly #logger: Logger;
  readonly #inputs: SecretInputs;
  readonly #placeholders: Placeholders;
  readonly #secrets: SecretFilter;
  readonly #manager: MCPServerManager;
  readonly #calls: ToolCalls;
  /** A random id of this process. An Agent repeats a call with the epoch it was first sent to. */
  readonly epoch = randomUUID();
  readonly #resources: Resources;
  readonly #skills: SkillLibrary | undefined;
  readonly #landing: LandingStore;
  #name: string;
  #state: 'new' | 'booted' | 'closed' = 'new';
  #closing: Promise<void> | undefined;
  #announcedConfig = '';
  #toolsVersion = 0;
  readonly #windows = new SharedReads<readonly Window[]>();

  constructor(options: ComputerOptions) {
    this.#options = options;
    this.#name = options.name;
    this.#logger = options.logger ?? createLogger('a2c-computer');
    const limits = { ...COMPUTER_LIMITS, ...options.limits };
    const env = options.env ?? process.env;
    const root = options.root ?? process.cwd();
    const guard = options.guard ?? new TrustGuard({ ...UNTRUSTED, trusted: true });
    this.#inputs = new SecretInputs(options.inputs ?? [], {
      env,
      ...(options.storedInputs && { stored: options.storedInputs }),
      ...(options.askInput && { provider: options.askInput }),
    });
    this.#placeholders = new Placeholders({ inputs: this.#inputs, env, root, trusted: guard.policy.trusted });
    this.#secrets = new SecretFilter(this.#inputs);
    this.#manager = new MCPServerManager({
      guard,
      prepare: (server) => this.#placeholders.fillIn(server, (message) => warn(this.#targets, server.name, message)),
      root,
      autoConnect: options.autoConnect ?? true,
      autoReconnect: options.autoReconnect ?? true,
      pins: options.pins ?? null,
      ...(options.client && { client: options.client }),
      ...(options.onElicit && { onElicit: options.onElicit }),
      ...(options.onSample && { onSample: options.onSample }),
    });
    this.#calls = new ToolCalls({
      manager: this.#manager,
      confirm: options.confirm,
      secrets: this.#secrets,
      limits,
      logger: this.#logger,
      historyFile: options.historyFile,
      epoch: this.epoch,
      ledgerFile: options.ledgerFile,
      events: this.#events,
    });
    // First, so that listeners of the Computer see the new version.
    this.#manager.on('tools', () => this.#toolsVersion++);
    forwardHubEvents(this.#manager, this.#targets);
    this.#resources = new Resources(this.#manager);
    this.#landing = new LandingStore(options.landingRoot, limits);
    this.#skills =
      options.skills &&
      new SkillLibrary({
        ...options.skills,
        manager: this.#manager,
        debounceMs: limits.skillDebounceMs,
        startMs: limits.skillStartMs,
        maxFileBytes: limits.skillFileBytes,
        onChange: () => this.#events.emit('skills'),
        warn: (server, message) => warn(this.#targets, server, message),
      });
  }

  /** Adds a listener. Returns a function that removes it. */
  on<E extends keyof ComputerEvents>(event: E, listener: (value: ComputerEvents[E]) => void): () => void {
    return this.#events.on(event, listener);
  }

  /** The name by which Agents address this Computer. */
  get name(): string {
    return this.#name;
  }

  /** Sets the name for the next office that is joined. */
  rename(name: string): void {
    this.#name = name;
  }

  /** Starts the servers. A server that cannot be started is reported; the others run. A Computer boots once. */
  async boot(): Promise<void> {
    if (this.#state !== 'new') throw new Error('a Computer boots once');
    this.#state = 'booted';
    this.#announcedConfig = JSON.stringify(configSnapshot(this.#options.mcpServers ?? [], this.inputs()));
    await this.#manager.initialize(this.#options.mcpServers ?? []);
    await this.#skills?.start();
  }

  /** Cancels pending calls and stops the servers. Further calls return the same promise. */
  close(): Promise<void> {
    this.#closing ??= this.#end();
    return this.#closing;
  }

  /** Calls `close`, for `await using`. */
  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  // ── Servers ──

  /** The configurations of the servers, as written. */
  servers(): readonly ServerConfig[] {
    return this.#manager.servers();
  }

  /** The status of every server, without secrets. */
  status(): readonly ServerStatus[] {
    return this.#manager.status().map((status) => {
      const { cause } = status;
      return cause === null ? status : { ...status, cause: this.#secrets.text(cause) };
    });
  }

  /** Removes the values of secret inputs, and whatever looks like a credential, from a log. Keeps its last lines. */
  redactLog(text: string): string {
    return this.#secrets.log(text);
  }

  /** Adds a server or updates its configuration. Throws as `MCPServerManager.addOrUpdateServer` does. */
  async addOrUpdateServer(server: ServerConfig, options: AddOptions = {}): Promise<void> {
    await this.#withoutSecrets(this.#manager.addOrUpdateServer(server, options));
    this.#configMayHaveChanged();
  }

  /** Stops and removes a server. */
  async removeServer(name: string): Promise<void> {
    await this.#manager.removeServer(name);
    this.#configMayHaveChanged();
  }

  /** Starts a server. Rejects with a `HubError` if that fails. */
  startServer(name: string): Promise<void> {
    return this.#withoutSecrets(this.#manager.startClient(name));
  }

  /** Starts all servers that are not disabled. A failure is in the status of its server. */
  startAll(): Promise<void> {
    return this.#manager.startAll();
  }

  /** Stops and starts a server, with the present values of its inputs. It keeps running if an input has no value. */
  restartServer(name: string): Promise<void> {
    return this.#withoutSecrets(this.#manager.restartClient(name));
  }

  /** Stops a server. It stays stopped until it is started again. */
  stopServer(name: string): Promise<void> {
    return this.#manager.stopClient(name);
  }

  /** Stops all servers. */
  stopAll(): Promise<void> {
    return this.#manager.stopAll();
  }

  // ── Logins ──

  /** Logs in to a server that needs it. It connects then by itself, also in other processes. */
  login(name: string, options: LogInOptions & { readonly account?: string }): Promise<void> {
    return this.#withoutSecrets(this.#manager.login(name, options));
  }

  /** Deletes the login of a server and revokes its tokens. Returns false if there was none. */
  logout(name: string, options: { readonly account?: string } = {}): Promise<boolean> {
    return this.#withoutSecrets(this.#manager.logout(name, options));
  }

  /** Whether changed tools need approval. */
  get hasPins(): boolean {
    return (this.#options.pins ?? null) !== null;
  }

  /** The tools of a server, or of all servers, that differ from what was approved. */
  async toolChanges(server?: string): Promise<readonly ToolChange[]> {
    return (await this.#options.pins?.store.changes(server)) ?? [];
  }

  /** Approves changed tools as `toolChanges` showed them. Returns those that are still the same and now approved. */
  async approveTools<T extends SeenChange>(seen: readonly T[]): Promise<readonly T[]> {
    const approved = (await this.#options.pins?.store.approve(seen)) ?? [];
    await this.#manager.applyApprovals();
    return approved;
  }

  // ── Inputs ──

  /** The definitions of the inputs. */
  inputs(): readonly InputDefinition[] {
    return this.#inputs.definitions;
  }

  /** Adds definitions, or replaces those with the same id. Running servers keep the values they were started with. */
  defineInputs(definitions: readonly InputDefinition[]): void {
    this.#inputs.define(definitions);
    this.#configMayHaveChanged();
  }

  /** Replaces all definitions. */
  replaceInputs(definitions: readonly InputDefinition[]): void {
    this.#inputs.replaceAll(definitions);
    this.#configMayHaveChanged();
  }

  /** Removes a definition. Returns false if there is none with this id. */
  removeInput(id: string): boolean {
    const known = this.#inputs.remove(id);
    this.#configMayHaveChanged();
    return known;
  }

  /** The cached values of the inputs, with secrets masked. */
  inputValues(): Readonly<Record<string, JsonValue>> {
    return this.#inputs.maskedValues();
  }

  /** Sets the cached value of an input. Returns false if there is none with this id. */
  setInputValue(id: string, value: JsonValue): boolean {
    const isKnown = this.#inputs.setCachedValue(id, value);
    this.#events.emit('inputs');
    return isKnown;
  }

  /** Removes the cached value of an input. Returns false if it has none. */
  removeInputValue(id: string): boolean {
    const wasSet = this.#inputs.removeCachedValue(id);
    this.#events.emit('inputs');
    return wasSet;
  }

  /** Removes all cached values. */
  clearInputValues(): void {
    this.#inputs.clearCache();
    this.#events.emit('inputs');
  }

  /** Whether the environment has a value for this input, by which it is resolved. */
  hasEnvironmentValue(id: string): boolean {
    return this.#placeholders.hasEnvironmentValue(id);
  }

  /** Fills in the placeholders of a value, as for a server. The result may contain secrets. */
  render(value: JsonValue, warn: (message: string) => void = () => {}): Promise<JsonValue> {
    return this.#placeholders.render(value, warn);
  }

  /** The answer to `client:get_mcp_config`: servers and inputs, placeholders unfilled, secrets masked. */
  config(): Required<GetMCPConfigRet> {
    const withIds = this.servers().map((server) => ({ ...server, bundle_id: this.#manager.bundleIdOf(server.name) }));
    return configSnapshot(withIds, this.inputs());
  }

  // ── Tools ──

  /**
   * The tools in the form of the protocol, as Agents see them.
   *
   * @param form `display` up to protocol 0.2; `exposed` from 0.3 on, with the bundle id of each tool.
   * @param names The names that the Agent prefers; those of the form by default.
   * @param scope What the Agent may use; everything by default.
   */
  getAvailableTools(form: NameForm = 'display', names: NameForm = form, scope: AgentScope = {}): SMCPTool[] {
    return listForAgent(this.#manager.availableTools(), form, names, scope);
  }

  /** Increases with every change of the tools. */
  get toolsVersion(): number {
    return this.#toolsVersion;
  }

  /** The tools with the details that only this machine needs. */
  tools(): readonly AvailableTool[] {
    return this.#manager.availableTools();
  }

  /**
   * Runs a tool once for each `(office, agent, reqId)`. Reuse an id to get that call's result. The promise always
   * resolves: a failure is a result with `isError: true`.
   */
  executeTool(
    reqId: string,
    nameOrAlias: string,
    parameters: Readonly<Record<string, unknown>>,
    options: ExecuteOptions = {},
  ): Promise<CallToolResult> {
    if (this.#state !== 'booted') return Promise.resolve(notBooted(reqId));
    return this.#calls.execute(reqId, nameOrAlias, parameters, options);
  }

  /** Cancels a pending call, also at the MCP server. Returns false if there is no such call. */
  cancel(reqId: string, caller: Pick<ExecuteOptions, 'agent' | 'office'> = {}): boolean {
    return this.#calls.cancel(reqId, caller);
  }

  /** The recent calls, oldest first. */
  history(): readonly ToolCallRecord[] {
    return this.#calls.records;
  }

  /** The bundle id of an MCP server, by its name or id; the text itself if there is no such server. */
  bundleIdOf(server: string): string {
    const name = this.#manager.serverName(server);
    return this.servers().some((known) => known.name === name) ? this.#manager.bundleIdOf(name) : server;
  }

  // ── Resources, skills and files ──

  /**
   * Lists one page of the resources of an MCP server, which is given by bundle id or name.
   *
   * @throws SMCPError `MCPServerNotFound`, or `CapabilityNotSupported` for a server without resources.
   */
  resources(server: string, cursor?: string): Promise<ResourcePage> {
    return this.#resources.list(server, cursor);
  }

  /** Reads a resource of an MCP server. Throws as `resources` does. */
  readResource(server: string, uri: string): Promise<readonly JsonObject[]> {
    return this.#resources.read(server, uri);
  }

  /**
   * Whether an Agent may use an MCP server, given by its name or bundle id. The scope is checked with both. A text may
   * be the name of one server and the bundle id of another: then the Agent needs access to both.
   */
  mayUseServer(scope: AgentScope | undefined, server: string): boolean {
    if (scope?.servers === undefined) return true;
    const known = this.servers()
      .map(({ name }) => [name, this.#manager.bundleIdOf(name)])
      .filter((names) => names.includes(server));
    return (known.length > 0 ? known : [[server]]).every((names) => isPermitted(scope.servers, ...names));
  }

  /** The skills that Agents can read, by name. */
  skills(): readonly A2CSkillRef[] {
    return this.#skills?.list() ?? [];
  }

  /**
   * Reads a file of a skill. SKILL.md is the default, and is read without its frontmatter.
   *
   * @throws SMCPError `InvalidSkillName`, `MCPServerNotFound` for an unknown skill, or `SkillResourceNotAccessible`.
   */
  async readSkill(name: string, relPath?: string): Promise<SkillFile> {
    return (this.#skills ?? NO_SKILLS).read(name, relPath);
  }

  /**
   * Accepts one chunk of a file that an Agent sends.
   *
   * @param owner Who sends it; other owners cannot continue the upload.
   * @throws SMCPError `BlobWriteFailed` with the reason.
   */
  receiveBlob(chunk: PutBlobReq, owner: string): Promise<PutBlobRet> {
    return this.#landing.put(chunk, owner);
  }

  /** An Agent has left: its unfinished uploads make room for those of others first. */
  agentLeft(owner: string): void {
    this.#landing.agentLeft(owner);
  }

  // ── Desktop ──

  /** The windows of all servers with their contents, as the servers have them. */
  windows(): Promise<readonly Window[]> {
    return this.#manager.getWindowsDetails();
  }

  /** The windows of all servers as texts, those of the most recently used server first. */
  async getDesktop({ size, window, scope, order = 'name' }: DesktopRequest = {}): Promise<string[]> {
    if (size !== undefined && size <= 0) return [];
    const exact = await this.#readWindows(window);
    // No exact match: the URI may be another spelling of one of the windows.
    const all = exact.length === 0 && window !== undefined ? await this.#readWindows() : exact;
    const permitted = all.filter(({ server }) => this.mayUseServer(scope, server));
    const records = this.#calls.records;
    if (order === 'name') {
      const history = records.map(({ server }) => server);
      return organiseDesktop(permitted, { size, window, history });
    }
    const windows = permitted.map((each) => ({ ...each, server: this.bundleIdOf(each.server) }));
    return organiseDesktop(windows, { size, window, history: records.map(({ bundle_id }) => bundle_id) });
  }

  // ── Inside ──

  #readWindows(uri?: string): Promise<readonly Window[]> {
    return this.#windows.read(uri ?? '', () => this.#manager.getWindowsDetails(uri));
  }

  /** The error of a start may quote a command line or an address that contains a secret. */
  async #withoutSecrets<T>(work: Promise<T>): Promise<T> {
    try {
      return await work;
    } catch (error) {
      if (error instanceof Error) error.message = this.#secrets.text(error.message);
      throw error;
    }
  }

  async #end(): Promise<void> {
    this.#state = 'closed';
    await this.#skills?.close();
    await this.#landing.close();
    await this.#calls.close();
    await this.#manager.close();
  }

  #configMayHaveChanged(): void {
    const present = JSON.stringify(this.config());
    if (present === this.#announcedConfig) return;
    this.#announcedConfig = present;
    this.#events.emit('config');
    this.#events.emit('inputs');
  }

  get #targets(): EventTargets {
    return { events: this.#events, logger: this.#logger, secrets: this.#secrets };
  }
}
