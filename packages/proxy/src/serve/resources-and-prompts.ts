import { type CallToolResult, isRecord, raceSignal } from '@a2c/protocol';
import type { ProxyLimits } from '../limits.js';
import type { MCPRequest, Toolbox, ToolboxCallOptions, ToolboxServer } from '../toolbox.js';
import { type Exposed, exposeNames } from './exposed-names.js';
import { isNotFound, resourceNotFound } from './rpc-error.js';
import { type KnownResource, SharedUris } from './shared-uris.js';

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

/** The content blocks with the URI of a resource. */
const LINKING: ReadonlySet<string> = new Set(['resource_link', 'resource']);

/** The resources of all servers. */
export class ResourceTable {
  readonly #toolbox: Toolbox;
  readonly #limits: ProxyLimits;
  readonly uris: SharedUris;
  /** The servers that were asked for their list. */
  readonly #listed = new Set<string>();
  #loading: Promise<unknown> | undefined;

  constructor(toolbox: Toolbox, limits: ProxyLimits, onWarning: (message: string) => void) {
    this.#toolbox = toolbox;
    this.#limits = limits;
    this.uris = new SharedUris(onWarning);
  }

  async list(options: ToolboxCallOptions): Promise<readonly ListedItem[]> {
    const lists = await listAll(this.#toolbox, RESOURCES, this.#limits, options);
    for (const { server } of lists) this.#listed.add(server);
    return lists.flatMap(({ server, items }) =>
      items.map((item) => ({ ...item, uri: this.uris.show(server, String(item.uri)) })),
    );
  }

  async templates(options: ToolboxCallOptions): Promise<readonly ListedItem[]> {
    const lists = await listAll(this.#toolbox, TEMPLATES, this.#limits, options);
    return lists.flatMap(({ items }) => items);
  }

  /** `from`: a server that the client names; it may know the resource by the URI that clients see. */
  async read(
    params: Readonly<Record<string, unknown>>,
    options: ToolboxCallOptions,
    from?: string,
  ): Promise<Record<string, unknown>> {
    const shown = String(params.uri);
    const method = 'resources/read';
    const known = from === undefined ? await this.#find(shown, options) : this.#of(from, shown);
    if (!known) return (await this.firstAnswer('resources', { method, params }, options)).result;
    const { server, uri } = known;
    const result = await this.#toolbox.request(server, { method, params: { ...params, uri } }, options);
    if (uri === shown || !Array.isArray(result.contents)) return result;
    const contents = result.contents.map((part) =>
      isRecord(part) && part.uri === uri ? { ...part, uri: shown } : part,
    );
    return { ...result, contents };
  }

  /** The resource that a client means, also if the client has not listed resources before. */
  async #find(shown: string, options: ToolboxCallOptions): Promise<KnownResource | undefined> {
    if (!this.uris.resource(shown)) await this.#load(options);
    return this.uris.resource(shown);
  }

  #of(server: string, shown: string): KnownResource {
    const known = this.uris.resource(shown);
    return known?.server === server ? known : { server, uri: shown };
  }

  /** A result with its links to resources of its server as clients see them. */
  async inResult(server: string, result: CallToolResult, options: ToolboxCallOptions): Promise<CallToolResult> {
    const hasResources = serversWith(this.#toolbox, 'resources').some(({ name }) => name === server);
    if (!hasResources || !result.content.some(({ type }) => LINKING.has(type))) return result;
    await this.#load(options);
    return this.uris.inResult(server, result);
  }

  /** Lists the servers that were not listed yet, so that the server of each URI is known. */
  async #load({ signal, ...options }: ToolboxCallOptions): Promise<void> {
    const isMissing = () => {
      const servers = serversWith(this.#toolbox, 'resources');
      return servers.length > 1 && servers.some(({ name }) => !this.#listed.has(name));
    };
    while (isMissing()) {
      // Not with the signal of one client: others may wait for the same lists.
      this.#loading ??= this.list(options).finally(() => {
        this.#loading = undefined;
      });
      await raceSignal(this.#loading, signal);
    }
  }

  /**
   * Finds the server of each resource. A resource without a server is left out: many servers accept subscriptions to
   * any URI.
   */
  async ownersOf(uris: readonly string[], options: ToolboxCallOptions): Promise<ReadonlyMap<string, KnownResource>> {
    if (!uris.every((uri) => this.uris.resource(uri))) await this.list(options);
    const found = new Map<string, KnownResource>();
    for (const uri of uris) {
      // In sequence, because there may be many.
      const owner = this.uris.resource(uri) ?? (await this.#findByReading(uri, options));
      if (owner !== undefined) found.set(uri, owner);
    }
    return found;
  }

  /** Sends a request that only reads to one server after the other and returns the first result. */
  async firstAnswer(
    capability: string,
    request: MCPRequest,
    options: ToolboxCallOptions,
  ): Promise<{ readonly server: string; readonly result: Record<string, unknown> }> {
    let failure: unknown;
    for (const { name: server } of serversWith(this.#toolbox, capability)) {
      try {
        return { server, result: await this.#toolbox.request(server, request, options) };
      } catch (error) {
        if (options.signal?.aborted) throw error;
        // A server that has the resource says best what is wrong.
        if (failure === undefined || !isNotFound(error)) failure = error;
      }
    }
    throw failure ?? resourceNotFound(request.params?.uri);
  }

  async #findByReading(uri: string, options: ToolboxCallOptions): Promise<KnownResource | undefined> {
    const request = { method: 'resources/read', params: { uri } };
    const answer = await this.firstAnswer('resources', request, options).catch(() => undefined);
    return answer && { server: answer.server, uri };
  }
}

/** The prompts of all servers under their names in pass-through mode. */
export class PromptTable {
  readonly #toolbox: Toolbox;
  readonly #limits: ProxyLimits;
  #known: readonly Exposed<ListedItem>[] = [];
  /** The names in the last list of each server, which other servers may use too. */
  readonly #names = new Map<string, ReadonlySet<string>>();

  constructor(toolbox: Toolbox, limits: ProxyLimits) {
    this.#toolbox = toolbox;
    this.#limits = limits;
  }

  async list(options: ToolboxCallOptions): Promise<readonly Exposed<ListedItem>[]> {
    const lists = await listAll(this.#toolbox, PROMPTS, this.#limits, options);
    for (const { server, items } of lists) {
      if (items.length > 0) this.#names.set(server, new Set(items.map(({ name }) => name)));
    }
    const configured = this.#toolbox.servers().map(({ name }) => name);
    const itemsOf = (server: string) => lists.find((list) => list.server === server)?.items ?? [];
    this.#known = exposeNames(
      configured.map((server) => ({
        server,
        items: itemsOf(server),
        knownNames: [...(this.#names.get(server) ?? [])],
      })),
    );
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

/** The ready servers that declare a capability, in the order of the configuration. */
function serversWith(toolbox: Toolbox, capability: string): readonly ToolboxServer[] {
  return toolbox
    .servers()
    .filter(({ state, capabilities }) => state === 'ready' && capabilities?.[capability] !== undefined);
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
