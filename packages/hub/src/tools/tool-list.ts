import type { ServerConfig } from '@a2c/config';
import type { ClientCapabilities } from '@modelcontextprotocol/client';
import { invalidDeclaration } from '../calls/parameter-headers.js';
import { listAll } from '../clients/list-all.js';
import type { ListingClient, ProtocolEra } from '../clients/mcp-client.js';
import { capabilityKey } from '../clients/served-client.js';
import type { HubLimits } from '../limits.js';
import type { ComparedTools, ServerPins } from '../pins/server-pins.js';
import { hashInTurns, hashOfList } from './list-hash.js';
import { type ListedTool, parseTools } from './parse-tool.js';
import { shownName } from './shown-name.js';
import type { CacheEntry, ToolCache } from './tool-cache.js';

export interface ToolListOptions {
  readonly limits: HubLimits;
  readonly cache: ToolCache | null;
  readonly pins: ServerPins | null;
  readonly onWarning: (message: string) => void;
}

/** A list as the server sent it, and the tools of it that are shown. */
interface ReadTools extends ComparedTools {
  readonly sent: readonly ListedTool[];
  readonly sentInstructions: string | null;
  /** The capabilities of the client that the server sent it to. */
  readonly declared: string;
}

const NOTHING: ReadTools = {
  sent: [],
  sentInstructions: null,
  declared: '{}',
  tools: [],
  withheld: [],
  instructions: null,
};

/** The tools and instructions of one server: from the cache until the first connection, then from the server. */
export class ToolList {
  readonly #config: ServerConfig;
  readonly #options: ToolListOptions;
  #read: ReadTools = NOTHING;
  #known: readonly ListedTool[] = [];
  #isFromCache = false;
  #isConfirmed = false;
  #eraAskedAt: number | null = null;
  #saving: Promise<void> = Promise.resolve();

  constructor(config: ServerConfig, options: ToolListOptions) {
    this.#config = config;
    this.#options = options;
  }

  get tools(): readonly ListedTool[] {
    return this.#read.tools;
  }

  /** The last list that the server has sent, in this run or an earlier one, also while it does not run. */
  get known(): readonly ListedTool[] {
    return this.#known;
  }

  /** The names of tools that are not shown until a person approves them. */
  get withheld(): readonly string[] {
    return this.#read.withheld;
  }

  get instructions(): string | null {
    return this.#read.instructions;
  }

  get isFromCache(): boolean {
    return this.#isFromCache;
  }

  /** Loads the list of an earlier run. Returns the protocol generation of that run, if it is known. */
  async restore(): Promise<ProtocolEra | null> {
    const entry = await this.#options.cache?.read(this.#config);
    if (!entry) return null;
    this.#eraAskedAt = entry.eraAskedAt;
    this.#read = await this.#compare(entry.tools, entry.instructions, entry.declared);
    this.#known = entry.tools;
    this.#isFromCache = true;
    return entry.era;
  }

  /** Drops a cached list that was sent to a client with other capabilities. Returns true if there was one. */
  dropUnlessDeclared(capabilities: ClientCapabilities): boolean {
    if (!this.#isFromCache || this.#read.declared === capabilityKey(capabilities)) return false;
    this.#read = { ...NOTHING, instructions: this.#read.instructions };
    this.#isFromCache = false;
    return true;
  }

  /** Uses the list of the server that this one replaces, until the first list of its own. */
  takeOver(previous: ToolList): void {
    this.#read = previous.#read;
    this.#known = previous.#known;
  }

  /** Reads the list from the server. */
  async read(client: ListingClient, signal: AbortSignal): Promise<ReadTools> {
    const { limits, onWarning } = this.#options;
    const listOptions = { maxPages: limits.listPages, maxItems: limits.toolsPerServer, signal, onWarning };
    const tools = parseTools(await listAll(client, 'tools', listOptions), onWarning);
    const sent = usesHeaders(client) ? withValidHeaders(tools, onWarning) : tools;
    return this.#compare(sent, client.instructions, capabilityKey(client.declared ?? {}));
  }

  /** Sets the list that was read on a new connection. `eraNegotiated`: the generation was not known before. */
  connected(read: ReadTools, eraNegotiated: boolean): void {
    this.changed(read);
    this.#isFromCache = false;
    this.#isConfirmed = true;
    if (eraNegotiated) this.#eraAskedAt = Date.now();
  }

  /** Whether a list has the same tools as the current one. */
  isSame({ sent }: ReadTools): boolean {
    return hashOfList(sent) === hashOfList(this.#read.sent);
  }

  /** A list that is equal to the former one stays the same object, which others refer to. */
  changed(read: ReadTools): void {
    const { sent, tools } = this.#read;
    const isSent = this.isSame(read);
    this.#read = {
      ...read,
      ...(isSent && { sent }),
      ...(isSent && hashOfList(read.tools) === hashOfList(tools) && { tools }),
    };
    this.#known = this.#read.sent;
  }

  /** Compares the same list again, after an approval. */
  async compareAgain(): Promise<void> {
    const { sent, sentInstructions, declared } = this.#read;
    this.#read = await this.#compare(sent, sentInstructions, declared);
  }

  async #compare(sent: readonly ListedTool[], instructions: string | null, declared: string): Promise<ReadTools> {
    const { pins } = this.#options;
    const compared = pins
      ? await pins.compare(sent, instructions, declared)
      : { tools: sent, withheld: [], instructions };
    await hashInTurns(sent);
    await hashInTurns(compared.tools);
    return { sent, sentInstructions: instructions, declared, ...compared };
  }

  /** Drops tools that no connection of this run has confirmed. */
  dropUnconfirmed(): void {
    if (!this.#isConfirmed) this.#read = { ...NOTHING, instructions: this.#read.instructions };
  }

  /** Writes the list to the cache. Writes are serialised, so that the latest list is kept. */
  save({ era, instructions }: Pick<CacheEntry, 'era' | 'instructions'>): void {
    const { cache, onWarning } = this.#options;
    const { sent: tools, declared } = this.#read;
    const entry = { era, eraAskedAt: this.#eraAskedAt ?? Date.now(), instructions, tools, declared };
    this.#saving = this.#saving
      .then(() => cache?.write(this.#config, entry))
      .catch((error: Error) => onWarning(`the tool list cannot be cached: ${error.message}`));
  }

  /** Resolves when all lists are written. */
  saved(): Promise<void> {
    return this.#saving;
  }
}

/** Arguments are sent as headers since MCP 2026, over HTTP. */
function usesHeaders({ era, server }: ListingClient): boolean {
  return era === 'modern' && server.transport.type === 'streamable_http';
}

function withValidHeaders(tools: readonly ListedTool[], warn: (message: string) => void): readonly ListedTool[] {
  return tools.filter(({ name, inputSchema }) => {
    const reason = invalidDeclaration(inputSchema);
    if (reason !== undefined) warn(`sent the tool "${shownName(name)}", which is left out: x-mcp-header of ${reason}`);
    return reason === undefined;
  });
}
