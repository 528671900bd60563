import { describeCatalogue } from './catalogue/describe-catalogue.js';
import { type LocatedTool, ToolSearch } from './search/tool-search.js';
import type { Toolbox, ToolboxServer, ToolboxTool } from './toolbox.js';

/** Servers that start at the same time are announced together. */
const ANNOUNCE_DELAY_MS = 50;

/** A first start may have to download a package; a model would rather wait than be told to come back. */
const START_PATIENCE_MS = 20_000;

interface Snapshot {
  readonly source: readonly ToolboxServer[];
  readonly servers: readonly ToolboxServer[];
  readonly byName: ReadonlyMap<string, ToolboxServer>;
  readonly search: ToolSearch;
  readonly description: string;
}

/** What there is: servers in a fixed order, their tools with full schemas, and the text that lists them. */
export class Registry {
  readonly #toolbox: Toolbox;
  readonly #catalogueTokens: number;
  readonly #listeners = new Set<() => void>();
  readonly #toolListeners = new Set<() => void>();
  readonly #unsubscribe: () => void;
  #snapshot: Snapshot;
  #announced: string;
  /** The tools as last announced; known only while somebody wants to hear of them. */
  #announcedTools: string | undefined;
  #timer: NodeJS.Timeout | undefined;

  constructor(toolbox: Toolbox, catalogueTokens: number) {
    this.#toolbox = toolbox;
    this.#catalogueTokens = catalogueTokens;
    this.#snapshot = this.#take();
    this.#announced = this.#snapshot.description;
    this.#unsubscribe = toolbox.subscribe(({ kind }) => {
      if (kind === 'changed') this.#announceSoon();
    });
  }

  /** All servers, the dead ones too, by name. */
  get servers(): readonly ToolboxServer[] {
    return this.#current().servers;
  }

  /** The description of `inspect`: the same text for everybody until a server, a tool or a description changes. */
  get description(): string {
    return this.#current().description;
  }

  getServerInfo(server: string): ToolboxServer | undefined {
    return this.#current().byName.get(server);
  }

  listTools(server: string): readonly ToolboxTool[] {
    return this.getServerInfo(server)?.tools ?? [];
  }

  getTool(server: string, tool: string): ToolboxTool | undefined {
    return this.listTools(server).find(({ name }) => name === tool);
  }

  /** Waits while a server starts whose tools nobody knows yet, or any that is; for all others there is nothing to wait for. */
  async settled(server?: string, signal?: AbortSignal): Promise<void> {
    const isUnknown = () =>
      this.servers.some(
        ({ name, state, tools }) =>
          state === 'starting' && tools.length === 0 && (server === undefined || name === server),
      );
    if (!isUnknown() || signal?.aborted) return;
    await new Promise<void>((resolve) => {
      const done = () => {
        clearTimeout(timer);
        stop();
        signal?.removeEventListener('abort', done);
        resolve();
      };
      const timer = setTimeout(done, START_PATIENCE_MS);
      const stop = this.#toolbox.subscribe(() => isUnknown() || done());
      signal?.addEventListener('abort', done, { once: true });
    });
  }

  /** Tools of all servers that fit the words, best first. */
  search(query: string): readonly LocatedTool[] {
    return this.#current().search.find(query);
  }

  /** Tells when the description has become another one; returns the way to stop listening. */
  onChange(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Tells when the tools have become others, which servers that go and come back with the same do not make them. */
  onToolsChange(listener: () => void): () => void {
    this.#announcedTools ??= this.#toolsNow();
    this.#toolListeners.add(listener);
    return () => {
      this.#toolListeners.delete(listener);
      if (this.#toolListeners.size === 0) this.#announcedTools = undefined;
    };
  }

  close(): void {
    clearTimeout(this.#timer);
    this.#unsubscribe();
    this.#listeners.clear();
    this.#toolListeners.clear();
  }

  #current(): Snapshot {
    if (this.#toolbox.servers() !== this.#snapshot.source) this.#snapshot = this.#take();
    return this.#snapshot;
  }

  #take(): Snapshot {
    const source = this.#toolbox.servers();
    const servers = source.toSorted((a, b) => (a.name < b.name ? -1 : 1));
    return {
      source,
      servers,
      byName: new Map(servers.map((server) => [server.name, server])),
      search: new ToolSearch(servers),
      description: describeCatalogue(servers, this.#catalogueTokens),
    };
  }

  #announceSoon(): void {
    this.#timer ??= setTimeout(() => this.#announce(), ANNOUNCE_DELAY_MS).unref();
  }

  #announce(): void {
    this.#timer = undefined;
    const { description } = this.#current();
    if (description !== this.#announced) {
      this.#announced = description;
      for (const listener of this.#listeners) listener();
    }
    if (this.#toolListeners.size === 0) return;
    const tools = this.#toolsNow();
    if (tools === this.#announcedTools) return;
    this.#announcedTools = tools;
    for (const listener of this.#toolListeners) listener();
  }

  #toolsNow(): string {
    return JSON.stringify(this.servers.map(({ name, tools }) => [name, tools]));
  }
}
