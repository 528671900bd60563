import { EventEmitter } from 'node:events';
import { homedir } from 'node:os';
import {
  expandPlaceholders,
  type InputDefinition,
  InputResolver,
  type JsonValue,
  resolveServer,
  type ServerConfig,
  TrustGuard,
  UNTRUSTED,
} from '@a2c/config';
import { type AvailableTool, HubError, MCPServerManager, type ServerStatus } from '@a2c/hub';
import {
  DEFAULT_TIMEOUT_SECONDS,
  type GetMCPConfigRet,
  organiseDesktop,
  type SMCPTool,
  type ToolCallResult,
  toSmcpTool,
} from '@a2c/protocol';
import {
  AGENT_REQUESTED,
  cancelledResult,
  forgottenResult,
  hubFailure,
  internalFault,
  notBooted,
  timedOutResult,
  tooManyCalls,
} from './calls/failures.js';
import { type CallId, OnceOnly } from './calls/once-only.js';
import { type CallOutcome, runCall } from './calls/run-call.js';
import { configSnapshot } from './config-snapshot.js';
import { CallHistory, type ToolCallRecord } from './history/call-history.js';
import { HistoryFile } from './history/history-file.js';
import { defaultLogger, type Logger } from './logger.js';
import { COMPUTER_LIMITS, type ComputerLimits, type ComputerOptions } from './options.js';
import { SecretFilter } from './secrets.js';

export interface ExecuteOptions {
  /** Seconds for everything, the confirmation included. */
  readonly timeout?: number;
  /** Who calls; with the office and `reqId` it names the call. */
  readonly agent?: string;
  readonly office?: string;
  readonly signal?: AbortSignal;
  /** Passed to the MCP server in the request's `_meta`, such as trace context. */
  readonly meta?: Readonly<Record<string, JsonValue>>;
}

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
  readonly #limits: ComputerLimits;
  readonly #logger: Logger;
  readonly #guard: TrustGuard;
  readonly #inputs: InputResolver;
  readonly #secrets: SecretFilter;
  readonly #manager: MCPServerManager;
  readonly #calls: OnceOnly;
  readonly #history: CallHistory;
  readonly #historyFile: HistoryFile | undefined;
  #name: string;
  #state: 'new' | 'booted' | 'closed' = 'new';
  #announcedConfig = '';

  constructor(options: ComputerOptions) {
    super();
    this.#options = options;
    this.#name = options.name;
    this.#limits = { ...COMPUTER_LIMITS, ...options.limits };
    this.#logger = options.logger ?? defaultLogger();
    this.#guard = options.guard ?? new TrustGuard({ ...UNTRUSTED, trusted: true });
    this.#inputs = new InputResolver(options.inputs ?? [], {
      env: this.#env,
      ...(options.askInput && { provider: options.askInput }),
    });
    this.#secrets = new SecretFilter(this.#inputs);
    this.#calls = new OnceOnly(this.#limits);
    this.#history = new CallHistory(this.#limits.historyRecords);
    this.#historyFile =
      options.historyFile &&
      new HistoryFile(options.historyFile, (error) => this.#logger.error({ err: error }, 'the history is not written'));
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

  /** Ends calls and servers. Idempotent. */
  async close(): Promise<void> {
    if (this.#state === 'closed') return;
    this.#state = 'closed';
    this.#calls.cancelAll('the Computer is closing');
    await this.#calls.idle();
    await this.#manager.close();
    await this.#historyFile?.flush();
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
    return this.#inputs.shownValues();
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
    return this.#manager.availableTools().map(({ tool, meta }) => toSmcpTool(tool, meta));
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
  ): Promise<ToolCallResult> {
    if (this.#state !== 'booted') return notBooted(reqId);
    const id = callId(reqId, options);
    const outcome = this.#calls.run(id, (signal) => this.#execute(id, nameOrAlias, parameters, options, signal));
    if (outcome === 'too-many') return tooManyCalls(reqId, this.#limits.callsInFlight);
    if (outcome === 'forgotten') return forgottenResult(reqId);
    const { signal } = options;
    const cancel = () => this.cancel(reqId, options);
    if (signal?.aborted) cancel();
    signal?.addEventListener('abort', cancel, { once: true });
    try {
      return await outcome;
    } finally {
      signal?.removeEventListener('abort', cancel);
    }
  }

  /** Ends a call under way; the MCP server is told. False when there is none. */
  cancel(reqId: string, options: Pick<ExecuteOptions, 'agent' | 'office'> = {}): boolean {
    return this.#calls.cancel(callId(reqId, options), AGENT_REQUESTED);
  }

  /** The last calls, oldest first. */
  history(): readonly ToolCallRecord[] {
    return this.#history.records;
  }

  // ── Desktop ─────────────────────────────────────────────────────────────────────────────────────────────────────────

  async getDesktop({ size, window }: DesktopRequest = {}): Promise<string[]> {
    if (size !== undefined && size <= 0) return [];
    const exact = await this.#manager.getWindowsDetails(window);
    // Another spelling of the same URI is found among all windows.
    const windows = exact.length === 0 && window !== undefined ? await this.#manager.getWindowsDetails() : exact;
    const history = this.#history.records.map(({ server }) => server);
    return organiseDesktop(windows, { size, window, history });
  }

  // ── Inside ──────────────────────────────────────────────────────────────────────────────────────────────────────────

  async #execute(
    { agent, office, reqId }: CallId,
    nameOrAlias: string,
    parameters: Readonly<Record<string, unknown>>,
    { timeout = DEFAULT_TIMEOUT_SECONDS, meta }: ExecuteOptions,
    signal: AbortSignal,
  ): Promise<ToolCallResult> {
    const asker = office === null && agent === LOCAL ? null : agent;
    try {
      const tool = this.#manager.validateToolCall(nameOrAlias);
      const outcome = await runCall({
        manager: this.#manager,
        confirm: this.#options.confirm,
        ...{ reqId, agent: asker, tool, nameOrAlias, parameters, timeout, meta, signal },
      });
      this.#record(tool, { reqId, agent: asker, parameters, timeout }, outcome);
      return this.#resultOf(outcome, nameOrAlias, reqId);
    } catch (thrown) {
      if (thrown instanceof HubError) return hubFailure(thrown, nameOrAlias, reqId, this.#secrets.text);
      this.#logger.error({ err: thrown, req_id: reqId, tool: nameOrAlias }, 'a call failed inside');
      return internalFault(reqId);
    }
  }

  #resultOf(outcome: CallOutcome, tool: string, reqId: string): ToolCallResult {
    switch (outcome.end) {
      case 'result':
        return outcome.result;
      case 'cancelled':
        return cancelledResult(outcome.reason);
      case 'timeout':
        return timedOutResult(tool, reqId);
      case 'failed':
        return hubFailure(outcome.error, tool, reqId, this.#secrets.text);
    }
  }

  #record(
    { server, name }: AvailableTool,
    call: { reqId: string; agent: string | null; parameters: Readonly<Record<string, unknown>>; timeout: number },
    outcome: CallOutcome,
  ): void {
    const { reqId, agent, parameters, timeout } = call;
    const result = this.#resultOf(outcome, name, reqId);
    const [first] = result.content;
    const ownText = outcome.end === 'result' && !outcome.ours ? null : String(first?.text ?? '');
    const record: ToolCallRecord = {
      timestamp: new Date().toISOString(),
      req_id: reqId,
      agent,
      server,
      tool: name,
      parameters: this.#secrets.record(parameters),
      timeout,
      success: !result.isError,
      error: ownText === null ? null : this.#secrets.text(ownText),
      duration_ms: Math.round(outcome.ms),
    };
    this.#history.add(record);
    this.#historyFile?.add(record);
    const { parameters: _unlogged, ...logged } = record;
    this.#logger.info(logged, 'tool call');
    this.emit('call', record);
  }

  /** Why a server did not start may quote the very command line or address that a secret went into. */
  async #withoutSecrets<T>(work: Promise<T>): Promise<T> {
    try {
      return await work;
    } catch (error) {
      if (error instanceof Error) error.message = this.#secrets.text(error.message);
      throw error;
    }
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

/** Calls of this machine's own belong to nobody's name. */
const LOCAL = '';

function callId(reqId: string, { agent = LOCAL, office }: Pick<ExecuteOptions, 'agent' | 'office'>): CallId {
  return { office: office ?? null, agent, reqId };
}
