import { appendFile, mkdir, rename, rm, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { ToolCallRecord } from './call-history.js';

export interface HistoryFileOptions {
  readonly path: string;
  /** A full file becomes `path.1`, that one `path.2`, and so on. */
  readonly maxBytes?: number;
  /** The present one included; with 1, a full file is begun anew. */
  readonly maxFiles?: number;
}

/** What may wait for a slow disk. */
const MAX_WAITING_RECORDS = 10_000;

/** JSON Lines in a file that only its owner may read, rotated by size. */
export class HistoryFile {
  readonly #path: string;
  readonly #maxBytes: number;
  readonly #maxFiles: number;
  readonly #onError: (error: Error) => void;
  #waiting = 0;
  #last: Promise<void> = Promise.resolve();

  constructor(
    { path, maxBytes = 16 * 2 ** 20, maxFiles = 4 }: HistoryFileOptions,
    onError: (error: Error) => void = () => {},
  ) {
    this.#path = path;
    this.#maxBytes = maxBytes;
    this.#maxFiles = maxFiles;
    this.#onError = onError;
  }

  /** Returns at once; a disk that refuses costs this record, not the call. */
  add(record: ToolCallRecord): void {
    if (this.#waiting >= MAX_WAITING_RECORDS) {
      this.#onError(new Error(`the history ${this.#path} cannot keep up; a record was dropped`));
      return;
    }
    this.#waiting++;
    const line = `${JSON.stringify(record)}\n`;
    this.#last = this.#last
      .then(() => this.#write(line))
      .catch(this.#onError)
      .finally(() => {
        this.#waiting--;
      });
  }

  /** When everything added so far is written. */
  flush(): Promise<void> {
    return this.#last;
  }

  async #write(line: string): Promise<void> {
    const size = await sizeOf(this.#path);
    if (size === undefined) await mkdir(dirname(this.#path), { recursive: true, mode: 0o700 });
    else if (size > 0 && size + Buffer.byteLength(line) > this.#maxBytes) await this.#rotate();
    await appendFile(this.#path, line, { mode: 0o600 });
  }

  async #rotate(): Promise<void> {
    if (this.#maxFiles <= 1) return rm(this.#path, { force: true });
    for (let i = this.#maxFiles - 1; i >= 1; i--) {
      const from = i === 1 ? this.#path : `${this.#path}.${i - 1}`;
      await rename(from, `${this.#path}.${i}`).catch(ignoreMissing);
    }
  }
}

async function sizeOf(path: string): Promise<number | undefined> {
  return (await stat(path).catch(ignoreMissing))?.size;
}

function ignoreMissing(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'ENOENT') throw error;
}
