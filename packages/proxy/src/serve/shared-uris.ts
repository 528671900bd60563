import type { ServedClient } from '@a2c/hub';
import { type CallToolResult, type ContentBlock, isRecord } from '@a2c/protocol';
import type { ToolboxServer, ToolboxTool } from '../toolbox.js';

/** A resource as its server knows it. */
export interface KnownResource {
  readonly server: string;
  readonly uri: string;
}

/** Finds a server other than this one to which a URI belongs without being listed. */
export type FindHolder = (server: string, uri: string) => string | undefined;

/**
 * The URIs under which clients see the resources of all servers. The first server that has a URI keeps it. The resource
 * of another server with the same URI is shown as `uri#server`, so that it can be read too.
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
    if (known !== undefined) return known;
    const listed = this.#resources.get(uri);
    const holder = listed ? listed.server : this.#findHolder(server, uri);
    if (holder === undefined) this.#know(uri, { server, uri });
    if (holder === undefined || (listed?.server === server && listed.uri === uri)) return uri;
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
    const linked = this.#linked.get(this.#keyOf(renamedUri(server, uri), client));
    return linked?.server === server && linked.uri === uri ? renamedUri(server, uri) : uri;
  }

  /** The URI under which a client sees a resource that a result of its server links to, listed or not. */
  #link(server: string, uri: string, client: ServedClient | undefined): string {
    const listed = this.#renamed.get(JSON.stringify([server, uri]));
    if (listed !== undefined) return listed;
    const shown = this.#isOwn(server, uri, client) ? uri : renamedUri(server, uri);
    if (this.#resources.has(shown)) return shown;
    const key = this.#keyOf(shown, client);
    this.#linked.delete(key);
    this.#linked.set(key, { server, uri });
    forgetOldest(this.#linked, MAX_LINKED);
    return shown;
  }

  /** Whether a link of a server may keep its URI: no other server has it. */
  #isOwn(server: string, uri: string, client: ServedClient | undefined): boolean {
    const holder = this.resource(uri, client);
    if (holder) return holder.server === server && holder.uri === uri;
    return (this.#readFrom.get(uri) ?? server) === server && this.#findHolder(server, uri) === undefined;
  }

  /** A server may list other resources each time. */
  #know(shown: string, resource: KnownResource): void {
    this.#resources.set(shown, resource);
    forgetOldest(this.#resources, MAX_KNOWN);
    forgetOldest(this.#renamed, MAX_KNOWN);
  }

  /** Shows the resources that the tools of the servers name, before any of the tools is listed. */
  showAll(servers: readonly ToolboxServer[]): void {
    for (const { name, tools } of servers) for (const tool of tools) this.inTool(name, tool);
  }

  /** A tool whose user interface is a resource of its server. */
  inTool<T extends ToolboxTool>(server: string, tool: T): T {
    const meta = isRecord(tool._meta) ? tool._meta : {};
    const ui = isRecord(meta.ui) ? meta.ui : {};
    const uri = ui.resourceUri ?? meta[FLAT_UI_KEY];
    if (typeof uri !== 'string') return tool;
    const resourceUri = this.show(server, uri);
    if (resourceUri === uri) return tool;
    const flat = meta[FLAT_UI_KEY] === undefined ? {} : { [FLAT_UI_KEY]: resourceUri };
    return { ...tool, _meta: { ...meta, ...(meta.ui !== undefined && { ui: { ...ui, resourceUri } }), ...flat } };
  }

  /** A result whose content links to resources of its server. */
  inResult(server: string, result: CallToolResult, client: ServedClient | undefined): CallToolResult {
    const link = (uri: string) => this.#link(server, uri, client);
    return { ...result, content: result.content.map((block) => inBlock(block, link)) };
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

/** The key of the first drafts of MCP Apps, which many servers still send. */
const FLAT_UI_KEY = 'ui/resourceUri';
