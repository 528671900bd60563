import { readdirSync } from 'node:fs';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/**
 * The sessions that were logged out before their cookies expire. They are kept on disk, because the key of the cookies
 * also outlives the process. Each is an empty file, named by the time of expiry and the session: hosts of one user
 * share the folder, and a file is created at once or not at all.
 */
export class EndedSessions {
  readonly #folder: string | undefined;
  readonly #ended = new Set<string>();

  /** @param folder without one, the sessions are forgotten when the process ends, as is the key */
  constructor(folder: string | undefined) {
    this.#folder = folder;
    for (const file of folder === undefined ? [] : filesIn(folder)) {
      const [expires, session = ''] = file.split('_');
      this.#ended.add(session);
      // If this fails, the file is removed at a later start.
      if (Number(expires) < Date.now()) rm(join(folder as string, file), { force: true }).catch(() => {});
    }
  }

  has(session: string): boolean {
    return this.#ended.has(session);
  }

  /** Resolves when the session stays ended after a restart. */
  async add(session: string, expires: number): Promise<void> {
    this.#ended.add(session);
    if (this.#folder === undefined) return;
    await mkdir(this.#folder, { recursive: true, mode: 0o700 });
    await writeFile(join(this.#folder, `${expires}_${session}`), '', { mode: 0o600 });
  }
}

function filesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return []; // There is none before the first logout.
    throw error;
  }
}
