import { ProtocolError, ProtocolErrorCode } from '@modelcontextprotocol/server';
import type { CallOptions, McpRequest, Toolbox, ToolboxServer } from '../toolbox.js';
import { gather, serversWith } from './gather.js';

/** The resources one client hears of. */
export class Followed {
  readonly #toolbox: Toolbox;
  readonly #following = new Map<string, () => void>();
  #isClosed = false;

  constructor(toolbox: Toolbox) {
    this.#toolbox = toolbox;
  }

  has(uri: string): boolean {
    return this.#following.has(uri);
  }

  async add(uri: string, options: CallOptions): Promise<void> {
    if (this.has(uri)) return;
    const server = await ownerOf(uri, this.#toolbox, options);
    const release = await this.#toolbox.follow(server, uri, options);
    this.#following.get(uri)?.(); // Two at once: one is enough.
    if (this.#isClosed) release();
    else this.#following.set(uri, release);
  }

  remove(uri: string): void {
    this.#following.get(uri)?.();
    this.#following.delete(uri);
  }

  close(): void {
    this.#isClosed = true;
    for (const uri of [...this.#following.keys()]) this.remove(uri);
  }
}

/**
 * Whose resource it is, which no request says: the server that lists it, else the first that can read it. Many servers let
 * anything be followed, also what they do not have.
 */
async function ownerOf(uri: string, toolbox: Toolbox, options: CallOptions): Promise<string> {
  const lists = await gather(toolbox, 'resources', 'resources/list', 'resources', options);
  const owner = lists.find(({ items }) => items.some((resource) => resource.uri === uri));
  if (owner) return owner.server;
  const servers = serversWith(toolbox, 'resources');
  return (await firstAnswer(toolbox, servers, { method: 'resources/read', params: { uri } }, options)).server;
}

/** Addresses have no owner in the request: the servers are asked in turn, and the first that knows it answers. */
export async function firstAnswer(
  toolbox: Toolbox,
  servers: readonly ToolboxServer[],
  request: McpRequest,
  options: CallOptions,
): Promise<{ readonly server: string; readonly result: Record<string, unknown> }> {
  let failure: unknown = new ProtocolError(ProtocolErrorCode.InvalidParams, 'No server knows this resource');
  for (const { name: server } of servers) {
    try {
      return { server, result: await toolbox.request(server, request, options) };
    } catch (error) {
      if (options.signal?.aborted) throw error;
      failure = error;
    }
  }
  throw failure;
}
