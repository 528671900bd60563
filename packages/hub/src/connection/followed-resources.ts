import { HubError } from '../errors.js';
import type { Subscriptions } from './subscriptions.js';

/** The resources of one server that somebody outside wants to hear of, over all of its connections. */
export class FollowedResources {
  readonly #followers = new Map<string, number>();
  #subscriptions: Subscriptions | undefined;

  get uris(): readonly string[] {
    return [...this.#followers.keys()];
  }

  /** On a new connection everything is wanted anew. */
  async moveTo(subscriptions: Subscriptions, signal: AbortSignal): Promise<ReadonlyMap<string, Error>> {
    this.#subscriptions = subscriptions;
    return this.#want(signal);
  }

  /** Fails when none of them can be had; one of several that cannot is tried again with whatever is wanted next. */
  async add(uris: readonly string[], signal: AbortSignal): Promise<void> {
    for (const uri of uris) this.#followers.set(uri, (this.#followers.get(uri) ?? 0) + 1);
    const failures = await this.#want(signal);
    const [first] = uris.map((uri) => failures.get(uri));
    if (!first || !uris.every((uri) => failures.has(uri))) return;
    this.remove(uris);
    throw first;
  }

  remove(uris: readonly string[]): void {
    for (const uri of uris) {
      const followers = (this.#followers.get(uri) ?? 0) - 1;
      if (followers > 0) this.#followers.set(uri, followers);
      else this.#followers.delete(uri);
    }
    void this.#want(AbortSignal.timeout(UNFOLLOW_MS));
  }

  async #want(signal: AbortSignal): Promise<ReadonlyMap<string, Error>> {
    return (await this.#subscriptions?.want('followers', this.#followers.keys(), signal)) ?? new Map();
  }
}

const UNFOLLOW_MS = 10_000;

/** Said before a server is asked for what it never offered. */
export function cannotBeFollowed(server: string): HubError {
  return new HubError('refused', `server "${server}" does not tell of changes of its resources`, { server });
}
