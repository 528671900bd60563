import type { JSONRPCMessage } from '@modelcontextprotocol/server';
import type { Toolbox } from '../toolbox.js';
import { Followed } from './followed.js';
import { bodyOf } from './request-body.js';

const LISTEN = 'subscriptions/listen';

/**
 * Clients of 2026 name the resources they want to hear of when they begin to listen. The SDK serves the listening itself and tells
 * nobody; so it is read along here what they name, and the servers are asked to tell.
 */
export class Listened {
  readonly #toolbox: Toolbox;
  readonly #listening = new Map<unknown, Followed>();

  constructor(toolbox: Toolbox) {
    this.#toolbox = toolbox;
  }

  /** A message on a lasting connection. */
  see(message: JSONRPCMessage): void {
    if (!('method' in message)) return;
    if (message.method === LISTEN && 'id' in message) void this.#begin(message.id, message);
    if (message.method === 'notifications/cancelled') this.#end(message.params?.requestId);
  }

  /** A request over HTTP, which is the listening for as long as it lasts. */
  async seeRequest(request: Request): Promise<void> {
    const body = await bodyOf(request, LISTEN);
    if (body === undefined) return;
    request.signal.addEventListener('abort', () => this.#end(request), { once: true });
    await this.#begin(request, body);
  }

  close(): void {
    for (const listening of [...this.#listening.keys()]) this.#end(listening);
  }

  /** What cannot be followed is not heard of; the client learns that from the server's capabilities, and by reading. */
  async #begin(listening: unknown, message: unknown): Promise<void> {
    const uris = namedIn(message);
    if (uris.length === 0) return;
    const followed = new Followed(this.#toolbox);
    this.#listening.set(listening, followed);
    await Promise.all(uris.map((uri) => followed.add(uri, {}).catch(() => {})));
  }

  #end(listening: unknown): void {
    this.#listening.get(listening)?.close();
    this.#listening.delete(listening);
  }
}

function namedIn(message: unknown): readonly string[] {
  type Listen = { readonly params?: { readonly notifications?: { readonly resourceSubscriptions?: unknown } } };
  const uris = (message as Listen | undefined)?.params?.notifications?.resourceSubscriptions;
  return Array.isArray(uris) ? uris.filter((uri) => typeof uri === 'string') : [];
}
