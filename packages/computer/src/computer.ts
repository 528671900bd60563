import { EventEmitter } from 'node:events';
import { homedir } from 'node:os';
import {
  expandPlaceholders,
  type InputDefinition,
  type JsonValue,
  resolveServer,
  type ServerConfig,
  TrustGuard,
  UNTRUSTED,
} from '@a2c/config';
import { type AvailableTool, MCPServerManager, type ServerStatus } from '@a2c/hub';
import { type CallToolResult, type GetMCPConfigRet, organiseDesktop, type SMCPTool, toSMCPTool } from '@a2c/protocol';
import { notBooted } from './calls/failures.js';
import { type ExecuteOptions, ToolCalls } from './calls/tool-calls.js';
import { configSnapshot } from './config-snapshot.js';
import type { ToolCallRecord } from './history/call-history.js';
import { defaultLogger, type Logger } from './logger.js';
import { COMPUTER_LIMITS, type ComputerOptions } from './options.js';
import { SecretFilter } from './secret-filter.js';
import { SecretInputs } from './secret-inputs.js';

export interface DesktopRequest {
  /** How many windows at most; zero or less means none. */
  readonly size?: number | undefined;
  /** Only the window with this URI. */
  readonly window?: string | undefined;
}

/** What a Computer tells whoever listens, such as its link to an office. */
export interface ComputerEvents {
  /** The servers or inputs are really different. */
  config: [];
  /** The tool list is really different. */
  tools: [];
  /** A window, or the set of windows, changed. */
  desktop: [];
  call: [record: ToolCallRecord];
  /** Something went wrong that stops nothing. */
  warning: [warning: { readonly server: string; readonly message: string }];
  status: [status: { readonly server: string; readonly state: string; readonly cause: string | null }];
}

/**
 * A person's MCP servers as one computer. It fills in inputs, asks before tools run, runs every call once, remembers what
 * was done, and arranges the windows. MCP itself is the manager's business, the office a link's.
 */
export class Computer extends EventEmitter<ComputerEvents> {
  readonly #options: ComputerOptions;
  readonly #logger: Logger;
  readonly #guard: TrustGuard;
  readonly #inputs: SecretInputs;
  readonly #secrets: SecretFilter;
  readonly #manager: MCPServerManager;
  readonly #calls: ToolCalls;
  #name: string;
  #state: 'new' | 'booted' | 'closed' = 'new';
  #closing: Promise<void> | undefined;
  #announcedConfig = '';

  constructor(options: ComputerOptions) {
    super();
    this.#options = options;
    this.#name = options.name;
    this.#logger = options.logger ?? defaultLogger();
    this.#guard = options.guard ?? new TrustGuard({ ...UNTRUSTED, trusted: true });
    this.#inputs = new SecretInputs(options.inputs ?? [], {
      env: this.#env,
      ...(options.askInput && { provider: options.askInput }),
    });
    this.#secrets = new SecretFilter(this.#inputs);
    this.#manager = new MCPServerManager({
      guard: this.#guard,
      prepare: (server) => this.#prepare(server),
      root: this.#root,
      autoConnect: options.autoConnect ?? true,
      autoReconnect: options.autoReconnect ?? true,
      ...(options.client && { client: options.client }),
      ...(options.onElicit && { onElicit: options.onElicit }),
      ...(options.onSample && { onSample: options.onSample }),
    });
    this.#calls = new ToolCalls({
      manager: this.#manager,
      confirm: options.confirm,
      secrets: this.#secrets,
      limits: { ...COMPUTER_LIMITS, ...options.limits },
      logger: this.#logger,
      historyFile: options.historyFile,
      onRecord: (record) => this.emit('call', record),
    });
    this.#watchManager();
  }

  get name(): string {
    return this.#name;
  }

  /** The name it goes by in the next office it joins. */
  rename(name: string): void {
    this.#name = name;
  }

  /** Starts the servers. One that cannot be rendered or started is reported and left out; the others run. */
  async boot(): Promise<void> {
    if (this.#state !== 'new') throw new Error('a Computer boots once');
    this.#state = 'booted';
    this.#announcedConfig = JSON.stringify(configSnapshot(this.#options.mcpServers ?? [], this.inputs()));
    await this.#manager.initialize(this.#options.mcpServers ?? []);
  }

  /** Ends calls and servers. Whoever asks again waits for the same end. */
  close(): Promise<void> {
    this.#closing ??= this.#end();
    return this.#closing;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  // ── Servers ─────────────────────────────────────────────────────────────────────────────────────────────────────────

  servers(): readonly ServerConfig[] {
    return this.#manager.servers();
  }

  status(): readonly ServerStatus[] {
    return this.#manager.status().map((status) => {
      const { cause } = status;
      return cause === null ? status : { ...status, cause: this.#secrets.text(cause) };
    });
  }

  async addOrUpdateServer(server: ServerConfig): Promise<void> {
    await this.#withoutSecrets(this.#manager.addOrUpdateServer(server));
    this.#configMayHaveChanged();
  }

  async removeServer(name: string): Promise<void> {
    await this.#manager.removeServer(name);
    this.#configMayHaveChanged();
  }

  startServer(name: string): Promise<void> {
    return this.#withoutSecrets(this.#manager.startClient(name));
  }

  startAll(): Promise<void> {
    return this.#manager.startAll();
  }

  stopServer(name: string): Promise<void> {
    return this.#manager.stopClient(name);
  }

  stopAll(): Promise<void> {
    return this.#manager.stopAll();
  }

  // ── Inputs ──────────────────────────────────────────────────────────────────────────────────────────────────────────

  inputs(): readonly InputDefinition[] {
    return this.#inputs.definitions;
  }

  /** Adds definitions; one of a known id replaces it. Running servers keep the values they were started with. */
  defineInputs(definitions: readonly InputDefinition[]): void {
    this.#inputs.define(definitions);
    this.#configMayHaveChanged();
  }

  replaceInputs(definitions: readonly InputDefinition[]): void {
    this.#inputs.replaceAll(definitions);
    this.#configMayHaveChanged();
  }

  removeInput(id: string): boolean {
    const known = this.#inputs.remove(id);
    this.#configMayHaveChanged();
    return known;
  }

  /** The values inputs have so far, passwords masked. */
  inputValues(): Readonly<Record<string, JsonValue>> {
    return this.#inputs.maskedValues();
  }

  setInputValue(id: string, value: JsonValue): boolean {
    return this.#inputs.setCachedValue(id, value);
  }

  removeInputValue(id: string): boolean {
    return this.#inputs.removeCachedValue(id);
  }

  clearInputValues(): void {
    this.#inputs.clearCache();
  }

  /** Fills in the placeholders of any value, as they would be for a server. The outcome may hold secrets. */
  render(value: JsonValue, warn: (message: string) => void = () => {}): Promise<JsonValue> {
    return expandPlaceholders(value, {
      format: 'a2c',
      env: this.#env,
      root: this.#root,
      home: homedir(),
      inputs: this.#inputs,
      warn,
    });
  }

  /** What `client:get_mcp_config` answers: the present set, unrendered and masked. */
  config(): Required<GetMCPConfigRet> {
    return configSnapshot(this.servers(), this.inputs());
  }

  // ── Tools ───────────────────────────────────────────────────────────────────────────────────────────────────────────

  getAvailableTools(): SMCPTool[] {
    return this.#manager.availableTools().map(({ tool, meta, server }) => toSMCPTool(tool, meta, server));
  }

  /** The same with what only this machine needs to know. */
  tools(): readonly AvailableTool[] {
    return this.#manager.availableTools();
  }

  /**
   * Runs a tool once for each `(office, agent, reqId)`. It always resolves: whatever goes wrong is a result with
   * `isError: true` that says what.
   */
  async executeTool(
    reqId: string,
    nameOrAlias: string,
    parameters: Readonly<Record<string, unknown>>,
    options: ExecuteOptions = {},
  ): Promise<CallToolResult> {
    if (this.#state !== 'booted') return notBooted(reqId);
    return this.#calls.execute(reqId, nameOrAlias, parameters, options);
  }

  /** Ends a call under way; the MCP server is told. False when there is none. */
  cancel(reqId: string, asker: Pick<ExecuteOptions, 'agent' | 'office'> = {}): boolean {
    return this.#calls.cancel(reqId, asker);
  }

  /** The last calls, oldest first. */
  history(): readonly ToolCallRecord[] {
    return this.#calls.records;
  }

  // ── Desktop ─────────────────────────────────────────────────────────────────────────────────────────────────────────

  async getDesktop({ size, window }: DesktopRequest = {}): Promise<string[]> {
    if (size !== undefined && size <= 0) return [];
    const exact = await this.#manager.getWindowsDetails(window);
    // Another spelling of the same URI is found among all windows.
    const windows = exact.length === 0 && window !== undefined ? await this.#manager.getWindowsDetails() : exact;
    const history = this.#calls.records.map(({ server }) => server);
    return organiseDesktop(windows, { size, window, history });
  }

  // ── Inside ──────────────────────────────────────────────────────────────────────────────────────────────────────────

  /** Why a server did not start may quote the very command line or address that a secret went into. */
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
    await this.#calls.close();
    await this.#manager.close();
  }

  #prepare(server: ServerConfig): Promise<ServerConfig> {
    return resolveServer(server, {
      trusted: this.#guard.policy.trusted,
      root: this.#root,
      env: this.#env,
      inputs: this.#inputs,
      warn: (message) => this.#warn(server.name, message),
    });
  }

  #watchManager(): void {
    this.#manager.on('tools', () => this.emit('tools'));
    this.#manager.on('windows', () => this.emit('desktop'));
    this.#manager.on('warning', ({ server, message }) => this.#warn(server, message));
    this.#manager.on('conflict', ({ server, displayName, keptBy }) => {
      const remedy = 'give one of them an alias in tool_meta';
      this.#warn(server, `its tool "${displayName}" is hidden: server "${keptBy}" shows one of that name; ${remedy}`);
    });
    this.#manager.on('log', ({ server, level, logger, data }) => {
      const text = typeof data === 'string' ? data : JSON.stringify(data);
      this.#logger.debug({ server, level, logger }, this.#secrets.text(text));
    });
    this.#manager.on('state', ({ server, state, cause }) => {
      const why = cause === null ? null : this.#secrets.text(cause);
      if (state === 'error') this.#logger.warn({ server }, why ?? 'the server failed');
      else this.#logger.debug({ server, state }, 'the server changed its state');
      this.emit('status', { server, state, cause: why });
    });
  }

  #warn(server: string, message: string): void {
    const clean = this.#secrets.text(message);
    this.#logger.warn({ server }, clean);
    this.emit('warning', { server, message: clean });
  }

  #configMayHaveChanged(): void {
    const present = JSON.stringify(this.config());
    if (present === this.#announcedConfig) return;
    this.#announcedConfig = present;
    this.emit('config');
  }

  get #env(): Readonly<Record<string, string | undefined>> {
    return this.#options.env ?? process.env;
  }

  get #root(): string {
    return this.#options.root ?? process.cwd();
  }
}
