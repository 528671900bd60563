import { Lane } from '../lane.js';
import type { Connection } from './connection.js';

/** Who wants to hear of a resource: the desktop of its windows, or those who follow it. */
export type Interest = 'windows' | 'followers';

/** The resources of one connection whose changes we hear of: each once, however many want to. */
export class Subscriptions {
  readonly #connection: Connection;
  readonly #lane = new Lane();
  readonly #wanted: Record<Interest, ReadonlySet<string>> = { windows: new Set(), followers: new Set() };
  readonly #heard = new Set<string>();

  constructor(connection: Connection) {
    this.#connection = connection;
  }

  /** Replaces what one of the two wants. Returns why which could not be had; those are tried again the next time. */
  want(interest: Interest, uris: Iterable<string>, signal: AbortSignal): Promise<ReadonlyMap<string, Error>> {
    return this.#lane.run(async () => {
      this.#wanted[interest] = new Set(uris);
      const failures = await this.#hear(new Set([...this.#wanted.windows, ...this.#wanted.followers]), signal);
      return new Map([...failures].filter(([uri]) => this.#wanted[interest].has(uri)));
    });
  }

  async #hear(wanted: ReadonlySet<string>, signal: AbortSignal): Promise<ReadonlyMap<string, Error>> {
    const added = [...wanted].filter((uri) => !this.#heard.has(uri));
    const removed = [...this.#heard].filter((uri) => !wanted.has(uri));
    const failures = new Map<string, Error>();
    if (added.length + removed.length === 0) return failures;
    const attempt = async (uris: readonly string[], change: () => Promise<void>): Promise<void> => {
      try {
        await change();
        for (const uri of uris) this.#heard.add(uri);
      } catch (error) {
        for (const uri of uris) failures.set(uri, error as Error);
      }
    };
    if (this.#connection.era === 'modern') {
      const listen = (more: readonly string[]) =>
        this.#connection.listen([...wanted].filter((uri) => this.#heard.has(uri) || more.includes(uri)));
      for (const uri of removed) this.#heard.delete(uri);
      await attempt(added, () => listen(added));
      if (failures.size <= 1) return failures;
      // Perhaps one that the server does not have: it should not take the others with it.
      failures.clear();
      for (const uri of added) await attempt([uri], () => listen([uri]));
      return failures;
    }
    for (const uri of removed) {
      this.#heard.delete(uri); // Gone is gone, whether or not the server agrees.
      await this.#connection.unsubscribe(uri, signal).catch(() => {});
    }
    for (const uri of added) await attempt([uri], () => this.#connection.subscribe(uri, signal));
    return failures;
  }
}
