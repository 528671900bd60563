import { ProtocolError, ProtocolErrorCode } from '@modelcontextprotocol/server';
import type { ProxyLimits } from '../limits.js';
import type { MCPRequest, Toolbox, ToolboxCallOptions, ToolboxServer } from '../toolbox.js';
import { type Exposed, exposeNames } from './exposed-names.js';

interface ListedItem {
  readonly name: string;
  readonly [field: string]: unknown;
}

interface ServerList {
  readonly server: string;
  readonly items: readonly ListedItem[];
}

/** A list of MCP: the capability and method behind it, and the fields of its result and its items. */
interface ListKind {
  readonly capability: string;
  readonly method: string;
  readonly field: string;
  /** The field that an item must have besides `name`; clients reject a whole list for one item without it. */
  readonly key: string;
}

const RESOURCES: ListKind = { capability: 'resources', method: 'resources/list', field: 'resources', key: 'uri' };
const TEMPLATES: ListKind = {
  capability: 'resources',
  method: 'resources/templates/list',
  field: 'resourceTemplates',
  key: 'uriTemplate',
};
const PROMPTS: ListKind = { capability: 'prompts', method: 'prompts/list', field: 'prompts', key: 'name' };

/** The resources of all servers, and which server has which. */
export class ResourceTable {
  readonly #toolbox: Toolbox;
  readonly #limits: ProxyLimits;
  /** The server of each resource by URI, from the last list. */
  #owners: ReadonlyMap<string, string> = new Map();

  constructor(toolbox: Toolbox, limits: ProxyLimits) {
    this.#toolbox = toolbox;
    this.#limits = limits;
  }

  async list(options: ToolboxCallOptions): Promise<readonly ListedItem[]> {
    const lists = await listAll(this.#toolbox, RESOURCES, this.#limits, options);
    const all = lists.flatMap(({ server, items }) => items.map((item) => ({ server, item })));
    this.#owners = new Map(all.toReversed().map(({ server, item }) => [String(item.uri), server]));
    return all.map(({ item }) => item);
  }

  async templates(options: ToolboxCallOptions): Promise<readonly ListedItem[]> {
    const lists = await listAll(this.#toolbox, TEMPLATES, this.#limits, options);
    return lists.flatMap(({ items }) => items);
  }

  async read(params: Readonly<Record<string, unknown>>, options: ToolboxCallOptions): Promise<Record<string, unknown>> {
    const owner = this.#owners.get(String(params.uri));
    const answer = await this.firstAnswer('resources', { method: 'resources/read', params }, options, owner);
    return answer.result;
  }

  /**
   * Finds the server of each resource. A resource without a server is left out: many servers accept subscriptions to
   * any URI.
   */
  async ownersOf(uris: readonly string[], options: ToolboxCallOptions): Promise<ReadonlyMap<string, string>> {
    if (!uris.every((uri) => this.#owners.has(uri))) await this.list(options);
    const found = new Map<string, string>();
    for (const uri of uris) {
      // In sequence, because there may be many.
      const owner = this.#owners.get(uri) ?? (await this.#findByReading(uri, options));
      if (owner !== undefined) found.set(uri, owner);
    }
    return found;
  }

  /** Sends a request to one server after the other, the likely one first, and returns the first result. */
  async firstAnswer(
    capability: string,
    request: MCPRequest,
    options: ToolboxCallOptions,
    likely?: string,
  ): Promise<{ readonly server: string; readonly result: Record<string, unknown> }> {
    let failure: unknown = new ProtocolError(ProtocolErrorCode.InvalidParams, 'No server knows this resource');
    const names = serversWith(this.#toolbox, capability).map(({ name }) => name);
    for (const server of names.toSorted((a, b) => Number(b === likely) - Number(a === likely))) {
      try {
        return { server, result: await this.#toolbox.request(server, request, options) };
      } catch (error) {
        if (options.signal?.aborted) throw error;
        failure = error;
      }
    }
    throw failure;
  }

  async #findByReading(uri: string, options: ToolboxCallOptions): Promise<string | undefined> {
    const request = { method: 'resources/read', params: { uri } };
    const answer = await this.firstAnswer('resources', request, options).catch(() => undefined);
    return answer?.server;
  }
}

/** The prompts of all servers under their names in pass-through mode. */
export class PromptTable {
  readonly #toolbox: Toolbox;
  readonly #limits: ProxyLimits;
  #known: readonly Exposed<ListedItem>[] = [];

  constructor(toolbox: Toolbox, limits: ProxyLimits) {
    this.#toolbox = toolbox;
    this.#limits = limits;
  }

  async list(options: ToolboxCallOptions): Promise<readonly Exposed<ListedItem>[]> {
    this.#known = exposeNames(await listAll(this.#toolbox, PROMPTS, this.#limits, options));
    return this.#known;
  }

  /** Finds a prompt in the last list; lists again only if it is not there. */
  async find(name: string, options: ToolboxCallOptions): Promise<Exposed<ListedItem> | undefined> {
    const named = (prompts: readonly Exposed<ListedItem>[]) => prompts.find((prompt) => prompt.name === name);
    return named(this.#known) ?? named(await this.list(options));
  }
}

/** Requests one list from every server that has it. A server that fails or is too slow is left out. */
async function listAll(
  toolbox: Toolbox,
  kind: ListKind,
  limits: ProxyLimits,
  options: ToolboxCallOptions,
): Promise<readonly ServerList[]> {
  const timeout = AbortSignal.timeout(limits.listTimeoutMs);
  const signal = options.signal ? AbortSignal.any([options.signal, timeout]) : timeout;
  return Promise.all(
    serversWith(toolbox, kind.capability).map(async ({ name: server }) => {
      const items = await listPages(toolbox, server, kind, limits.listPages, { ...options, signal }).catch(() => []);
      return { server, items };
    }),
  );
}

/** The ready servers that declare a capability, sorted by name. */
function serversWith(toolbox: Toolbox, capability: string): readonly ToolboxServer[] {
  return toolbox
    .servers()
    .filter(({ state, capabilities }) => state === 'ready' && capabilities?.[capability] !== undefined)
    .toSorted((a, b) => (a.name < b.name ? -1 : 1));
}

async function listPages(
  toolbox: Toolbox,
  server: string,
  { method, field, key }: ListKind,
  maxPages: number,
  options: ToolboxCallOptions,
): Promise<readonly ListedItem[]> {
  const items: ListedItem[] = [];
  let cursor: unknown;
  for (let page = 0; page < maxPages; page++) {
    const params = cursor === undefined ? {} : { cursor };
    const result = await toolbox.request(server, { method, params }, options);
    const listed = Array.isArray(result[field]) ? result[field] : [];
    for (const item of listed) if (isItem(item, key)) items.push(item);
    cursor = result.nextCursor;
    if (typeof cursor !== 'string') break;
  }
  return items;
}

function isItem(item: unknown, key: string): item is ListedItem {
  if (typeof item !== 'object' || item === null) return false;
  const { name, [key]: value } = item as Readonly<Record<string, unknown>>;
  return typeof name === 'string' && typeof value === 'string';
}
