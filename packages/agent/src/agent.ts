import { Link, type LinkNotification, randomId } from '@a2c/link';
import {
  type A2CSkillRef,
  Backoff,
  type CallToolResult,
  DEFAULT_TIMEOUT_SECONDS,
  Emitter,
  type GetMCPConfigRet,
  parseRequest,
  raceSignal,
  type SessionInfo,
  SMCPError,
  withTimeout,
} from '@a2c/protocol';
import { canFetchBlobs } from './blobs/fetch-blob.js';
import {
  ComputerFiles,
  type LandedFile,
  type PutBlobOptions,
  type ResourceContents,
  type ResourcePage,
  type SkillFile,
} from './files/computer-files.js';
import { Discovery } from './office/discovery.js';
import type { AgentEvents, RemoteComputer } from './office/remote-computer.js';
import {
  AGENT_LIMITS,
  type AgentCallOptions,
  type AgentJoinOptions,
  type AgentLimits,
  type AgentOptions,
  type AgentState,
  type DesktopOptions,
  type QueryOptions,
  type ReadyOptions,
  type ResourceOptions,
} from './options.js';
import { AgentRequests } from './requests.js';
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
import { modelSchema } from './tools/model-schema.js';
import { type AgentTool, distinctTools, ToolIndex } from './tools/tool-index.js';

/**
 * An Agent in an office. It knows the Computers there and their tools, and calls them. Requests resolve with the answer
 * or reject with an `SMCPError`; a failed tool is a result with `isError`.
 *
 * @example
 * ```ts
 * await using agent = await Agent.connect({ url: 'http://127.0.0.1:7000', office: 'demo', name: 'bot' });
 * const { content } = await agent.callTool('pc', 'now', { timezone: 'Asia/Shanghai' });
 * await agent.ready();
 * console.log(agent.tools().map(({ name }) => name));
 * ```
 */
export class Agent implements AsyncDisposable {
  readonly name: string;
  readonly #limits: AgentLimits;
  readonly #events = new Emitter<AgentEvents>();
  readonly #link: Link;
  readonly #discovery: Discovery;
  readonly #requests: AgentRequests;
  readonly #files: ComputerFiles;
  #office: string;
  #isClosed = false;
  #index: { readonly version: number; readonly tools: ToolIndex } | undefined;

  private constructor(options: AgentOptions) {
    this.name = options.name;
    this.#office = options.office;
    this.#limits = { ...AGENT_LIMITS, ...options.limits };
    this.#link = new Link({ ...options, role: 'agent', limits: this.#limits });
    this.#discovery = new Discovery({
      events: this.#events,
      coalesceMs: this.#limits.coalesceMs,
      backoff: () => new Backoff(this.#limits.reconnectMinMs, this.#limits.reconnectMaxMs),
      fetchTools: async (computer) => {
        const fields = { computer, tool_names: 'display' } as const;
        const { tools } = await this.#requests.query('client:get_tools', fields, { repeat: false });
        return distinctTools(computer, tools);
      },
    });
    this.#requests = new AgentRequests({
      agent: this.name,
      link: this.#link,
      discovery: this.#discovery,
      limits: this.#limits,
      repeatCalls: options.retry ?? true,
      isOver: () => this.#isOver,
    });
    this.#files = new ComputerFiles(this.#requests, this.#limits);
    this.#link.on('notification', (notification) => this.#notified(notification));
    this.#link.on('warning', (warning) => this.#events.emit('warning', warning));
    this.#link.on('attemptFailed', (error) => this.#events.emit('warning', error));
    this.#link.on('lost', ({ reason }) => this.#events.emit('disconnected', { reason }));
    this.#link.on('joined', ({ office, isRejoin }) => {
      if (isRejoin) this.#events.emit('reconnected', { office });
      void this.#discover();
    });
    this.#link.on('ended', (error) => {
      this.#discovery.clear();
      this.#events.emit('ended', error);
    });
  }

  /**
   * Creates an Agent and joins the office. Resolves when joined; Computers and tools are discovered in the background,
   * see {@link Agent.ready}. By default a failed attempt is not repeated.
   *
   * @throws `OptionsError` for invalid options, `SMCPError` when the join fails.
   */
  static async connect(options: AgentOptions, joinOptions?: AgentJoinOptions): Promise<Agent> {
    const agent = Agent.create(options);
    await agent.join(options.office, joinOptions);
    return agent;
  }

  /**
   * Creates an Agent in no office, to add listeners before `join`.
   *
   * @throws `OptionsError` for invalid options.
   */
  static create(options: AgentOptions): Agent {
    return new Agent(options);
  }

  /** The present or most recent office. */
  get office(): string {
    return this.#office;
  }

  /** The present state. */
  get state(): AgentState {
    if (this.#isClosed || this.error) return 'closed';
    const { state, isRejoining } = this.#link;
    if (state === 'disconnected') return 'left';
    if (state === 'joined') return 'joined';
    return isRejoining ? 'reconnecting' : 'joining';
  }

  /** The final refusal or takeover that ended the Agent. */
  get error(): SMCPError | undefined {
    return this.#link.error;
  }

  /** The Computers of the office by name. The map is live; its entries are replaced, never changed. */
  get computers(): ReadonlyMap<string, RemoteComputer> {
    return this.#discovery.computers;
  }

  /** The known tools of all Computers, under names for models. Call {@link Agent.ready} first. */
  tools(): readonly AgentTool[] {
    return this.#toolIndex().tools;
  }

  /** Adds a listener. Returns a function that removes it. */
  on<E extends keyof AgentEvents>(event: E, listener: (value: AgentEvents[E]) => void): () => void {
    return this.#events.on(event, listener);
  }

  /**
   * Joins an office. An Agent is in one office at a time: leave the former one first.
   *
   * @example
   * ```ts
   * // Waits for a Server that is down, and while another Agent is in the office.
   * await agent.join('demo', { retryForMs: Infinity, waitForSeat: 'always', signal });
   * ```
   * @throws `SMCPError` with the refusal or the last failure.
   */
  async join(office: string, options: AgentJoinOptions = {}): Promise<void> {
    if (this.state === 'closed') throw this.error ?? closed();
    if (this.state !== 'left') {
      throw new SMCPError(
        'Forbidden',
        `already in office "${this.#office}"; leave it first: an Agent is in one office at a time`,
      );
    }
    this.#office = office;
    await this.#link.join(office, options);
  }

  /**
   * Resolves when the Computers and their tools are known, at the latest after `limits.discoveryMs`. A Computer that
   * answers later emits `toolsChanged`.
   *
   * @throws `SMCPError` in no office.
   */
  async ready({ computer, signal }: ReadyOptions = {}): Promise<void> {
    await raceSignal(this.#link.whenJoined(), signal);
    const timeout = new Error('discovery timed out');
    await withTimeout(this.#discovery.known(computer), {
      ms: this.#limits.discoveryMs,
      onTimeout: () => timeout,
      signal,
    }).catch((error) => {
      if (error !== timeout) throw error;
    });
  }

  /** Leaves the office and closes the connection. The Server cancels pending calls. */
  async leave(): Promise<void> {
    if (this.state === 'closed') return;
    this.#discovery.clear();
    await this.#link.disconnect({ graceful: true });
  }

  /** Leaves the office. A closed Agent cannot join again. */
  async close(): Promise<void> {
    if (this.state === 'closed') return;
    this.#isClosed = true;
    this.#discovery.clear();
    await this.#link.disconnect({ graceful: true, reason: closed() });
  }

  /** Calls `close`, for `await using`. */
  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  /**
   * Calls a tool. `timeout` is in seconds and rounded up to whole ones (default 60). Aborting the signal cancels the
   * call on the Computer.
   *
   * @throws `SMCPError` when the call failed; the reason of the signal when it was aborted.
   */
  async callTool(
    computer: string,
    tool: string,
    params: Record<string, unknown> = {},
    { timeout = DEFAULT_TIMEOUT_SECONDS, signal, reqId = randomId(), onProgress, bundleId }: AgentCallOptions = {},
  ): Promise<CallToolResult> {
    const fields: Record<string, unknown> = {
      agent: this.name,
      req_id: reqId,
      computer,
      tool_name: tool,
      params,
      timeout,
      tool_names: 'display',
    };
    if (bundleId !== undefined) fields.bundle_id = bundleId;
    if (canFetchBlobs) fields.accept_blobs = true;
    if (onProgress) fields.progress = true;
    return await this.#requests.call(parseRequest('client:tool_call', fields), { signal, onProgress });
  }

  /**
   * Calls a tool by its name in {@link Agent.tools}, as a model does.
   *
   * @throws `SMCPError` `ToolNotFound` for an unknown name; otherwise as {@link Agent.callTool}.
   */
  async callNamed(
    name: string,
    params: Record<string, unknown> = {},
    options: AgentCallOptions = {},
  ): Promise<CallToolResult> {
    const found = this.#toolIndex().find(name) ?? (await this.#discovered(name, options.signal));
    const { bundleId = found?.tool.bundle_id } = options;
    if (!found || found.tool.bundle_id !== bundleId)
      throw new SMCPError('ToolNotFound', `no tool "${name}" in office "${this.office}"`);
    const { restore } = modelSchema(found.tool.params_schema);
    return this.callTool(found.computer, found.tool.name, restore(params), { ...options, bundleId });
  }

  /** Returns the configuration of a Computer, without its secrets. */
  getConfig(computer: string, { signal }: QueryOptions = {}): Promise<GetMCPConfigRet> {
    return this.#requests.query('client:get_config', { computer }, { signal });
  }

  /** Returns the windows of a Computer as texts. */
  async getDesktop(computer: string, { size, window, signal }: DesktopOptions = {}): Promise<readonly string[]> {
    const fields = { ...(size !== undefined && { desktop_size: size }), ...(window !== undefined && { window }) };
    return (await this.#requests.query('client:get_desktop', { computer, ...fields }, { signal })).desktops;
  }

  /**
   * Lists one page of the resources of an MCP server.
   *
   * @param server Its bundle id, as in `bundle_id` of its tools, or its name.
   */
  resources(computer: string, server: string, { cursor, signal }: ResourceOptions = {}): Promise<ResourcePage> {
    return this.#files.resources(computer, server, cursor, { signal });
  }

  /**
   * Reads a resource of an MCP server. The protocol has no such request: only Computers of a2c answer it.
   *
   * @throws `SMCPError` `CapabilityNotSupported` for another Computer.
   */
  readResource(
    computer: string,
    server: string,
    uri: string,
    options: QueryOptions = {},
  ): Promise<readonly ResourceContents[]> {
    return this.#files.readResource(computer, server, uri, options);
  }

  /** Lists the skills of a Computer. `skillsChanged` reports changes. */
  skills(computer: string, options: QueryOptions = {}): Promise<readonly A2CSkillRef[]> {
    return this.#files.skills(computer, options);
  }

  /** Reads a file of a skill; without a path its SKILL.md, without the frontmatter. */
  skill(computer: string, name: string, path?: string, options: QueryOptions = {}): Promise<SkillFile> {
    return this.#files.skill(computer, name, path, options);
  }

  /**
   * Sends a file to a Computer. Its tools can use it under the returned path.
   *
   * @example
   * ```ts
   * const { path } = await agent.putBlob('pc', await readFile('photo.png'), { name: 'photo.png' });
   * await agent.callTool('pc', 'resize', { path });
   * ```
   * @throws `SMCPError` `BlobWriteFailed`; `details.reason` says why.
   */
  putBlob(computer: string, data: Uint8Array, options: PutBlobOptions = {}): Promise<LandedFile> {
    return this.#files.put(computer, data, options);
  }

  /** Asks the Server for the members of the office. */
  async listRoom({ signal }: QueryOptions = {}): Promise<readonly SessionInfo[]> {
    return (await this.#requests.query('server:list_room', { office_id: this.office }, { signal })).sessions;
  }

  /**
   * Requests the cancellation of a call. The call then ends with the Computer's answer; `callCancelled` confirms it.
   */
  cancel(reqId: string): void {
    this.#requests.cancel(reqId);
  }

  /** The known tools as MCP tools. */
  toMCPTools(): MCPToolDefinition[] {
    return toMCPTools(this.tools());
  }

  /** The known tools for OpenAI's Chat Completions. */
  toOpenAITools(): OpenAITool[] {
    return toOpenAITools(this.tools());
  }

  /** The known tools for Anthropic's Messages. */
  toAnthropicTools(): AnthropicTool[] {
    return toAnthropicTools(this.tools());
  }

  /** The known tools for the AI SDK. They run on their Computers. */
  toAISDKTools(): Record<string, AISDKTool> {
    return toAISDKTools(this.tools(), (name, params, options) => this.callNamed(name, params, options));
  }

  /** Waits until a tool of this name is known, or discovery is complete. */
  async #discovered(name: string, signal: AbortSignal | undefined): Promise<AgentTool | undefined> {
    let off = () => {};
    const found = new Promise<void>((resolve) => {
      off = this.on('toolsChanged', () => this.#toolIndex().find(name) && resolve());
    });
    await Promise.race([found, this.ready({ signal })]).finally(off);
    return this.#toolIndex().find(name);
  }

  get #isOver(): boolean {
    return this.state === 'left' || this.state === 'closed';
  }

  #toolIndex(): ToolIndex {
    const { version, computers } = this.#discovery;
    if (this.#index?.version !== version) this.#index = { version, tools: new ToolIndex(computers.values()) };
    return this.#index.tools;
  }

  /** If the room cannot be listed, the Agent stays joined. */
  async #discover(): Promise<void> {
    try {
      await this.#discovery.resync(async () => {
        const fields = { office_id: this.office };
        const { sessions } = await this.#requests.query('server:list_room', fields, { repeat: false });
        return sessions.filter(({ role }) => role === 'computer');
      });
    } catch (error) {
      if (this.state === 'joined') this.#events.emit('warning', SMCPError.from(error));
    }
  }

  #notified({ event, payload }: LinkNotification): void {
    // A notification of another office, or of one that was left, is ignored.
    if (this.#isOver || ('office_id' in payload && payload.office_id !== this.office)) return;
    if (event === 'notify:tool_call_cancel') {
      this.#events.emit('callCancelled', { agent: payload.agent, reqId: payload.req_id });
    }
    if (event === 'notify:tool_call_progress') this.#requests.progressed(payload);
    const { computer } = payload as { readonly computer?: string };
    if (computer === undefined) return;
    if (event === 'notify:enter_office') this.#discovery.entered(computer, payload.epoch);
    if (event === 'notify:leave_office') this.#discovery.left(computer);
    if (event === 'notify:update_config') this.#discovery.changed(computer, 'configUpdated');
    if (event === 'notify:update_tool_list') this.#discovery.changed(computer, 'toolsChanged');
    if (event === 'notify:update_skills') this.#discovery.changed(computer, 'skillsChanged');
    if (event === 'notify:update_desktop') this.#discovery.changed(computer, 'desktopRefreshed');
  }
}

function closed(): SMCPError {
  return new SMCPError('NotInRoom', 'this Agent is closed');
}
