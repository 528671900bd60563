import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { userStateFolder } from '@a2c/config';
import { redactSecrets } from '@a2c/protocol';
import { words } from '../command-line.js';

const MAX_LINES = 1_000;

/** The lines of earlier sessions, newest first, in a file that only its owner may read. */
export class LineHistory {
  readonly #path: string;

  constructor(env: NodeJS.ProcessEnv) {
    this.#path = join(userStateFolder(env), 'computer-history');
  }

  async load(): Promise<string[]> {
    try {
      return (await readFile(this.#path, 'utf8')).split('\n').filter((line) => line !== '');
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
      throw error;
    }
  }

  async save(lines: readonly string[]): Promise<void> {
    const kept = lines.filter(mayBeKept).slice(0, MAX_LINES);
    await mkdir(dirname(this.#path), { recursive: true, mode: 0o700 });
    await writeFile(this.#path, kept.map((line) => `${line}\n`).join(''), { mode: 0o600 });
  }
}

/** Returns false for a line that may contain a secret. Such lines are not saved. */
export function mayBeKept(line: string): boolean {
  const typed = words(line.toLowerCase());
  if (typed.slice(0, 3).join(' ') === 'inputs value set') return false;
  if (typed.includes('--auth') || typed.includes('--headers')) return false;
  return redactSecrets(line.slice(0, 1_900)) === line.slice(0, 1_900);
}
