import type {
  AvailableTool,
  HubCallOptions,
  ManagerOptions,
  MCPServerManager,
  ServerRequestHandlers,
  ServerStatus,
} from '@a2c/hub';
import type {
  CallOptions,
  CallToolResult,
  MCPRequest,
  ServerState,
  Toolbox,
  ToolboxEvent,
  ToolboxServer,
  ToolboxTool,
  ToolCall,
} from '../toolbox.js';
import { ToolboxError } from '../toolbox-error.js';
import { asToolboxError } from './hub-errors.js';

type Parameters = NonNullable<globalThis.Parameters<MCPServerManager['request']>[2]>;

/**
 * The servers of a local hub. The hub belongs to whoever made it, and goes on when the toolbox is closed. Start the servers first:
 * the hub does not tell when one that rests is wanted, only what becomes of it.
 */
export class HubToolbox implements Toolbox {
  /**
   * For the manager behind a toolbox. Servers are only told that somebody can be asked when the manager has somebody to ask from
   * the start; these answer what cannot be attributed to one call.
   */
  static readonly answerers = {
    onElicit: () => Promise.reject(unclear()),
    onSample: () => Promise.reject(unclear()),
    onRoots: async () => ({ roots: [] }),
  } satisfies Pick<ManagerOptions, keyof ServerRequestHandlers>;

  readonly #hub: MCPServerManager;
  readonly #listeners = new Set<(event: ToolboxEvent) => void>();
  readonly #unsubscribe: readonly (() => void)[];
  readonly #changes = new Set<'resources' | 'prompts'>();
  #telling: NodeJS.Timeout | undefined;
  #servers: readonly ToolboxServer[] | undefined;

  constructor(hub: MCPServerManager) {
    this.#hub = hub;
    this.#unsubscribe = [
      hub.on('state', () => this.#changed()),
      hub.on('tools', () => this.#changed()),
      hub.on('resources', () => this.#tellSoon('resources')),
      hub.on('prompts', () => this.#tellSoon('prompts')),
      hub.on('updated', ({ server, uri }) => this.#tell({ kind: 'resource-updated', server, uri })),
      hub.on('log', ({ server, client, ...params }) =>
        this.#tell({ kind: 'log', server, params: withoutNull(params), client }),
      ),
    ];
  }

  servers(): readonly ToolboxServer[] {
    this.#servers ??= this.#hub
      .status()
      .filter(({ disabled }) => !disabled)
      .map((status) => asServer(status, this.#hub.toolsOf(status.name)));
    return this.#servers;
  }

  async call({ server, tool, arguments: args, ...options }: ToolCall): Promise<CallToolResult> {
    const result = await this.#ask(options, (how) => this.#hub.callTool(server, tool, args as Parameters, how));
    return result as unknown as CallToolResult;
  }

  async request(
    server: string,
    { method, params = {} }: MCPRequest,
    options: CallOptions,
  ): Promise<Record<string, unknown>> {
    return this.#ask(options, (how) => this.#hub.request(server, method, params as Parameters, how));
  }

  /** Questions that are open when the request is over are taken back. */
  async #ask<T>(options: CallOptions, request: (how: HubCallOptions) => Promise<T>): Promise<T> {
    const over = new AbortController();
    try {
      return await request(asHubOptions(options, over.signal));
    } catch (error) {
      throw asToolboxError(error);
    } finally {
      if (options.ask) over.abort(new ToolboxError('cancelled', 'the call is over'));
    }
  }

  async follow(server: string, uris: readonly string[], { signal }: CallOptions): Promise<() => void> {
    try {
      return await this.#hub.subscribe(server, uris, { signal });
    } catch (error) {
      throw asToolboxError(error);
    }
  }

  subscribe(listener: (event: ToolboxEvent) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  close(): void {
    clearTimeout(this.#telling);
    for (const unsubscribe of this.#unsubscribe) unsubscribe();
    this.#listeners.clear();
  }

  /** A server that comes or goes takes its resources and prompts with it, and says nothing of that itself. */
  #changed(): void {
    const before = this.#servers ?? [];
    this.#servers = undefined;
    this.#tell({ kind: 'changed', what: 'tools' });
    for (const what of ['resources', 'prompts'] as const) {
      if (offering(what, before) !== offering(what, this.servers())) this.#tellSoon(what);
    }
  }

  /** However many servers say so, and however often. */
  #tellSoon(what: 'resources' | 'prompts'): void {
    this.#changes.add(what);
    this.#telling ??= setTimeout(() => {
      this.#telling = undefined;
      const changes = [...this.#changes];
      this.#changes.clear();
      for (const changed of changes) this.#tell({ kind: 'changed', what: changed });
    }, GATHERING_MS).unref();
  }

  #tell(event: ToolboxEvent): void {
    for (const listener of this.#listeners) listener(event);
  }
}

function asServer(status: ServerStatus, tools: readonly AvailableTool[]): ToolboxServer {
  const { name, cause, serverInfo, instructions, capabilities } = status;
  const state = stateOf(status);
  return {
    name,
    state,
    ...(state !== 'ready' && cause !== null && { cause }),
    ...(serverInfo && { version: serverInfo.version }),
    ...(instructions !== null && { instructions }),
    ...(capabilities && { capabilities: capabilities as Record<string, unknown> }),
    tools: tools.map(asTool),
  };
}

/** Told to the server, which tells it to whoever called: an answer would look as if somebody had given it. */
function unclear(): ToolboxError {
  return new ToolboxError(
    'refused',
    'several clients call this server at once, and it is not clear which of them is asked',
  );
}

/** Servers that start at the same time are told of together. */
const GATHERING_MS = 50;

/** Those that are there and have such things. */
function offering(what: string, servers: readonly ToolboxServer[]): string {
  const names = servers.filter(({ state, capabilities }) => state === 'ready' && capabilities?.[what] !== undefined);
  return JSON.stringify(names.map(({ name }) => name));
}

function stateOf({ state, active }: ServerStatus): ServerState {
  if (state === 'connected') return 'ready';
  if (state === 'error') return 'failed';
  return active ? 'starting' : 'stopped';
}

/** Under the name its owner gave it. */
function asTool({ tool, displayName, meta }: AvailableTool): ToolboxTool {
  const autoApply = meta?.auto_apply;
  return { ...tool, name: displayName, ...(typeof autoApply === 'boolean' && { autoApply }) } as ToolboxTool;
}

function asHubOptions({ signal, onProgress, ask, client }: CallOptions, over: AbortSignal): HubCallOptions {
  const until = (question: AbortSignal) => AbortSignal.any([question, over]);
  return {
    signal,
    client,
    onProgress: onProgress as HubCallOptions['onProgress'],
    ...(ask && {
      onElicit: (params, { key, signal }) =>
        ask({ method: 'elicitation/create', params, key, signal: until(signal) }) as never,
      onSample: (params, { key, signal }) =>
        ask({ method: 'sampling/createMessage', params, key, signal: until(signal) }) as never,
      onRoots: ({ key, signal }) => ask({ method: 'roots/list', key, signal: until(signal) }) as never,
    }),
  };
}

function withoutNull(params: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(params).filter(([, value]) => value !== null));
}
