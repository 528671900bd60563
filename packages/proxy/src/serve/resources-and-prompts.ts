import { mapInTurns } from '@a2c/hub';
import { type CallToolResult, isRecord, raceSignal } from '@a2c/protocol';
import type { ProxyLimits } from '../limits.js';
import type { MCPRequest, Toolbox, ToolboxCallOptions } from '../toolbox.js';
import { type Exposed, exposeNames } from './exposed-names.js';
import { firstAnswer, type ServerAnswer } from './first-answer.js';
import { isNotFound } from './rpc-error.js';
import { type ListedItem, type ListKind, type ServerList, ServerLists, serversWith } from './server-lists.js';
import { type KnownResource, SharedUris } from './shared-uris.js';
import { TemplateTable } from './template-table.js';

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
  readonly #lists: LoadedList;
  readonly #templateLists: LoadedList;
  readonly #resourceLists: ServerLists;
  readonly #allTemplates: ServerLists;
  readonly #templates = new TemplateTable();

  constructor(toolbox: Toolbox, limits: ProxyLimits, onWarning: (message: string) => void) {
    this.#toolbox = toolbox;
    this.#limits = limits;
    this.uris = new SharedUris(onWarning, (uri, before) => this.#templateHolder(uri, before));
    this.#resourceLists = new ServerLists(toolbox, RESOURCES, limits);
    this.#allTemplates = new ServerLists(toolbox, TEMPLATES, limits);
    this.#lists = new LoadedList(toolbox, RESOURCES.capability, (options) => this.list(options));
    this.#templateLists = new LoadedList(toolbox, TEMPLATES.capability, (options) => this.templates(options));
  }

  async list(options: ToolboxCallOptions): Promise<readonly ListedItem[]> {
    const [lists] = await Promise.all([this.#resourceLists.request(options), this.#templateLists.load(options)]);
    const shown: ListedItem[] = [];
    for (const { server, items } of lists) {
      const show = (item: ListedItem) => ({ ...item, uri: this.uris.show(server, String(item.uri)) });
      for (const item of await mapInTurns(items, show)) shown.push(item);
    }
    this.#lists.add(lists); // Only now: a URI that is looked up meanwhile waits until all are shown.
    return shown;
  }

  async templates(options: ToolboxCallOptions): Promise<readonly ListedItem[]> {
    const lists = await this.#allTemplates.request(options);
    this.#templateLists.add(lists);
    for (const { server, items } of lists) {
      const templates = items.map(({ uriTemplate }) => String(uriTemplate));
      this.#templates.set(server, templates);
    }
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
    const known = from === undefined ? await this.#find(shown, options) : this.#of(from, shown, options);
    if (!known) {
      const answer = await this.#readAnywhere({ method, params }, options);
      this.uris.wasRead(answer.server, shown);
      return answer.result;
    }
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
    const known = this.uris.resource(shown, options.client);
    if (known) return known;
    await Promise.all([this.#lists.load(options), this.#templateLists.load(options)]);
    return this.uris.resource(shown, options.client);
  }

  #of(server: string, shown: string, { client }: ToolboxCallOptions): KnownResource {
    const known = this.uris.resource(shown, client);
    return known?.server === server ? known : { server, uri: shown };
  }

  /** A result with its links to resources of its server as clients see them. */
  inResult(
    server: string,
    result: CallToolResult,
    options: ToolboxCallOptions,
  ): CallToolResult | Promise<CallToolResult> {
    if (!result.content.some(({ type }) => LINKING.has(type))) return result;
    const hasResources = serversWith(this.#toolbox, 'resources').some(({ name }) => name === server);
    return hasResources ? this.#withKnownLinks(server, result, options) : result;
  }

  async #withKnownLinks(server: string, result: CallToolResult, options: ToolboxCallOptions): Promise<CallToolResult> {
    // A server that is starting may list the same URIs. The result does not wait for it.
    const isComplete = this.#toolbox.servers().every(({ state }) => state !== 'starting');
    if (isComplete) await Promise.all([this.#lists.load(options), this.#templateLists.load(options)]);
    return this.uris.inResult(server, result, options.client, isComplete);
  }

  /**
   * Finds the server of each resource. A resource without a server is left out: many servers accept subscriptions to
   * any URI.
   */
  async ownersOf(uris: readonly string[], options: ToolboxCallOptions): Promise<ReadonlyMap<string, KnownResource>> {
    const { client } = options;
    if (!uris.every((uri) => this.uris.resource(uri, client))) await this.list(options);
    const found = new Map<string, KnownResource>();
    for (const uri of uris) {
      // In sequence, because there may be many.
      const owner = this.uris.resource(uri, client) ?? (await this.#findByReading(uri, options));
      if (owner !== undefined) found.set(uri, owner);
    }
    return found;
  }

  #templateHolder(uri: string, before?: string): string | undefined {
    for (const { name } of this.#toolbox.servers()) {
      if (name === before) return undefined;
      if (this.#templates.holds(name, uri)) return name;
    }
    return undefined;
  }

  /** Completes an argument of a template, by the first server that lists it; if none does, by any that answers. */
  async complete(template: unknown, request: MCPRequest, options: ToolboxCallOptions): Promise<object> {
    await this.#templateLists.load(options);
    const owner = this.#toolbox.servers().find(({ name }) => this.#templates.lists(name, String(template)));
    if (!owner) return (await this.#firstAnswer('completions', () => 0, request, options)).result;
    // What a person types is for the owner only.
    return owner.capabilities?.completions
      ? this.#toolbox.request(owner.name, request, options)
      : { completion: { values: [] } };
  }

  async #findByReading(uri: string, options: ToolboxCallOptions): Promise<KnownResource | undefined> {
    const request = { method: 'resources/read', params: { uri } };
    const answer = await this.#readAnywhere(request, options).catch(() => undefined);
    return answer && { server: answer.server, uri };
  }

  async #readAnywhere(request: MCPRequest, options: ToolboxCallOptions): Promise<ServerAnswer> {
    await this.#templateLists.load(options);
    const uri = String(request.params?.uri);
    const holder = this.#templateHolder(uri);
    const rank = (server: string) => {
      if (server === holder) return 0;
      if (this.#templates.holds(server, uri)) return 1;
      return this.#templates.matches(server, uri) ? 2 : 3;
    };
    return this.#firstAnswer('resources', rank, request, options);
  }

  /** The servers of one rank are asked only if those of a lower one, which match better, have failed. */
  async #firstAnswer(
    capability: string,
    rank: (server: string) => number,
    request: MCPRequest,
    options: ToolboxCallOptions,
  ): Promise<ServerAnswer> {
    const ranked = serversWith(this.#toolbox, capability).map(({ name }) => ({ name, rank: rank(name) }));
    const ranks = [...new Set(ranked.map((server) => server.rank))].sort((a, b) => a - b);
    const groups = ranks.map((each) => ranked.filter((server) => server.rank === each).map(({ name }) => name));
    let failure: unknown;
    for (const group of groups.length === 0 ? [[]] : groups) {
      try {
        return await firstAnswer(this.#toolbox, group, request, this.#limits.nextServerMs, options);
      } catch (error) {
        if (options.signal?.aborted) throw error;
        // A server with the template says best what is wrong.
        if (failure === undefined || isNotFound(failure)) failure = error;
      }
    }
    throw failure;
  }
}

/** A list that is requested once from each server, before something is looked up in it. */
class LoadedList {
  readonly #toolbox: Toolbox;
  readonly #capability: string;
  readonly #list: (options: ToolboxCallOptions) => Promise<unknown>;
  /** The servers that were asked. */
  readonly #asked = new Set<string>();
  #loading: Promise<unknown> | undefined;

  constructor(toolbox: Toolbox, capability: string, list: (options: ToolboxCallOptions) => Promise<unknown>) {
    this.#toolbox = toolbox;
    this.#capability = capability;
    this.#list = list;
  }

  add(lists: readonly ServerList[]): void {
    for (const { server } of lists) this.#asked.add(server);
  }

  /** Requests the list again if a server was not asked yet. With one server there is nothing to look up. */
  async load({ signal, ...options }: ToolboxCallOptions): Promise<void> {
    const isMissing = () => {
      const servers = serversWith(this.#toolbox, this.#capability);
      return servers.length > 1 && servers.some(({ name }) => !this.#asked.has(name));
    };
    while (isMissing()) {
      // Not with the signal of one client: others may wait for the same lists.
      this.#loading ??= this.#list(options).finally(() => {
        this.#loading = undefined;
      });
      await raceSignal(this.#loading, signal);
    }
  }
}

/** The prompts of all servers under their names in pass-through mode. */
export class PromptTable {
  readonly #toolbox: Toolbox;
  readonly #lists: ServerLists;
  #known: readonly Exposed<ListedItem>[] = [];
  /** The names in the last list of each server, which other servers may use too. */
  readonly #names = new Map<string, ReadonlySet<string>>();

  constructor(toolbox: Toolbox, limits: ProxyLimits) {
    this.#toolbox = toolbox;
    this.#lists = new ServerLists(toolbox, PROMPTS, limits);
  }

  async list(options: ToolboxCallOptions): Promise<readonly Exposed<ListedItem>[]> {
    const lists = await this.#lists.request(options);
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

  /** The servers that list a prompt of this name. */
  async ownersOf(prompt: string, options: ToolboxCallOptions): Promise<readonly string[]> {
    const lists = await this.#lists.request(options);
    return lists.filter(({ items }) => items.some(({ name }) => name === prompt)).map(({ server }) => server);
  }

  /** Finds a prompt in the last list; lists again only if it is not there. */
  async find(name: string, options: ToolboxCallOptions): Promise<Exposed<ListedItem> | undefined> {
    const named = (prompts: readonly Exposed<ListedItem>[]) => prompts.find((prompt) => prompt.name === name);
    return named(this.#known) ?? named(await this.list(options));
  }
}
