import { readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';

/**
 * The sessions that were logged out before their cookies expire. They are kept in a file, because the key of the
 * cookies also outlives the process.
 */
export class EndedSessions {
  readonly #path: string | undefined;
  /** When the cookie of each session expires. */
  readonly #expiry: Map<string, number>;

  /** @param path without one, or without a readable file there, the list starts empty */
  constructor(path: string | undefined) {
    this.#path = path;
    this.#expiry = new Map(path === undefined ? [] : read(path));
  }

  has(session: string): boolean {
    return this.#expiry.has(session);
  }

  /** Resolves when the session stays ended after a restart. */
  async add(session: string, expires: number): Promise<void> {
    for (const [each, time] of this.#expiry) if (time < Date.now()) this.#expiry.delete(each);
    this.#expiry.set(session, expires);
    if (this.#path !== undefined) await writeFile(this.#path, JSON.stringify([...this.#expiry]), { mode: 0o600 });
  }
}

function read(path: string): [string, number][] {
  try {
    return JSON.parse(readFileSync(path, 'utf8')) as [string, number][];
  } catch {
    return []; // There is none before the first logout.
  }
}
