import { isDeepStrictEqual } from 'node:util';
import { Emitter, raceSignal } from '@a2c/protocol';
import { describeCatalogue, serverProblem } from './catalogue/catalogue.js';
import type { ProxyOptions } from './options.js';
import { Embeddings } from './search/embeddings.js';
import { type Hit, ToolSearch } from './search/tool-search.js';
import type { Toolbox, ToolboxServer, ToolboxTool } from './toolbox.js';

/** The events of a registry. Changes that follow each other quickly are one event. */
export interface RegistryEvents {
  /** The description of `inspect` is a different text. */
  readonly descriptionChanged: undefined;
  /** The tools differ, or a server reports a change. A server that restarts with the same tools is no change. */
  readonly toolsChanged: undefined;
}

interface Snapshot {
  readonly source: readonly ToolboxServer[];
  readonly servers: readonly ToolboxServer[];
  readonly byName: ReadonlyMap<string, ToolboxServer>;
  /** The servers as the description shows them. */
  readonly shown: readonly ToolboxServer[];
}

type ServerTools = readonly (readonly [server: string, tools: readonly ToolboxTool[]])[];

type RegistryOptions = Pick<ProxyOptions, 'catalogueTokens' | 'limits'> & Partial<Pick<ProxyOptions, 'embeddings'>>;

/**
 * The servers and tools of a toolbox in a fixed order, the text that lists them, and the search over them. Answers from
 * memory.
 */
export class Registry {
  readonly #toolbox: Pick<Toolbox, 'servers' | 'on' | 'skills'>;
  readonly #options: RegistryOptions;
  readonly #events = new Emitter<RegistryEvents>();
  readonly #stopListening: readonly (() => void)[];
  readonly #startedAt = performance.now();
  readonly #embeddings: Embeddings | undefined;
  /** What the description shows of servers that are not ready, by name. */
  #shown: ReadonlyMap<string, ToolboxServer> = new Map();
  #snapshot: Snapshot;
  #described: { readonly servers: readonly ToolboxServer[]; readonly text: string } | undefined;
  #searched: { readonly servers: readonly ToolboxServer[]; readonly search: ToolSearch } | undefined;
  /** The last search whose index is built. */
  #indexed: ToolSearch | undefined;
  #indexing: Promise<unknown> = Promise.resolve();
  #announcedDescription: string;
  /** The tools as last announced. Comparing them is expensive and starts with the first listener. */
  #announcedTools: ServerTools | undefined;
  #timer: NodeJS.Timeout | undefined;
  /** Since when each server that is not ready is expected to start. */
  #startingSince: ReadonlyMap<string, number> = new Map();
  /** A server has announced a change of its tools. */
  #isAnnounced = false;

  /** `MCPProxy` creates its own registry. */
  constructor(toolbox: Pick<Toolbox, 'servers' | 'on' | 'skills'>, options: RegistryOptions) {
    this.#toolbox = toolbox;
    this.#options = options;
    this.#embeddings = options.embeddings && new Embeddings(options.embeddings);
    this.#snapshot = this.#takeSnapshot();
    this.#announcedDescription = this.description;
    this.#stopListening = [
      toolbox.on('serversChanged', () => this.#announceSoon()),
      toolbox.on('toolsAnnounced', () => {
        this.#isAnnounced = true;
        this.#announceSoon();
      }),
    ];
  }

  /** All servers, also failed ones, sorted by name. */
  get servers(): readonly ToolboxServer[] {
    return this.#current().servers;
  }

  /** Whether the servers are on Computers of an office. */
  get hasComputers(): boolean {
    return this.servers.some(({ computer }) => computer !== undefined);
  }

  /** The description of `inspect`. All clients get the same text until a server, a tool or a description changes. */
  get description(): string {
    const { shown } = this.#current();
    if (!this.#described || !looksSame(shown, this.#described.servers)) {
      this.#described = { servers: shown, text: describeCatalogue(shown, this.#options.catalogueTokens) };
    }
    return this.#described.text;
  }

  /** The search over the tools of all servers, as long as they are the same. */
  get #search(): ToolSearch {
    const { servers } = this.#current();
    if (this.#searched?.servers !== servers) this.#searched = { servers, search: new ToolSearch(servers) };
    return this.#searched.search;
  }

  /** One server by name. */
  getServerInfo(server: string): ToolboxServer | undefined {
    return this.#current().byName.get(server);
  }

  /** The tools of one server; empty if the server is unknown. */
  listTools(server: string): readonly ToolboxTool[] {
    return this.getServerInfo(server)?.tools ?? [];
  }

  /** One tool by server and name. */
  getTool(server: string, tool: string): ToolboxTool | undefined {
    return this.listTools(server).find(({ name }) => name === tool);
  }

  /** Whether a server has tools, or does not start. */
  isSettled(server: string): boolean {
    const info = this.getServerInfo(server);
    return info?.state !== 'starting' || info.tools.length > 0;
  }

  /** Waits while a server is starting and has no tools yet. Resolves also on timeout and abort. */
  async settled(server: string, signal?: AbortSignal): Promise<void> {
    const { startTimeoutMs } = this.#options.limits;
    await this.#whileStarting(({ name, tools }) => name === server && tools.length === 0, startTimeoutMs, signal);
  }

  /** Waits for servers that have no tools yet, as `started` does. */
  async listed(signal?: AbortSignal): Promise<void> {
    await this.#whileExpected(({ tools }) => tools.length === 0, signal);
  }

  /**
   * Waits while any server is starting, also one whose tools are known from its last run: its resources and prompts are
   * not. The time counts from the start of each server, so that one that never starts delays only the first requests.
   */
  async started(signal?: AbortSignal): Promise<void> {
    await this.#whileExpected(() => true, signal);
  }

  async #whileExpected(isAwaited: (server: ToolboxServer) => boolean, signal?: AbortSignal): Promise<void> {
    const leftFor = ({ name }: ToolboxServer) =>
      (this.#startingSince.get(name) ?? 0) + this.#options.limits.startTimeoutMs - performance.now();
    const longest = Math.max(...this.servers.filter(isAwaited).map(leftFor));
    await this.#whileStarting((server) => isAwaited(server) && leftFor(server) > 0, longest, signal);
  }

  async #whileStarting(
    isAwaited: (server: ToolboxServer) => boolean,
    timeoutMs: number,
    signal?: AbortSignal,
  ): Promise<void> {
    const isStarting = () => this.servers.some((server) => server.state === 'starting' && isAwaited(server));
    if (!isStarting() || signal?.aborted) return;
    await new Promise<void>((resolve) => {
      const done = () => {
        clearTimeout(timer);
        stop();
        signal?.removeEventListener('abort', done);
        resolve();
      };
      const timer = setTimeout(done, timeoutMs);
      const stop = this.#toolbox.on('serversChanged', () => isStarting() || done());
      signal?.addEventListener('abort', done, { once: true });
    });
  }

  /**
   * Waits for servers that are starting and for skills, but only shortly after the start of the proxy: for clients that
   * list once.
   */
  async firstSettled(signal?: AbortSignal): Promise<void> {
    const left = () => Math.ceil(this.#startedAt + this.#options.limits.firstListMs - performance.now());
    if (left() <= 0) return;
    await this.#whileStarting(({ tools }) => tools.length === 0, left(), signal);
    const late = AbortSignal.timeout(Math.max(0, left()));
    const isOver = signal ? AbortSignal.any([signal, late]) : late;
    const prepared = Promise.resolve(this.#toolbox.skills?.prepare?.());
    await raceSignal(prepared, isOver).catch(() => {}); // The list is sent without them.
  }

  /**
   * Searches the tools of all servers. Best match first. Call `prepareSearch` before: without it, tools that changed
   * are found as they were indexed last.
   */
  search(query: string): readonly Hit[] {
    const current = this.#search;
    const search = this.#indexed ?? current;
    const order = this.#embeddings?.order(query, search.tools);
    const hits = order ? search.findWith(query, order) : search.find(query);
    return search === current ? hits : this.#present(hits);
  }

  /** Builds the index. With embeddings: gets the vector of a query, for a bounded time. Never rejects. */
  async prepareSearch(query: string, signal?: AbortSignal): Promise<void> {
    // One index at a time: a server may change its list again and again.
    const indexing = this.#indexing.then(() => this.#buildIndex());
    this.#indexing = indexing;
    const { tools } = await indexing;
    await this.#embeddings?.prepare(query, tools, signal);
  }

  async #buildIndex(): Promise<ToolSearch> {
    const search = this.#search;
    await search.prepare();
    this.#indexed = search;
    return search;
  }

  /** Hits of tools that are still there, as they are now. */
  #present(hits: readonly Hit[]): readonly Hit[] {
    const tools = new Map(
      this.servers.map(({ name, tools }) => [name, new Map(tools.map((tool) => [tool.name, tool]))]),
    );
    return hits.flatMap((hit) => {
      const server = this.getServerInfo(hit.server.name);
      const tool = tools.get(hit.server.name)?.get(hit.tool.name);
      return server && tool ? [{ ...hit, server, tool }] : [];
    });
  }

  /** Adds a listener. Returns a function that removes it. */
  on<E extends keyof RegistryEvents>(event: E, listener: (value: RegistryEvents[E]) => void): () => void {
    if (event === 'toolsChanged') this.#announcedTools ??= this.#tools();
    return this.#events.on(event, listener);
  }

  /** Stops listening to the toolbox. No further events are emitted. */
  close(): void {
    clearTimeout(this.#timer);
    for (const stop of this.#stopListening) stop();
  }

  #current(): Snapshot {
    if (this.#toolbox.servers() !== this.#snapshot.source) this.#snapshot = this.#takeSnapshot();
    return this.#snapshot;
  }

  #takeSnapshot(): Snapshot {
    const source = this.#toolbox.servers();
    const servers = source.toSorted((a, b) => (a.name < b.name ? -1 : 1));
    // Both maps are replaced, so that servers which are gone are forgotten.
    const starting = servers.filter(({ state }) => state !== 'ready');
    this.#startingSince = new Map(
      starting.map(({ name }) => [name, this.#startingSince.get(name) ?? performance.now()]),
    );
    const shown = servers.map((server) => this.#stable(server));
    this.#shown = new Map(shown.map((server) => [server.name, server]));
    return { source, servers, byName: new Map(servers.map((server) => [server.name, server])), shown };
  }

  /**
   * The server as the description shows it. While a server fails and restarts, the description stays the same: every
   * change makes clients read the tools again and invalidates prompt caches. `inspect` shows the present state.
   */
  #stable(server: ToolboxServer): ToolboxServer {
    const before = this.#shown.get(server.name);
    const isPassing = server.state === 'failed' || server.state === 'starting';
    return isPassing && (before?.state === 'ready' || before?.state === 'failed') ? before : server;
  }

  #announceSoon(): void {
    this.#timer ??= setTimeout(() => this.#announce(), this.#options.limits.announceDelayMs).unref();
  }

  #announce(): void {
    this.#timer = undefined;
    const isAnnounced = this.#isAnnounced;
    this.#isAnnounced = false;
    const { description } = this;
    if (description !== this.#announcedDescription) {
      this.#announcedDescription = description;
      this.#events.emit('descriptionChanged');
    }
    if (!this.#announcedTools) return;
    const tools = this.#tools();
    if (!isAnnounced && isDeepStrictEqual(tools, this.#announcedTools)) return;
    this.#announcedTools = tools;
    this.#events.emit('toolsChanged');
  }

  #tools(): ServerTools {
    return this.servers.map(({ name, tools }) => [name, tools]);
  }
}

/** Whether the catalogue shows the same: a server that has started usually has the tools that were cached. */
function looksSame(a: readonly ToolboxServer[], b: readonly ToolboxServer[]): boolean {
  return a.length === b.length && a.every((server, place) => looksLike(server, b[place] as ToolboxServer));
}

function looksLike(a: ToolboxServer, b: ToolboxServer): boolean {
  return (
    a === b ||
    (a.name === b.name &&
      a.instructions === b.instructions &&
      serverProblem(a) === serverProblem(b) &&
      a.tools.length === b.tools.length &&
      a.tools.every((tool, place) => tool === b.tools[place]))
  );
}
