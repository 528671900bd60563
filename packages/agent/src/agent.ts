import {
  Backoff,
  type CallToolResult,
  checkHeaders,
  DEFAULT_TIMEOUT_SECONDS,
  type Dialect,
  Emitter,
  type GetMCPConfigRet,
  type NotificationEvent,
  type NotificationOf,
  parseRequest,
  type RequestOf,
  type ResultOf,
  readServerUrl,
  type SessionInfo,
  SMCPError,
  type ToolCallReq,
} from '@a2c/protocol';
import { fetchBlobs } from './blobs/fetch-blobs.js';
import { canPull } from './blobs/pull-blob.js';
import { type AgentState, Link } from './link/link.js';
import { pause } from './link/pause.js';
import { randomId } from './link/random-id.js';
import { type Question, request } from './link/request.js';
import { Discovery } from './office/discovery.js';
import type { AgentEvents, RemoteComputer } from './office/remote-computer.js';
import { type AgentLimits, type AgentOptions, DEFAULT_LIMITS } from './options.js';
import {
  type AISDKTool,
  type AnthropicTool,
  type MCPToolDefinition,
  type OpenAITool,
  toAISDKTools,
  toAnthropicTools,
  toMCPTools,
  toOpenAITools,
} from './tools/adapters.js';
import { type AgentTool, Catalogue } from './tools/catalogue.js';

export interface CallOptions {
  /** Seconds the Computer has; on the wire they are whole. */
  readonly timeout?: number | undefined;
  /** Aborting it cancels the call on the Computer and rejects with the signal's reason. */
  readonly signal?: AbortSignal | undefined;
  /** Unique among this Agent's calls; a repeated one is answered with the first one's result. */
  readonly reqId?: string | undefined;
}

export interface QueryOptions {
  readonly signal?: AbortSignal | undefined;
}

export interface DesktopOptions extends QueryOptions {
  /** How many windows at most. */
  readonly size?: number | undefined;
  /** Only the window with this URI. */
  readonly window?: string | undefined;
}

/**
 * An Agent in an office: it knows the Computers there and their tools, and calls them. Every method that asks something
 * resolves with the answer or rejects with an `SMCPError`; a tool that failed is a result with `isError`.
 */
export class Agent implements AsyncDisposable {
  readonly name: string;
  readonly #dialect: Dialect;
  readonly #retry: boolean;
  readonly #limits: AgentLimits;
  readonly #events = new Emitter<AgentEvents>();
  readonly #link: Link;
  readonly #discovery: Discovery;
  #catalogue: { readonly version: number; readonly catalogue: Catalogue } | undefined;

  private constructor(options: AgentOptions) {
    const { name, office, dialect = 'spec', retry = true, limits, apiKey } = options;
    this.name = name;
    this.#dialect = dialect;
    this.#retry = retry;
    this.#limits = { ...DEFAULT_LIMITS, ...limits };
    const url = readServerUrl(options.url, options.allowInsecure);
    checkHeaders({ ...(apiKey !== undefined && { 'x-api-key': apiKey }), ...options.headers });
    const endpoint = { ...options, url, dialect, instance: randomId(), limits: this.#limits };
    this.#link = new Link(endpoint, office, {
      onNotification: (event, payload) => this.#heard(event, payload),
      onWarning: (warning) => this.#events.emit('warning', warning),
      onLost: ({ reason }) => this.#events.emit('disconnected', { reason }),
      onRejoined: () => this.#rejoined(),
      onEnded: (error) => this.#ended(error),
    });
    this.#discovery = new Discovery({
      events: this.#events,
      coalesceMs: this.#limits.coalesceMs,
      backoff: () => new Backoff(this.#limits.reconnectMinMs, this.#limits.reconnectMaxMs),
      fetchTools: async (computer) => (await this.#query('client:get_tools', { computer }, false)).tools,
    });
  }

  /** Connects, joins, and learns who is there and what they offer. A first attempt that fails is not repeated. */
  static async connect(options: AgentOptions): Promise<Agent> {
    const agent = Agent.create(options);
    await agent.join(options.office);
    return agent;
  }

  /** One that is in no office yet, for those who listen before it joins, or join again when that fails. */
  static create(options: AgentOptions): Agent {
    return new Agent(options);
  }

  /** The office it sits in, or sat in last. */
  get office(): string {
    return this.#link.office;
  }

  get state(): AgentState {
    return this.#link.state;
  }

  /** Why it is `closed`, when nobody closed it. */
  get error(): SMCPError | undefined {
    return this.#link.error;
  }

  /** The Computers of the office by name; always as last heard. */
  get computers(): ReadonlyMap<string, RemoteComputer> {
    return this.#discovery.computers;
  }

  /** Every tool of every Computer, under the names that the adapters give to models. */
  tools(): readonly AgentTool[] {
    return this.#named().tools;
  }

  /** Returns what removes the listener again. */
  on<E extends keyof AgentEvents>(event: E, listener: (value: AgentEvents[E]) => void): () => void {
    return this.#events.on(event, listener);
  }

  async callTool(
    computer: string,
    tool: string,
    params: Record<string, unknown> = {},
    { timeout = DEFAULT_TIMEOUT_SECONDS, signal, reqId = randomId() }: CallOptions = {},
  ): Promise<CallToolResult> {
    const wish: ToolCallReq = { agent: this.name, req_id: reqId, computer, tool_name: tool, params, timeout };
    const call = parseRequest('client:tool_call', { ...wish, ...(canPull && { accept_blobs: true }) });
    return this.#whole(computer, await this.#call(call, signal), signal);
  }

  /** The call of a model: `name` is one of those in `tools()`. */
  async callNamed(name: string, params: Record<string, unknown> = {}, options?: CallOptions): Promise<CallToolResult> {
    const found = this.#named().find(name);
    if (!found) throw new SMCPError('ToolNotFound', `no tool "${name}" in office "${this.office}"`);
    return this.callTool(found.computer, found.tool.name, params, options);
  }

  /** What the Computer is configured with; secrets stay there. */
  getConfig(computer: string, { signal }: QueryOptions = {}): Promise<GetMCPConfigRet> {
    return this.#query('client:get_config', { computer }, true, signal);
  }

  /** The Computer's windows, as texts. */
  async getDesktop(computer: string, { size, window, signal }: DesktopOptions = {}): Promise<readonly string[]> {
    const wish = { ...(size !== undefined && { desktop_size: size }), ...(window !== undefined && { window }) };
    return (await this.#query('client:get_desktop', { computer, ...wish }, true, signal)).desktops;
  }

  /** Who sits in the office, as the Server says now. */
  async listRoom({ signal }: QueryOptions = {}): Promise<readonly SessionInfo[]> {
    return (await this.#query('server:list_room', { office_id: this.office }, true, signal)).sessions;
  }

  /** Asks the Computer to stop. The call then ends with whatever the Computer answers; `callCancelled` confirms. */
  cancel(reqId: string): void {
    this.#link.tell('server:tool_call_cancel', { agent: this.name, req_id: reqId });
  }

  /** Another office, after `leave`: an Agent is in one at a time. */
  async join(office: string): Promise<void> {
    await this.#link.join(office);
    const known = new AbortController();
    const discovered = this.#discover().finally(() => known.abort());
    await Promise.race([discovered, pause(this.#limits.discoverySeconds * 1_000, known.signal).catch(() => {})]);
  }

  /** Gives the seat up and ends the connection; calls in flight are cancelled by the Server. */
  async leave(): Promise<void> {
    const left = this.#link.leave();
    this.#discovery.clear();
    await left;
  }

  /** Leaves for good. */
  async close(): Promise<void> {
    const closed = this.#link.close();
    this.#discovery.clear();
    await closed;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  toMCPTools(): MCPToolDefinition[] {
    return toMCPTools(this.tools());
  }

  toOpenAITools(): OpenAITool[] {
    return toOpenAITools(this.tools());
  }

  toAnthropicTools(): AnthropicTool[] {
    return toAnthropicTools(this.tools());
  }

  toAISDKTools(): Record<string, AISDKTool> {
    return toAISDKTools(this.tools(), (name, params, options) => this.callNamed(name, params, options));
  }

  /** Everything up to the result; parts too large for a message are still missing in it. */
  async #call(call: ToolCallReq, signal: AbortSignal | undefined): Promise<CallToolResult> {
    const ms = (call.timeout + this.#limits.graceSeconds) * 1_000;
    signal?.throwIfAborted();
    try {
      return await this.#ask('client:tool_call', call, ms, signal, this.#retry);
    } catch (error) {
      const isLate = error instanceof SMCPError && error.code === 408;
      // Nobody waits for it any more: the Computer need not go on.
      if (isLate || signal?.aborted) this.cancel(call.req_id);
      throw isLate && error.a2cCode === undefined ? tooLate(call, error) : error;
    }
  }

  /** The tool's time is over by now; every piece has the time of a query, and is asked for again after a lost connection. */
  #whole(computer: string, result: CallToolResult, signal: AbortSignal | undefined): Promise<CallToolResult> {
    const { pieceBytes: max_chunk_bytes, resultBytes: maxBytes } = this.#limits;
    return fetchBlobs(result, {
      ask: (blob_handle, chunk_offset) =>
        this.#query('client:get_blob', { computer, blob_handle, chunk_offset, max_chunk_bytes }, true, signal),
      maxBytes,
      isOver: () => this.#isOver,
    });
  }

  #ask<E extends Question>(
    event: E,
    question: RequestOf<E>,
    ms: number,
    signal: AbortSignal | undefined,
    repeat: boolean,
  ): Promise<ResultOf<E>> {
    return request(this.#link, this.#dialect, event, question, {
      ...{ ms, signal, repeat },
      absenceMs: this.#limits.absenceSeconds * 1_000,
      presence: async (computer, most, stop) => {
        if (!this.#isOver) await this.#discovery.presence(computer, most, stop);
      },
    });
  }

  async #query<E extends Exclude<Question, 'client:tool_call'>>(
    event: E,
    fields: Omit<RequestOf<E>, 'agent' | 'req_id'>,
    repeat: boolean,
    signal?: AbortSignal,
  ): Promise<ResultOf<E>> {
    const question = parseRequest(event, { agent: this.name, req_id: randomId(), ...fields });
    const { querySeconds, graceSeconds } = this.#limits;
    return this.#ask(event, question, (querySeconds + graceSeconds) * 1_000, signal, repeat);
  }

  get #isOver(): boolean {
    return this.state === 'left' || this.state === 'closed';
  }

  #named(): Catalogue {
    const { version, computers } = this.#discovery;
    if (this.#catalogue?.version !== version) {
      this.#catalogue = { version, catalogue: new Catalogue(computers.values()) };
    }
    return this.#catalogue.catalogue;
  }

  /** A Server that cannot tell who is there costs us the list, not the office. */
  async #discover(): Promise<void> {
    try {
      await this.#discovery.resync(async () => {
        const { sessions } = await this.#query('server:list_room', { office_id: this.office }, false);
        return sessions.filter(({ role }) => role === 'computer').map(({ name }) => name);
      });
    } catch (error) {
      if (this.state === 'joined') this.#events.emit('warning', SMCPError.from(error));
    }
  }

  #rejoined(): void {
    this.#events.emit('reconnected', { office: this.office });
    void this.#discover();
  }

  #ended(error: SMCPError): void {
    this.#discovery.clear();
    this.#events.emit('ended', error);
  }

  #heard<E extends NotificationEvent>(event: E, payload: NotificationOf<E>): void {
    // News of an office that is not ours, or no longer, must not confuse us.
    if (this.#isOver) return;
    if ('office_id' in payload && payload.office_id !== this.office) return;
    const { computer, agent, req_id: reqId } = payload as { computer?: string; agent?: string; req_id?: string };
    if (event === 'notify:tool_call_cancel') {
      this.#events.emit('callCancelled', { agent: agent as string, reqId: reqId as string });
    }
    if (computer === undefined) return;
    if (event === 'notify:enter_office') this.#discovery.entered(computer);
    if (event === 'notify:leave_office') this.#discovery.left(computer);
    if (event === 'notify:update_config') this.#discovery.announce(computer, 'configUpdated');
    if (event === 'notify:update_tool_list') this.#discovery.announce(computer, 'toolsChanged');
    if (event === 'notify:update_desktop') this.#discovery.announce(computer, 'desktopRefreshed');
  }
}

function tooLate({ computer, tool_name, req_id }: ToolCallReq, cause: SMCPError): SMCPError {
  return new SMCPError('ToolTimeout', `tool "${tool_name}" of Computer "${computer}": ${cause.message}`, {
    details: { computer, tool: tool_name, req_id },
    cause,
  });
}
