import { ProtocolError, ProtocolErrorCode } from '@modelcontextprotocol/server';
import type { CallOptions, MCPRequest, Toolbox } from '../toolbox.js';
import { gather, serversWith } from './gather.js';

/** Whose resource is whose, which no request says: the server that lists it, else the first that knows it. */
export class ResourceTable {
  readonly #toolbox: Toolbox;
  #owners: ReadonlyMap<string, string> = new Map();

  constructor(toolbox: Toolbox) {
    this.#toolbox = toolbox;
  }

  async list(options: CallOptions): Promise<readonly Readonly<Record<string, unknown>>[]> {
    const lists = await gather(this.#toolbox, 'resources', 'resources/list', 'resources', options);
    const all = lists.flatMap(({ server, items }) => items.map((item) => ({ server, item })));
    this.#owners = new Map(all.toReversed().map(({ server, item }) => [String(item.uri), server]));
    return all.map(({ item }) => item);
  }

  async templates(options: CallOptions): Promise<readonly Readonly<Record<string, unknown>>[]> {
    const lists = await gather(this.#toolbox, 'resources', 'resources/templates/list', 'resourceTemplates', options);
    return lists.flatMap(({ items }) => items);
  }

  async read(params: Readonly<Record<string, unknown>>, options: CallOptions): Promise<Record<string, unknown>> {
    const owner = this.#owners.get(String(params.uri));
    const answer = await this.firstAnswer('resources', { method: 'resources/read', params }, options, owner);
    return answer.result;
  }

  /** The owners of these, for those that have one. Many servers let anything be followed, also what they do not have. */
  async ownersOf(uris: readonly string[], options: CallOptions): Promise<ReadonlyMap<string, string>> {
    if (!uris.every((uri) => this.#owners.has(uri))) await this.list(options);
    const found = new Map<string, string>();
    for (const uri of uris) {
      const owner = this.#owners.get(uri) ?? (await this.#readerOf(uri, options)); // One after the other: they may be many.
      if (owner !== undefined) found.set(uri, owner);
    }
    return found;
  }

  /** Asks the servers in turn, the likely one first; the first that knows it answers. */
  async firstAnswer(
    capability: string,
    request: MCPRequest,
    options: CallOptions,
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

  async #readerOf(uri: string, options: CallOptions): Promise<string | undefined> {
    const request = { method: 'resources/read', params: { uri } };
    const answer = await this.firstAnswer('resources', request, options).catch(() => undefined);
    return answer?.server;
  }
}
