import { ProtocolError, ProtocolErrorCode } from '@modelcontextprotocol/server';
import type { MCPProxy } from '../mcp-proxy.js';
import type { CallOptions } from '../toolbox.js';

/** More than this nobody reads; each costs the server that has it something. */
const MOST_FOLLOWED = 1_000;

/** The resources one client hears of. */
export class Followed {
  readonly #proxy: MCPProxy;
  readonly #wanted = new Set<string>();
  readonly #releases = new Map<string, () => void>();

  constructor(proxy: MCPProxy) {
    this.#proxy = proxy;
  }

  has(uri: string): boolean {
    return this.#releases.has(uri);
  }

  /** One that no server has, or none tells of, is an error. */
  async add(uri: string, options: CallOptions): Promise<void> {
    this.#want([uri]);
    const failure = await this.#followMissing(options);
    if (this.has(uri) || !this.#wanted.delete(uri)) return; // Followed, or no longer wanted.
    throw failure ?? new ProtocolError(ProtocolErrorCode.InvalidParams, 'No server knows this resource');
  }

  /** As many of these as there are; the others when they are there. */
  async addAll(uris: readonly string[]): Promise<void> {
    this.#want(uris);
    await this.#proxy.registry.settled();
    await this.#followMissing({});
  }

  /** Servers have come or gone. */
  async look(): Promise<void> {
    await this.#followMissing({});
  }

  remove(uri: string): void {
    this.#wanted.delete(uri);
    this.#releases.get(uri)?.();
    this.#releases.delete(uri);
  }

  close(): void {
    for (const uri of [...this.#wanted]) this.remove(uri);
  }

  #want(uris: readonly string[]): void {
    for (const uri of uris) if (this.#wanted.size < MOST_FOLLOWED) this.#wanted.add(uri);
  }

  /** Follows what is wanted and not followed, once per server; returns why one of them could not be. */
  async #followMissing(options: CallOptions): Promise<unknown> {
    const missing = [...this.#wanted].filter((uri) => !this.has(uri));
    if (missing.length === 0) return undefined;
    const owners = await this.#proxy.resources.ownersOf(missing, options);
    const servers = [...new Set(owners.values())];
    const failures = await Promise.all(
      servers.map((server) =>
        this.#follow(
          server,
          missing.filter((uri) => owners.get(uri) === server),
          options,
        ),
      ),
    );
    return failures.find((failure) => failure !== undefined);
  }

  async #follow(server: string, uris: readonly string[], options: CallOptions): Promise<unknown> {
    try {
      const release = await this.#proxy.toolbox.follow(server, uris, options);
      const shared = new Set(uris);
      const releaseOne = (uri: string) => {
        shared.delete(uri);
        if (shared.size === 0) release();
      };
      for (const uri of uris) {
        // Nobody wants it any more, or it came another way meanwhile.
        if (!this.#wanted.has(uri) || this.has(uri)) releaseOne(uri);
        else this.#releases.set(uri, () => releaseOne(uri));
      }
      return undefined;
    } catch (failure) {
      return failure;
    }
  }
}
