import type { MCPClientProtocol } from '../clients/mcp-client.js';
import { HubError } from '../errors.js';
import { SerialQueue } from '../serial-queue.js';

/** Why resources are subscribed to: they are windows, or a caller of `subscribe` wants their changes. */
type Purpose = 'windows' | 'callers';

/** The resource subscriptions of one connection. A resource is subscribed to once, however many purposes it has. */
export class ConnectionSubscriptions {
  readonly #client: MCPClientProtocol;
  readonly #queue = new SerialQueue();
  readonly #wanted: Record<Purpose, ReadonlySet<string>> = { windows: new Set(), callers: new Set() };
  readonly #subscribed = new Set<string>();

  constructor(client: MCPClientProtocol) {
    this.#client = client;
  }

  /** Sets the resources of one purpose. Returns an error for each URI that failed; it is tried again the next time. */
  set(purpose: Purpose, uris: Iterable<string>, signal: AbortSignal): Promise<ReadonlyMap<string, Error>> {
    return this.#queue.run(async () => {
      this.#wanted[purpose] = new Set(uris);
      const failures = await this.#update(new Set([...this.#wanted.windows, ...this.#wanted.callers]), signal);
      return new Map([...failures].filter(([uri]) => this.#wanted[purpose].has(uri)));
    });
  }

  async #update(wanted: ReadonlySet<string>, signal: AbortSignal): Promise<ReadonlyMap<string, Error>> {
    const added = [...wanted].filter((uri) => !this.#subscribed.has(uri));
    const removed = [...this.#subscribed].filter((uri) => !wanted.has(uri));
    const failures = new Map<string, Error>();
    if (added.length + removed.length === 0) return failures;
    const attempt = async (uris: readonly string[], subscribe: () => Promise<void>): Promise<void> => {
      try {
        await subscribe();
        for (const uri of uris) this.#subscribed.add(uri);
      } catch (error) {
        for (const uri of uris) failures.set(uri, error as Error);
      }
    };
    for (const uri of removed) this.#subscribed.delete(uri);
    if (this.#client.era === 'modern') {
      const listen = (more: readonly string[]) =>
        this.#client.listen([...wanted].filter((uri) => this.#subscribed.has(uri) || more.includes(uri)));
      await attempt(added, () => listen(added));
      if (failures.size <= 1) return failures;
      // One unknown URI fails the whole subscription: add them one by one.
      failures.clear();
      for (const uri of added) await attempt([uri], () => listen([uri]));
      return failures;
    }
    for (const uri of removed) {
      // The hub ignores its updates from now on, whether or not the server accepts the request.
      await this.#client.request('resources/unsubscribe', { uri }, { signal }).catch(() => {});
    }
    for (const uri of added) {
      await attempt([uri], async () => void (await this.#client.request('resources/subscribe', { uri }, { signal })));
    }
    return failures;
  }
}

const UNSUBSCRIBE_TIMEOUT_MS = 10_000;

/** The resources of one server that callers have subscribed to. They are subscribed to again after a reconnect. */
export class CallerSubscriptions {
  /** The number of callers for each URI. */
  readonly #counts = new Map<string, number>();
  #connection: ConnectionSubscriptions | undefined;

  get uris(): readonly string[] {
    return [...this.#counts.keys()];
  }

  /** Subscribes to all resources on a new connection. Returns an error for each URI that failed. */
  async moveTo(connection: ConnectionSubscriptions, signal: AbortSignal): Promise<ReadonlyMap<string, Error>> {
    this.#connection = connection;
    return this.#update(signal);
  }

  /** Rejects if none of the URIs can be subscribed to. If only some fail, they are tried again with the next change. */
  async add(uris: readonly string[], signal: AbortSignal): Promise<void> {
    for (const uri of uris) this.#counts.set(uri, (this.#counts.get(uri) ?? 0) + 1);
    const failures = await this.#update(signal);
    const [first] = uris.map((uri) => failures.get(uri));
    if (!first || !uris.every((uri) => failures.has(uri))) return;
    this.remove(uris);
    throw first;
  }

  remove(uris: readonly string[]): void {
    for (const uri of uris) {
      const count = (this.#counts.get(uri) ?? 0) - 1;
      if (count > 0) this.#counts.set(uri, count);
      else this.#counts.delete(uri);
    }
    void this.#update(AbortSignal.timeout(UNSUBSCRIBE_TIMEOUT_MS));
  }

  async #update(signal: AbortSignal): Promise<ReadonlyMap<string, Error>> {
    return (await this.#connection?.set('callers', this.#counts.keys(), signal)) ?? new Map();
  }
}

/** The server does not declare the capability `resources.subscribe`. */
export function subscriptionsNotSupported(server: string): HubError {
  return new HubError('refused', `server "${server}" does not support resource subscriptions`, { server });
}
