import { mapInTurns, type ServedClient } from '@a2c/hub';
import { type CallToolResult, type ContentBlock, isRecord } from '@a2c/protocol';
import type { ToolboxServer, ToolboxTool } from '../toolbox.js';

/** A resource as its server knows it. */
export interface KnownResource {
  readonly server: string;
  readonly uri: string;
}

/**
 * Finds the first server in the configuration that has a template for a URI, or else undefined. With `before`, only
 * the servers before that one count.
 */
export type FindHolder = (uri: string, before?: string) => string | undefined;

/**
 * The URIs under which clients see the resources of all servers. A URI belongs to the first server in the configuration
 * that lists it or has a template for it. The resource of another server with the same URI is shown as `uri#server`, so
 * that it can be read too. A URI that was shown for a server stays with it: a server that starts or changes later gets
 * another one. So a URI that a server lists is never answered by another server.
 */
export class SharedUris {
  readonly #onWarning: (message: string) => void;
  readonly #findHolder: FindHolder;
  readonly #resources = new Map<string, KnownResource>();
  /** The resources whose URI another server has: by server and URI, the URI that clients see. */
  readonly #renamed = new Map<string, string>();
  /**
   * The resources that results link to and no list has, by the client and the URI that it sees. The oldest are dropped
   * first.
   */
  readonly #linked = new Map<string, KnownResource>();
  /** The servers that unlisted resources were read from. */
  readonly #readFrom = new Map<string, string>();
  readonly #clients = new WeakMap<object, number>();
  #lastClient = 0;

  constructor(onWarning: (message: string) => void, findHolder: FindHolder) {
    this.#onWarning = onWarning;
    this.#findHolder = findHolder;
  }

  /** The resource that a client means, if a server has shown it. */
  resource(shown: string, client: ServedClient | undefined): KnownResource | undefined {
    return this.#resources.get(shown) ?? this.#linked.get(this.#keyOf(shown, client));
  }

  /** A server has answered a read of a resource that no server has shown. */
  wasRead(server: string, uri: string): void {
    this.#readFrom.delete(uri);
    this.#readFrom.set(uri, server);
    forgetOldest(this.#readFrom, MAX_LINKED);
  }

  /** Clients without sessions share their links. */
  #keyOf(shown: string, client: ServedClient | undefined): string {
    if (!client || client.isStateless) return `0 ${shown}`;
    const number = this.#clients.get(client) ?? ++this.#lastClient;
    this.#clients.set(client, number);
    return `${number} ${shown}`;
  }

  /** The URI under which clients see a resource of a server that shows it. Call it in the order of the servers. */
  show(server: string, uri: string): string {
    const key = JSON.stringify([server, uri]);
    const known = this.#renamed.get(key);
    if (known !== undefined) return this.#know(known, { server, uri });
    const listed = this.#resources.get(uri);
    const holder = listed ? listed.server : this.#findHolder(uri, server);
    const isOwn = listed?.server === server && listed.uri === uri;
    if (holder === undefined || isOwn) return this.#know(uri, { server, uri });
    const shown = renamedUri(server, uri);
    this.#renamed.set(key, shown);
    this.#know(shown, { server, uri });
    this.#onWarning(`the servers "${holder}" and "${server}" have the resource ${uri}: the second is ${shown}`);
    return shown;
  }

  /** The URI under which clients see a resource of a server. */
  shown(server: string, uri: string, client?: ServedClient): string {
    const renamed = this.#renamed.get(JSON.stringify([server, uri]));
    if (renamed !== undefined) return renamed;
    if (this.#resources.get(uri)?.server === server) return uri;
    const linked = this.#linked.get(this.#keyOf(renamedUri(server, uri), client));
    return linked?.server === server && linked.uri === uri ? renamedUri(server, uri) : uri;
  }

  /** The URI under which a client sees a resource that a result of its server links to, listed or not. */
  #link(server: string, uri: string, client: ServedClient | undefined, isComplete: boolean): string {
    const listed = this.#renamed.get(JSON.stringify([server, uri]));
    if (listed !== undefined) return listed;
    const mayKeep = isComplete || this.#resources.has(uri);
    const shown = mayKeep && this.#isOwn(server, uri, client) ? uri : renamedUri(server, uri);
    if (this.#resources.has(shown)) return shown;
    const key = this.#keyOf(shown, client);
    this.#linked.delete(key);
    this.#linked.set(key, { server, uri });
    forgetOldest(this.#linked, MAX_LINKED);
    return shown;
  }

  /** Whether a link of a server may keep its URI: no other server lists it, was read from or has a template for it. */
  #isOwn(server: string, uri: string, client: ServedClient | undefined): boolean {
    const holder = this.resource(uri, client);
    if (holder) return holder.server === server && holder.uri === uri;
    return (this.#readFrom.get(uri) ?? server) === server && (this.#findHolder(uri) ?? server) === server;
  }

  /** A server may list other resources each time. Those in no recent list are forgotten first. */
  #know(shown: string, resource: KnownResource): string {
    this.#resources.delete(shown);
    this.#resources.set(shown, resource);
    forgetOldest(this.#resources, MAX_KNOWN);
    forgetOldest(this.#renamed, MAX_KNOWN);
    return shown;
  }

  /** Shows the resources that the tools of the servers name, before any of the tools is listed. */
  async showAll(servers: readonly ToolboxServer[]): Promise<void> {
    for (const { name, tools } of servers) await mapInTurns(tools, (tool) => this.inTool(name, tool));
  }

  /**
   * A tool whose user interface is a resource of its server. Only URIs of user interfaces belong to a server by its
   * tools: these are listed first, and could name resources of another server before that one lists them.
   */
  inTool<T extends ToolboxTool>(server: string, tool: T): T {
    const meta = isRecord(tool._meta) ? tool._meta : {};
    const ui = isRecord(meta.ui) ? meta.ui : {};
    const uri = ui.resourceUri ?? meta[FLAT_UI_KEY];
    if (typeof uri !== 'string') return tool;
    const resourceUri = uri.startsWith(UI_SCHEME) ? this.show(server, uri) : this.shown(server, uri);
    if (resourceUri === uri) return tool;
    const flat = meta[FLAT_UI_KEY] === undefined ? {} : { [FLAT_UI_KEY]: resourceUri };
    return { ...tool, _meta: { ...meta, ...(meta.ui !== undefined && { ui: { ...ui, resourceUri } }), ...flat } };
  }

  /** A result whose content links to resources of its server. `isComplete`: all servers have shown what they list. */
  async inResult(
    server: string,
    result: CallToolResult,
    client: ServedClient | undefined,
    isComplete: boolean,
  ): Promise<CallToolResult> {
    const link = (uri: string) => this.#link(server, uri, client, isComplete);
    return { ...result, content: await mapInTurns(result.content, (block) => inBlock(block, link)) };
  }
}

function inBlock(block: ContentBlock, link: (uri: string) => string): ContentBlock {
  if (block.type === 'resource_link' && typeof block.uri === 'string') {
    return { ...block, uri: link(block.uri) } as ContentBlock;
  }
  if (block.type !== 'resource' || !isRecord(block.resource) || typeof block.resource.uri !== 'string') return block;
  return { ...block, resource: { ...block.resource, uri: link(block.resource.uri) } } as ContentBlock;
}

/** Links and listed resources that are remembered, of all servers. */
const MAX_LINKED = 10_000;
const MAX_KNOWN = 100_000;

/** Many at once: the first key of a map is found slowly while its deleted entries are not cleaned up. */
function forgetOldest(map: Map<string, unknown>, max: number): void {
  if (map.size <= max) return;
  for (const oldest of map.keys()) {
    if (map.size <= max * 0.9) break;
    map.delete(oldest);
  }
}

function renamedUri(server: string, uri: string): string {
  return `${uri}#${encodeURIComponent(server)}`;
}

/** The scheme of user interfaces in MCP Apps. */
const UI_SCHEME = 'ui://';

/** The key of the first drafts of MCP Apps, which many servers still send. */
const FLAT_UI_KEY = 'ui/resourceUri';
