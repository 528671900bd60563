import { randomUUID } from 'node:crypto';
import type { JsonObject } from '@a2c/config';
import {
  type AvailableTool,
  type HubCallOptions,
  type ConsentRequest as HubConsentRequest,
  HubError,
  type ManagerOptions,
  type MCPServerManager,
  type ServedClient,
  type ServerStatus,
} from '@a2c/hub';
import { type CallToolResult, Emitter } from '@a2c/protocol';
import {
  type ConsentRequest,
  type MCPRequest,
  OWN_NAME,
  type ServerState,
  type Toolbox,
  type ToolboxCallOptions,
  type ToolboxEvents,
  type ToolboxServer,
  type ToolboxSkills,
  type ToolboxTool,
  type ToolCall,
} from '../toolbox.js';

/** How long a person may take to log in. */
const LOGIN_TIMEOUT_MS = 300_000;

/** Servers that start at the same time cause one event. */
const DEBOUNCE_MS = 50;

type ListChange = 'resourcesChanged' | 'promptsChanged';

/**
 * The MCP servers of a local hub. The caller creates, starts and closes the hub; the toolbox only uses it.
 *
 * @example
 * ```ts
 * const hub = new MCPServerManager({ ...HubToolbox.hubOptions, guard });
 * await hub.initialize(config.servers);
 * const proxy = new MCPProxy(new HubToolbox(hub));
 * ```
 */
export class HubToolbox implements Toolbox {
  /**
   * Pass these to the `MCPServerManager`. On connections that belong to no single client they declare all capabilities,
   * because some servers list fewer tools otherwise, and answer server requests that cannot be attributed to one call.
   */
  static readonly hubOptions = {
    extensions: { 'io.modelcontextprotocol/ui': { mimeTypes: ['text/html;profile=mcp-app'] } },
    /** Rejects: it is unknown which client the question is for. */
    onElicit: () => Promise.reject(unattributable()),
    /** Rejects: it is unknown which client the question is for. */
    onSample: () => Promise.reject(unattributable()),
    /** Answers with no roots. */
    onRoots: async () => ({ roots: [] }),
  } satisfies ManagerOptions;

  readonly skills: ToolboxSkills | undefined;
  readonly #hub: MCPServerManager;
  readonly #events = new Emitter<ToolboxEvents>();
  readonly #hubListeners: readonly (() => void)[];
  readonly #changedLists = new Set<ListChange>();
  /** The lists that each ready server has. */
  readonly #lists = new Map<string, readonly ListChange[]>();
  #debounce: NodeJS.Timeout | undefined;
  #servers: readonly ToolboxServer[] | undefined;

  /**
   * Start the servers first: the toolbox does not start servers that are stopped.
   *
   * @param options `skills`: the skills that `inspect` shows; default none.
   */
  constructor(hub: MCPServerManager, { skills }: { readonly skills?: ToolboxSkills | undefined } = {}) {
    this.#hub = hub;
    this.skills = skills;
    for (const status of hub.status()) this.#lists.set(status.name, listsOf(status));
    this.#hubListeners = [
      hub.on('state', ({ server, state }) => {
        this.#serversChanged();
        this.#listsChanged(server, state === 'connected' ? listsOf(hub.statusOf(server)) : []);
      }),
      hub.on('tools', () => this.#serversChanged()),
      hub.on('toolList', () => this.#events.emit('toolsAnnounced')),
      hub.on('clientTools', ({ server: _, ...viewers }) => this.#events.emit('clientToolsChanged', viewers)),
      hub.on('resources', () => this.#emitSoon('resourcesChanged')),
      hub.on('prompts', () => this.#emitSoon('promptsChanged')),
      hub.on('updated', (update) => this.#events.emit('resourceUpdated', update)),
      hub.on('elicitationComplete', (completed) => this.#events.emit('elicitationComplete', completed)),
      hub.on('task', (status) => this.#events.emit('taskStatus', status)),
      hub.on('log', ({ server, client, ...params }) =>
        this.#events.emit('log', { server, params: withoutNull(params), client }),
      ),
    ];
  }

  servers(): readonly ToolboxServer[] {
    this.#servers ??= this.#hub
      .status()
      .filter(({ disabled }) => !disabled)
      .map((status) => ({
        ...readServer(status, this.#hub.toolsOf(status.name)),
        knownNames: this.#hub.knownToolNames(status.name),
      }));
    return this.#servers;
  }

  call(call: ToolCall): Promise<CallToolResult> {
    const { server, tool, arguments: args, isUnchecked, consent, task, onWait, onSent } = call;
    const options = hubOptions(call);
    // Assigned directly, each function would be created in the old generation of the heap, and its call kept with it.
    const ask: HubCallOptions['consent'] = consent && ((request) => consent(new ToolConsent(server, request)));
    const sent: HubCallOptions['onSent'] = (connection) => {
      onWait?.(false);
      onSent?.(connection);
    };
    const logIn = () => this.logIn(server, call);
    options.consent = ask;
    options.isUnchecked = isUnchecked;
    options.task = task as JsonObject | undefined;
    options.onSent = sent;
    options.logIn = logIn;
    onWait?.(true);
    return this.#hub.callTool(server, tool, args as JsonObject, options);
  }

  request(
    server: string,
    { method, params = {} }: MCPRequest,
    options: ToolboxCallOptions,
  ): Promise<Record<string, unknown>> {
    return this.#hub.request(server, method, params as JsonObject, hubOptions(options));
  }

  /** Sends the address of the login to the client. The redirect comes back to this machine. */
  async logIn(server: string, { onServerRequest, supportsUrls, signal }: ToolboxCallOptions): Promise<boolean> {
    if (!onServerRequest || !supportsUrls) return false;
    const limit = AbortSignal.timeout(LOGIN_TIMEOUT_MS);
    const ended = new AbortController();
    const open = async ({ url }: { readonly url: string }) => {
      const message = `Log in to the MCP server "${server}"`;
      const params = { mode: 'url', message, url, elicitationId: randomUUID() };
      const { action } = await onServerRequest({ method: 'elicitation/create', params, signal: ended.signal });
      if (action !== 'accept') throw new HubError('needs-login', 'the login was declined', { server });
    };
    try {
      await this.#hub.login(server, { signal: signal ? AbortSignal.any([signal, limit]) : limit, onUrl: open });
      await this.#hub.startClient(server);
      return true;
    } catch {
      return false; // The call reports that the server needs a login.
    } finally {
      ended.abort(new HubError('cancelled', 'the login has ended'));
    }
  }

  subscribe(server: string, uris: readonly string[], { signal, client }: ToolboxCallOptions): Promise<() => void> {
    return this.#hub.subscribe(server, uris, { signal, client });
  }

  prepareClient(client: ServedClient, timeoutMs: number): Promise<void> {
    return this.#hub.prepareClient(client, timeoutMs);
  }

  toolsFor(client: ServedClient): ReadonlyMap<string, readonly ToolboxTool[]> | undefined {
    const servers = this.#hub.serversWithOwnTools(client);
    if (servers.length === 0) return undefined;
    return new Map(servers.map((server) => [server, this.#hub.toolsOf(server, client).map(readTool)]));
  }

  clientChanged(client: ServedClient, what: 'roots' | 'logLevel'): void {
    // A server that has disconnected meanwhile learns it with the next connection.
    void this.#hub.clientChanged(client, what).catch(() => {});
  }

  on<E extends keyof ToolboxEvents>(event: E, listener: (value: ToolboxEvents[E]) => void): () => void {
    return this.#events.on(event, listener);
  }

  /** Stops listening to the hub. The hub and its servers keep running. */
  close(): void {
    clearTimeout(this.#debounce);
    for (const stop of this.#hubListeners) stop();
  }

  #serversChanged(): void {
    this.#servers = undefined;
    this.#events.emit('serversChanged');
  }

  /**
   * A server that starts or stops sends no list notification of its own, so its resources and prompts are announced
   * here.
   */
  #listsChanged(server: string, after: readonly ListChange[]): void {
    const before = this.#lists.get(server) ?? [];
    this.#lists.set(server, after);
    for (const list of [...before, ...after]) {
      if (before.includes(list) !== after.includes(list)) this.#emitSoon(list);
    }
  }

  #emitSoon(event: ListChange): void {
    this.#changedLists.add(event);
    this.#debounce ??= setTimeout(() => {
      this.#debounce = undefined;
      const changed = [...this.#changedLists];
      this.#changedLists.clear();
      for (const list of changed) this.#events.emit(list);
    }, DEBOUNCE_MS).unref();
  }
}

function readServer(status: ServerStatus, tools: readonly AvailableTool[]): ToolboxServer {
  const { name, cause, era, serverInfo, instructions, capabilities } = status;
  const state = readState(status);
  return {
    name,
    state,
    ...(state !== 'ready' && cause !== null && { cause }),
    ...(status.state === 'needs-login' && { needsLogin: true }),
    ...(serverInfo && { version: serverInfo.version }),
    ...(era && { era }),
    ...(instructions !== null && { instructions }),
    ...(capabilities && { capabilities: capabilities as Record<string, unknown> }),
    tools: tools.map(readTool),
  };
}

function readState({ state, active }: ServerStatus): ServerState {
  if (state === 'connected') return 'ready';
  if (state === 'error' || state === 'needs-login') return 'failed';
  return active ? 'starting' : 'stopped';
}

/** Read once: every call asks for consent with its tool. */
const readTools = new WeakMap<AvailableTool, ToolboxTool>();

function readTool(available: AvailableTool): ToolboxTool {
  const known = readTools.get(available);
  if (known) return known;
  const { tool, displayName, meta } = available;
  const autoApply = meta?.auto_apply;
  const own = tool.name !== displayName && { [OWN_NAME]: tool.name };
  const read = { ...tool, name: displayName, ...own, ...(typeof autoApply === 'boolean' && { autoApply }) };
  readTools.set(available, read as ToolboxTool);
  return read as ToolboxTool;
}

/** The server passes this error on to its caller. An invented answer would look like a person's. */
function unattributable(): HubError {
  return new HubError(
    'refused',
    'several clients call this server at once, and it is not clear which of them is asked',
  );
}

/** The lists of a server that clients can see now. */
function listsOf({ state, capabilities }: Partial<ServerStatus> = {}): readonly ListChange[] {
  if (state !== 'connected') return [];
  return [
    ...(capabilities?.resources ? (['resourcesChanged'] as const) : []),
    ...(capabilities?.prompts ? (['promptsChanged'] as const) : []),
  ];
}

/** A question outlives its call, as over a direct connection: an older server may have asked it for another call. */
function hubOptions(given: ToolboxCallOptions): Writable<HubCallOptions> {
  const { cancellation, timeout, onProgress, onLog, onServerRequest: ask, client, meta } = given;
  return {
    timeout,
    cancellation,
    signal: cancellation ? undefined : given.signal,
    client,
    onLog,
    meta: meta as JsonObject | undefined,
    onProgress: onProgress as HubCallOptions['onProgress'],
    onElicit:
      ask &&
      ((params, { server, key, signal }) =>
        ask({ method: 'elicitation/create', server, params, key, signal }) as never),
    onSample:
      ask &&
      ((params, { server, key, signal }) =>
        ask({ method: 'sampling/createMessage', server, params, key, signal }) as never),
    onRoots: ask && (({ key, signal }) => ask({ method: 'roots/list', key, signal }) as never),
  };
}

type Writable<T> = { -readonly [K in keyof T]: T[K] };

/** A class: its signal is created when it is read. */
class ToolConsent implements ConsentRequest {
  readonly server: string;
  readonly tool: ToolboxTool;
  readonly arguments: ConsentRequest['arguments'];
  readonly #request: HubConsentRequest;

  constructor(server: string, request: HubConsentRequest) {
    this.server = server;
    this.tool = readTool(request.tool);
    this.arguments = request.arguments;
    this.#request = request;
  }

  get signal(): AbortSignal {
    return this.#request.signal;
  }
}

function withoutNull(params: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(params).filter(([, value]) => value !== null));
}
