import type { JsonObject, ServerConfig } from '@a2c/config';
import type { LogInOptions } from '@a2c/login';
import { type CallToolResult, Emitter, isRecord, type Window, type WindowResource } from '@a2c/protocol';
import type { HubCallOptions, RequestOptions } from './calls/call-options.js';
import { CallPipeline } from './calls/call-pipeline.js';
import { LISTS, listAll } from './clients/list-all.js';
import type { ServedClient } from './clients/served-client.js';
import { withValidFields } from './clients/valid-fields.js';
import { Deadline } from './deadline.js';
import type { AddOptions, HubEvents, ManagerOptions } from './options.js';
import type { ManagedServer } from './servers/managed-server.js';
import { ServerSet } from './servers/server-set.js';
import type { ServerStatus } from './servers/status.js';
import type { AvailableTool } from './tools/tool-table.js';
import type { ServerWindows } from './windows/server-windows.js';

/**
 * The hub: starts MCP servers, keeps their connections, lists their tools and windows as one, and calls tools.
 *
 * @example
 * ```ts
 * import { readConfig, TrustGuard, UNTRUSTED } from '@a2c/config';
 * import { MCPServerManager } from '@a2c/hub';
 *
 * const text = JSON.stringify({ mcpServers: { files: { command: 'npx', args: ['-y', 'my-server'] } } });
 * const { config } = readConfig(text, { file: 'mcp.json' });
 * await using hub = new MCPServerManager({ guard: new TrustGuard({ ...UNTRUSTED, trusted: true }) });
 * hub.on('state', ({ server, state }) => console.log(server, state));
 * await hub.initialize(config?.servers ?? []);
 * const result = await hub.executeTool('read_file', { path: 'README.md' }, { timeout: 10 });
 * console.log(result.content);
 * ```
 */
export class MCPServerManager {
  readonly #events = new Emitter<HubEvents>();
  readonly #servers: ServerSet;
  readonly #pipeline: CallPipeline;

  constructor(options: ManagerOptions = {}) {
    this.#servers = new ServerSet(options, this.#events);
    this.#pipeline = new CallPipeline(this.#servers);
  }

  /** Adds a listener. Returns a function that removes it. */
  on<E extends keyof HubEvents>(event: E, listener: (value: HubEvents[E]) => void): () => void {
    return this.#events.on(event, listener);
  }

  // ── Servers ──

  /**
   * Replaces all servers. They start in parallel; a server that cannot start is in the state `error`, with its cause.
   */
  initialize(configs: readonly ServerConfig[]): Promise<void> {
    return this.#servers.initialize(configs);
  }

  /**
   * Adds a server or updates the configuration of one. A server that cannot be started is kept, in the state `error`.
   * If the inputs of an update have no values, the running server is kept as it is.
   *
   * @throws ToolNameDuplicatedError if another server has a tool of the same name; the change is rolled back. Not with
   *   `sharesToolNames`
   * @throws HubError of kind `refused` if the server is running and `autoReconnect` is off; of kind `not-connected` if
   *   it is running and the inputs of its new configuration have no values
   */
  addOrUpdateServer(config: ServerConfig, options: AddOptions = {}): Promise<ServerStatus> {
    return this.#servers.addOrUpdate(config, options);
  }

  /** Stops and removes a server. */
  async removeServer(name: string): Promise<void> {
    await this.#servers.remove(name);
  }

  /** Starts all servers that are not disabled, in parallel. A failure is in the status of its server. */
  startAll(): Promise<void> {
    return this.#servers.startAll();
  }

  /** Starts a server. Rejects with a `HubError` if that fails. */
  async startClient(name: string): Promise<void> {
    await this.#servers.get(name).start();
  }

  /**
   * Stops and starts a server. Rejects with a `HubError` if that fails; if its inputs have no values, it keeps running.
   */
  async restartClient(name: string): Promise<void> {
    await this.#servers.get(name).restart();
  }

  /** Stops a server. It stays stopped until it is started again. */
  async stopClient(name: string): Promise<void> {
    await this.#servers.get(name).stop();
  }

  /** Stops all servers. */
  stopAll(): Promise<void> {
    return this.#servers.stopAll();
  }

  /** Stops all servers permanently. */
  close(): Promise<void> {
    return this.#servers.close();
  }

  /** Calls `close`, for `await using`. */
  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  /** The status of every server, in configuration order. */
  status(): readonly ServerStatus[] {
    return this.#servers.status();
  }

  /** The status of one server; undefined if there is none of this name. */
  statusOf(name: string): ServerStatus | undefined {
    return this.#servers.statusOf(name);
  }

  /** The configurations as written, without the values of placeholders. */
  servers(): readonly ServerConfig[] {
    return this.#servers.all().map(({ config }) => config);
  }

  /** The bundle id of a server: the configured one, or the one derived from its configuration. */
  bundleIdOf(server: string): string {
    return this.#servers.bundleIdOf(this.#servers.get(server).name);
  }

  /** The name of the server with this bundle id; a name is returned as it is. */
  serverName(nameOrBundleId: string): string {
    return this.#servers.nameOf(nameOrBundleId);
  }

  /**
   * Lists tools that were approved in the `PinStore` meanwhile. This happens by itself after a moment; call it to see
   * an approval at once.
   */
  applyApprovals(): Promise<void> {
    return this.#servers.applyApprovals();
  }

  // ── Logins ──

  /**
   * Logs in to a server that needs it. The server then connects by itself, in every process of this user.
   *
   * @throws HubError of kind `refused` if the server cannot have a login, TrustError if its configuration is not
   *   trusted, and LoginError if the login fails
   */
  async login(name: string, { account, ...options }: LogInOptions & { readonly account?: string }): Promise<void> {
    this.#servers.assertLogin(name);
    await (await this.#servers.login(name, account)).logIn(options);
  }

  /** Deletes the login of a server and revokes its tokens. Returns false if there was none. */
  async logout(name: string, { account }: { readonly account?: string } = {}): Promise<boolean> {
    return (await this.#servers.login(name, account)).logOut();
  }

  // ── Tools ──

  /**
   * All tools as one list. Of two servers with the same tool name, the first one in configuration order has it; the
   * tool of the other is listed as `server.tool`.
   */
  availableTools(): readonly AvailableTool[] {
    return this.#servers.table.all();
  }

  /**
   * The tools of one server, including those whose name another server has; for a client as it sees them after
   * `prepareClient`.
   */
  toolsOf(server: string, client?: ServedClient): readonly AvailableTool[] {
    const managed = this.#servers.get(server);
    const table = (client && this.#servers.tableFor(managed, client)) ?? this.#servers.table;
    return table.of(server);
  }

  /**
   * The names of the tools that a server had in its last list, also of an earlier run, whether or not it runs now and
   * whether or not they are approved.
   */
  knownToolNames(server: string): readonly string[] {
    return this.#servers.knownNamesOf(this.#servers.get(server));
  }

  /** The servers that list other tools to this client than to all. Call `prepareClient` before. */
  serversWithOwnTools(client: ServedClient): readonly string[] {
    return this.#servers
      .all()
      .filter((server) => server.clientTools.of(client) !== undefined)
      .map(({ name }) => name);
  }

  /**
   * Finds out which servers list other tools to a client with these capabilities, and lists those. Never rejects: a
   * server that cannot be asked shows what it shows to all. Resolves after `timeoutMs` at the latest; what is found
   * later is emitted as `clientTools`, `resources` and `prompts`.
   */
  async prepareClient(client: ServedClient, timeoutMs = Number.POSITIVE_INFINITY): Promise<void> {
    await Promise.all(this.#servers.all().map((server) => server.clientTools.prepare(client, timeoutMs)));
  }

  /** The number of tools of each server. */
  toolStats(): ReadonlyMap<string, number> {
    return this.#servers.table.stats();
  }

  /** Returns the tool with this name, alias or full name. Throws a `HubError` if it may not be called. */
  validateToolCall(nameOrAlias: string): AvailableTool {
    return this.#servers.table.find(nameOrAlias);
  }

  /**
   * Calls a tool by its name, alias, exposed name or full name (`server.tool`, `server/tool`), of whatever server.
   *
   * @throws HubError if the call is refused or fails; a failure that the tool reports is a result with `isError: true`
   */
  executeTool(nameOrAlias: string, parameters: JsonObject, options: HubCallOptions = {}): Promise<CallToolResult> {
    const { nameForm: form, bundleId } = options;
    return this.#pipeline.call({ tool: nameOrAlias, form, bundleId }, parameters, options);
  }

  /** Calls a tool of one server, by its own name or its alias. Throws as `executeTool` does. */
  callTool(
    server: string,
    tool: string,
    parameters: JsonObject,
    options: HubCallOptions = {},
  ): Promise<CallToolResult> {
    return this.#pipeline.call({ server, tool }, parameters, options);
  }

  // ── Windows ──

  /** Lists the windows of all connected servers, or the window with this URI. */
  async listWindows(uri?: string): Promise<readonly { readonly server: string; readonly resource: WindowResource }[]> {
    return this.#eachServerWindows(uri, async (server, _windows, resources) =>
      resources.map((resource) => ({ server: server.name, resource })),
    );
  }

  /** Reads the windows of all connected servers, or the window with this URI. */
  async getWindowsDetails(uri?: string): Promise<readonly Window[]> {
    return this.#eachServerWindows(uri, (_server, windows, resources) => windows.readAll(resources));
  }

  /** A server that is slow or fails loses only its own windows. */
  async #eachServerWindows<T>(
    uri: string | undefined,
    read: (
      server: ManagedServer,
      windows: ServerWindows,
      resources: readonly WindowResource[],
    ) => Promise<readonly T[]>,
  ): Promise<readonly T[]> {
    const timeoutMs = this.#servers.limits.listTimeoutMs * 2;
    const lists = this.#servers.all().map(async (server) => {
      if (!server.windows) return []; // Do not start a stopped server just to list its windows.
      try {
        return await Deadline.run(timeoutMs, { what: 'reading the windows' }, (deadline) =>
          server.run({}, deadline, async () => {
            const resources = (await server.windows?.list()) ?? [];
            const wanted = resources.filter((resource) => uri === undefined || resource.uri === uri);
            return server.windows ? read(server, server.windows, wanted) : [];
          }),
        );
      } catch (error) {
        this.#servers.warn(server.name, `its windows could not be listed: ${(error as Error).message}`);
        return [];
      }
    });
    return (await Promise.all(lists)).flat();
  }

  // ── Resources, prompts and other requests ──

  /** Lists the resources of a server. */
  listResources(server: string, options?: RequestOptions): Promise<readonly JsonObject[]> {
    return this.#list(server, 'resources', options);
  }

  /** Lists the resource templates of a server. */
  listResourceTemplates(server: string, options?: RequestOptions): Promise<readonly JsonObject[]> {
    return this.#list(server, 'resourceTemplates', options);
  }

  /** Lists the prompts of a server. */
  listPrompts(server: string, options?: RequestOptions): Promise<readonly JsonObject[]> {
    return this.#list(server, 'prompts', options);
  }

  /** Reads a resource. */
  readResource(server: string, uri: string, options?: HubCallOptions): Promise<JsonObject> {
    return this.request(server, 'resources/read', { uri }, options);
  }

  /**
   * Subscribes to resources: their changes are emitted as `updated`, also after a reconnect. Returns a function that
   * unsubscribes.
   */
  async subscribe(server: string, uris: readonly string[], options: RequestOptions = {}): Promise<() => void> {
    return this.#withDeadline(server, options, 'subscribing to resources', (managed, deadline) =>
      managed.subscribe(uris, options.client, deadline),
    );
  }

  /** Reports that the roots or the log level of a client have changed, to servers that it has a connection to. */
  async clientChanged(client: ServedClient, what: 'roots' | 'logLevel'): Promise<void> {
    await Promise.all(this.#servers.all().map((server) => server.clientChanged(client, what)));
  }

  /** Gets a prompt with its arguments filled in. */
  getPrompt(
    server: string,
    name: string,
    args: Readonly<Record<string, string>> = {},
    options?: HubCallOptions,
  ): Promise<JsonObject> {
    return this.request(server, 'prompts/get', { name, arguments: { ...args } }, options);
  }

  /** Sends any MCP request and returns its result unchanged. */
  async request(
    server: string,
    method: string,
    params: JsonObject = {},
    options: HubCallOptions = {},
  ): Promise<JsonObject> {
    const meta = options.meta && { _meta: { ...(isRecord(params._meta) && params._meta), ...options.meta } };
    return this.#withDeadline(server, options, method, (managed, deadline) =>
      managed.send({ method, params: { ...params, ...meta } }, options, deadline),
    );
  }

  /**
   * Downloads a file from an address that a server named, such as the archive of a skill. The trust in the server's
   * configuration does not cover the address: the rules for untrusted sources apply.
   *
   * @throws TrustError for an address that the policy refuses
   */
  fetch(server: string, url: string, options: RequestOptions & { readonly maxBytes: number }): Promise<Buffer> {
    return this.#withDeadline(server, options, 'a download', (managed, deadline) =>
      this.#servers.download(managed, url, options.maxBytes, deadline.signal),
    );
  }

  /** Sends a notification. */
  async notify(server: string, method: string, params: JsonObject = {}): Promise<void> {
    await this.#withDeadline(server, {}, method, (managed, deadline) =>
      managed.run({}, deadline, (client) => client.notify(method, params)),
    );
  }

  async #list(server: string, list: keyof typeof LISTS, options: RequestOptions = {}): Promise<readonly JsonObject[]> {
    const { listPages: maxPages } = this.#servers.limits;
    const onWarning = (message: string) => this.#servers.warn(server, message);
    const items = await this.#withDeadline(server, options, LISTS[list].method, (managed, deadline) => {
      const listOptions = { maxPages, maxItems: Number.POSITIVE_INFINITY, signal: deadline.signal, onWarning };
      return managed.run(options, deadline, (client) => listAll(client, list, listOptions));
    });
    return items.filter(isRecord).map((item) => withValidFields(list, item)) as JsonObject[];
  }

  async #withDeadline<T>(
    server: string,
    options: RequestOptions,
    what: string,
    work: (managed: ManagedServer, deadline: Deadline) => Promise<T>,
  ): Promise<T> {
    const managed = this.#servers.get(server);
    const deadline = managed.deadline(options, { what });
    try {
      return await work(managed, deadline);
    } finally {
      deadline.release();
    }
  }
}
