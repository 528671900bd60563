import { raceSignal } from '@a2c/protocol';
import { type JSONRPCMessage, SUBSCRIPTION_ID_META_KEY } from '@modelcontextprotocol/server';
import type { ToolboxCallOptions } from '../toolbox.js';
import type { ConnectedClient } from './connected-client.js';
import { resourceNotFound } from './rpc-error.js';
import type { Endpoint } from './server-factory.js';

export const LISTEN_METHOD = 'subscriptions/listen';
const ACKNOWLEDGED = 'notifications/subscriptions/acknowledged';

/** The errors of the servers that have refused subscriptions, by resource. */
type Failures = ReadonlyMap<string, unknown>;

/** The resource subscriptions of one client. */
export class ResourceSubscriptions {
  readonly #endpoint: Endpoint;
  readonly #wanted = new Set<string>();
  readonly #unsubscribes = new Map<string, () => void>();
  /** Looked for in the next attempt. */
  readonly #missing = new Set<string>();
  #attempt: Promise<unknown> = Promise.resolve();
  #next: Promise<Failures> | undefined;

  constructor(endpoint: Endpoint) {
    this.#endpoint = endpoint;
  }

  has(uri: string): boolean {
    return this.#unsubscribes.has(uri);
  }

  /** Subscribes to one resource. Rejects if no server has it or its server does not support subscriptions. */
  async add(uri: string, options: ToolboxCallOptions): Promise<void> {
    this.#want([uri]);
    try {
      await this.#endpoint.proxy.registry.started(options.signal);
      const failures = await raceSignal(this.#find([uri], options), options.signal);
      if (this.has(uri) || !this.#wanted.has(uri)) return; // subscribed, or removed meanwhile
      throw failures.get(uri) ?? resourceNotFound(uri);
    } catch (error) {
      if (!this.has(uri)) this.#wanted.delete(uri);
      throw error;
    }
  }

  /** Subscribes to the resources that exist now. `retry` subscribes to the others once their server is there. */
  async addAll(uris: readonly string[], options: ToolboxCallOptions): Promise<void> {
    this.#want(uris);
    await this.#endpoint.proxy.registry.started();
    await this.retry(options);
  }

  /** Subscribes to all wanted resources that are not subscribed yet. */
  async retry(options: ToolboxCallOptions): Promise<void> {
    await this.#find(this.#wanted, options).catch(() => {}); // tried again when a server announces its resources
  }

  /**
   * Subscribes to resources with one request per server. One attempt at a time, so that no resource is subscribed to
   * twice; the resources that are asked for meanwhile wait for one next attempt, which lists once.
   */
  #find(uris: Iterable<string>, options: ToolboxCallOptions): Promise<Failures> {
    for (const uri of uris) this.#missing.add(uri);
    // Several requests may wait for it: it does not end with the signal of one, which a copy does not have.
    this.#next ??= this.#findNext({ ...options });
    return this.#next;
  }

  #findNext(options: ToolboxCallOptions): Promise<Failures> {
    const next = this.#attempt.then(() => {
      this.#next = undefined;
      const missing = [...this.#missing].filter((uri) => this.#wanted.has(uri) && !this.has(uri));
      this.#missing.clear();
      return this.#subscribeAll(missing, options);
    });
    this.#attempt = next.catch(() => {}); // the callers have the error
    return next;
  }

  async #subscribeAll(missing: readonly string[], options: ToolboxCallOptions): Promise<Failures> {
    const failures = new Map<string, unknown>();
    if (missing.length === 0) return failures;
    const owners = await this.#endpoint.resources.ownersOf(missing, options);
    await Promise.all(
      [...new Set([...owners.values()].map(({ server }) => server))].map(async (server) => {
        const uris = missing.filter((uri) => owners.get(uri)?.server === server);
        const own = uris.map((uri) => owners.get(uri)?.uri ?? uri);
        const failure = await this.#subscribe(server, uris, own, options);
        if (failure !== undefined) for (const uri of uris) failures.set(uri, failure);
      }),
    );
    return failures;
  }

  remove(uri: string): void {
    this.#wanted.delete(uri);
    this.#unsubscribes.get(uri)?.();
    this.#unsubscribes.delete(uri);
  }

  close(): void {
    for (const uri of [...this.#wanted]) this.remove(uri);
  }

  #want(uris: readonly string[]): void {
    const { subscriptions } = this.#endpoint.proxy.options.limits;
    for (const uri of uris) if (this.#wanted.size < subscriptions) this.#wanted.add(uri);
  }

  /** `own`: the URIs as the server knows them. The subscription ends with the last of its resources. */
  async #subscribe(
    server: string,
    uris: readonly string[],
    own: readonly string[],
    options: ToolboxCallOptions,
  ): Promise<unknown> {
    try {
      const unsubscribe = await this.#endpoint.proxy.toolbox.subscribe(server, own, options);
      const active = new Set(uris);
      const unsubscribeOne = (uri: string) => {
        active.delete(uri);
        if (active.size === 0) unsubscribe();
      };
      for (const uri of uris) {
        // Removed meanwhile.
        if (!this.#wanted.has(uri)) unsubscribeOne(uri);
        else this.#unsubscribes.set(uri, () => unsubscribeOne(uri));
      }
      return undefined;
    } catch (failure) {
      return failure;
    }
  }
}

interface Listening {
  readonly subscriptions: ResourceSubscriptions;
  readonly options: ToolboxCallOptions;
}

/**
 * The resource subscriptions of clients of MCP 2026-07-28, which list them in `subscriptions/listen`. The SDK answers
 * that request itself and reports it to no handler, so the messages are observed here.
 */
export class ListenSubscriptions {
  readonly #endpoint: Endpoint;
  readonly #byRequest = new Map<unknown, Listening>();
  readonly #stopListening: () => void;

  constructor(endpoint: Endpoint) {
    this.#endpoint = endpoint;
    this.#stopListening = endpoint.proxy.toolbox.on('resourcesChanged', () => {
      for (const { subscriptions, options } of this.#byRequest.values()) void subscriptions.retry(options);
    });
  }

  /** Observes a message to the client: the acknowledgement names the granted resources. */
  onSend(message: JSONRPCMessage): void {
    if (!('method' in message) || message.method !== ACKNOWLEDGED) return;
    this.begin(message.params?._meta?.[SUBSCRIPTION_ID_META_KEY], message);
  }

  /** Observes a message of the client: a cancellation ends the subscriptions of a request. */
  onReceive(message: JSONRPCMessage): void {
    if ('method' in message && message.method === 'notifications/cancelled') this.end(message.params?.requestId);
  }

  /**
   * Subscribes for one `listen` request. A resource that cannot be subscribed is ignored: the SDK has acknowledged the
   * request already.
   *
   * @param client Its calls and its subscriptions use the same connections to servers.
   */
  begin(request: unknown, message: unknown, client?: ConnectedClient): void {
    const uris = resourcesIn(message);
    if (uris.length === 0) return;
    this.end(request);
    const subscriptions = new ResourceSubscriptions(this.#endpoint);
    const options = client ? { client } : {};
    this.#byRequest.set(request, { subscriptions, options });
    void subscriptions.addAll(uris, options);
  }

  end(request: unknown): void {
    this.#byRequest.get(request)?.subscriptions.close();
    this.#byRequest.delete(request);
  }

  close(): void {
    this.#stopListening();
    for (const request of [...this.#byRequest.keys()]) this.end(request);
  }
}

function resourcesIn(message: unknown): readonly string[] {
  type Listen = { readonly params?: { readonly notifications?: { readonly resourceSubscriptions?: unknown } } };
  const uris = (message as Listen | undefined)?.params?.notifications?.resourceSubscriptions;
  return Array.isArray(uris) ? uris.filter((uri) => typeof uri === 'string') : [];
}
