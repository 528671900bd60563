import { readdir, rename, unlink } from 'node:fs/promises';
import { basename, dirname, extname, join } from 'node:path';

const INDEX_DIGITS = 4;

/** The full segments of a log, next to the current file: `server.segment-0001.log` and so on for `server.log`. */
export class LogSegments {
  readonly #path: string;
  readonly #folder: string;
  readonly #stem: string;
  /** null: keep all segments. */
  readonly #max: number | null;
  #next = 1;

  constructor(path: string, max: number | null) {
    this.#path = path;
    this.#folder = dirname(path);
    this.#stem = basename(path, extname(path));
    this.#max = max;
  }

  /** Continues the numbering of earlier runs. */
  async open(): Promise<void> {
    this.#next = Math.max(0, ...(await this.#indices()).map(([index]) => index)) + 1;
    await this.#prune();
  }

  /** Renames the current file to the next segment. */
  async take(): Promise<void> {
    await rename(this.#path, join(this.#folder, this.#nameOf(this.#next)));
    this.#next += 1;
    await this.#prune();
  }

  async #prune(): Promise<void> {
    if (this.#max === null) return;
    const oldestFirst = (await this.#indices()).sort(([a], [b]) => a - b);
    const surplus = oldestFirst.slice(0, Math.max(0, oldestFirst.length - this.#max));
    // A segment that cannot be deleted is tried again at the next rotation.
    for (const [, name] of surplus) await unlink(join(this.#folder, name)).catch(() => {});
  }

  async #indices(): Promise<[index: number, name: string][]> {
    const prefix = `${this.#stem}.segment-`;
    const entries = await readdir(this.#folder, { withFileTypes: true });
    return entries.flatMap((entry): [number, string][] => {
      const { name } = entry;
      if (!entry.isFile() || !name.startsWith(prefix) || !name.endsWith('.log')) return [];
      const digits = name.slice(prefix.length, -'.log'.length);
      return /^\d{4,15}$/.test(digits) ? [[Number(digits), name]] : [];
    });
  }

  #nameOf(index: number): string {
    return `${this.#stem}.segment-${String(index).padStart(INDEX_DIGITS, '0')}.log`;
  }
}
