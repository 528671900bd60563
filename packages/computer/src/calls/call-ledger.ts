import { createHash } from 'node:crypto';
import { closeSync, fsyncSync, mkdirSync, openSync, readFileSync, renameSync, writeSync } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { dirname } from 'node:path';

const KEY_LENGTH = 32;

/**
 * The ids of started calls in a file, one hash per line. An id is on the disk before its call runs, so that the next
 * process knows it after a crash. Ids that are added while a write is pending share the next write.
 */
export class CallLedger {
  readonly #file: Promise<FileHandle>;
  readonly #known: Set<string>;
  #waiting: string[] = [];
  #writing: Promise<void> = Promise.resolve();
  #next: Promise<void> | undefined;

  /**
   * Reads the file, and removes old ids from it beyond `maxCalls`.
   *
   * @throws The file cannot be read or written.
   */
  constructor(path: string, maxCalls: number) {
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    this.#known = new Set(readKeys(path).slice(-maxCalls));
    rewrite(path, this.#known);
    this.#file = open(path, 'a', 0o600);
    this.#file.catch(() => {}); // Reported by the first call that needs it.
  }

  /** Whether this or an earlier process has started the call. */
  has(id: string): boolean {
    return this.#known.has(hashOf(id));
  }

  /** Resolves when the id is on the disk. */
  add(id: string): Promise<void> {
    const key = hashOf(id);
    this.#known.add(key);
    this.#waiting.push(key);
    this.#next ??= this.#writing.then(() => this.#write());
    return this.#next;
  }

  async close(): Promise<void> {
    await this.#next?.catch(() => {}); // Reported to the call.
    await this.#file.then((file) => file.close());
  }

  #write(): Promise<void> {
    const keys = this.#waiting.splice(0);
    this.#next = undefined;
    const written = this.#file.then(async (file) => {
      // The line feed before them ends a line that a full disk has cut.
      await file.appendFile(`\n${keys.join('\n')}\n`);
      await file.datasync();
    });
    this.#writing = written.catch(() => {});
    return written;
  }
}

/** Office, agent and `req_id` as a hash: the file shows nothing of them. */
function hashOf(id: string): string {
  return createHash('sha256').update(id).digest('hex').slice(0, KEY_LENGTH);
}

/** A line that a crash has cut is left out: its call has not run. */
function readKeys(path: string): string[] {
  try {
    return readFileSync(path, 'utf8')
      .split('\n')
      .filter((line) => line.length === KEY_LENGTH);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  }
}

function rewrite(path: string, keys: ReadonlySet<string>): void {
  const temporary = `${path}.new`;
  const file = openSync(temporary, 'w', 0o600);
  writeSync(file, [...keys].map((key) => `${key}\n`).join(''));
  fsyncSync(file);
  closeSync(file);
  renameSync(temporary, path);
}
