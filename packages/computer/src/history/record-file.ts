import { appendFile, mkdir, rename, rm, stat } from 'node:fs/promises';
import { dirname } from 'node:path';

/** Options of a record file. */
export interface RecordFileOptions {
  /** The file. Missing parent folders are created with mode 0700. */
  readonly path: string;
  /** A record that would make the file larger than this starts a new file. 16 MiB by default. */
  readonly maxBytes?: number;
  /** How many files are kept: `path`, `path.1`, `path.2` and so on. With 1, a full file is deleted. 4 by default. */
  readonly maxFiles?: number;
  /** Receives write errors and dropped records. */
  readonly onError?: (error: Error) => void;
}

const MAX_QUEUED_RECORDS = 10_000;

/** A file of records, one JSON document per line, mode 0600, rotated by size. */
export class RecordFile<T extends object> {
  readonly #path: string;
  readonly #maxBytes: number;
  readonly #maxFiles: number;
  readonly #onError: (error: Error) => void;
  #queued = 0;
  #last: Promise<void> = Promise.resolve();

  constructor({ path, maxBytes = 16 * 2 ** 20, maxFiles = 4, onError = () => {} }: RecordFileOptions) {
    this.#path = path;
    this.#maxBytes = maxBytes;
    this.#maxFiles = maxFiles;
    this.#onError = onError;
  }

  /** Queues a record and returns at once. A record that cannot be written is reported and dropped. */
  append(record: T): void {
    if (this.#queued >= MAX_QUEUED_RECORDS) {
      this.#onError(new Error(`${this.#path}: record dropped, the disk is too slow`));
      return;
    }
    this.#queued++;
    const line = `${JSON.stringify(record)}\n`;
    this.#last = this.#last
      .then(() => this.#write(line))
      .catch(this.#onError)
      .finally(() => {
        this.#queued--;
      });
  }

  /** Resolves when all records appended so far are written. */
  close(): Promise<void> {
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
