import { type JSONRPCMessage, SUBSCRIPTION_ID_META_KEY } from '@modelcontextprotocol/server';
import type { MCPProxy } from '../mcp-proxy.js';
import { Followed } from './followed.js';

export const LISTEN = 'subscriptions/listen';
const ACKNOWLEDGED = 'notifications/subscriptions/acknowledged';

/**
 * Clients of 2026 name the resources they want to hear of when they begin to listen. The SDK serves the listening itself and tells
 * nobody; so it is read along here what they name, and the servers are asked to tell.
 */
export class Listened {
  readonly #proxy: MCPProxy;
  readonly #listening = new Map<unknown, Followed>();
  readonly #unsubscribe: () => void;

  constructor(proxy: MCPProxy) {
    this.#proxy = proxy;
    this.#unsubscribe = proxy.toolbox.subscribe((event) => {
      if (event.kind !== 'changed' || event.what !== 'resources') return;
      for (const followed of this.#listening.values()) void followed.look();
    });
  }

  /** A message to the client on a lasting connection: what was granted. */
  sent(message: JSONRPCMessage): void {
    if (!('method' in message) || message.method !== ACKNOWLEDGED) return;
    this.begin(message.params?._meta?.[SUBSCRIPTION_ID_META_KEY], message);
  }

  /** A message of the client on a lasting connection. */
  received(message: JSONRPCMessage): void {
    if ('method' in message && message.method === 'notifications/cancelled') this.end(message.params?.requestId);
  }

  /** What cannot be followed is not heard of; the client learns that from the server's capabilities, and by reading. */
  begin(listening: unknown, message: unknown): void {
    const uris = namedIn(message);
    if (uris.length === 0) return;
    this.end(listening);
    const followed = new Followed(this.#proxy);
    this.#listening.set(listening, followed);
    void followed.addAll(uris);
  }

  end(listening: unknown): void {
    this.#listening.get(listening)?.close();
    this.#listening.delete(listening);
  }

  close(): void {
    this.#unsubscribe();
    for (const listening of [...this.#listening.keys()]) this.end(listening);
  }
}

function namedIn(message: unknown): readonly string[] {
  type Listen = { readonly params?: { readonly notifications?: { readonly resourceSubscriptions?: unknown } } };
  const uris = (message as Listen | undefined)?.params?.notifications?.resourceSubscriptions;
  return Array.isArray(uris) ? uris.filter((uri) => typeof uri === 'string') : [];
}
