import { type FileHandle, mkdir, open, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { createLogger } from './logger.js';

/** Options of a {@link RecordFile}. */
export interface RecordFileOptions {
  /** The file. Missing parent folders are created with mode 0700. */
  readonly path: string;
  /** A record that would make the file larger than this starts a new file. 16 MiB by default. */
  readonly maxBytes?: number;
  /**
   * How many files are kept: `path`, `path.1`, `path.2` and so on, newest first. With 1, a full file is deleted. 4 by
   * default.
   */
  readonly maxFiles?: number;
  /**
   * How many records may be queued for a slow disk. Records beyond that are dropped and reported. 10,000 by default.
   */
  readonly maxQueuedRecords?: number;
  /** Receives write errors and dropped records. By default they are logged on stderr. */
  readonly onError?: (error: Error) => void;
}

/**
 * A file of records, one JSON document per line (JSON Lines), readable by its owner only (mode 0600) and rotated by
 * size. Records are written in the order of the `append` calls, also across a rotation.
 *
 * The file is opened for each batch of records, so it may be moved or deleted by other programs at any time.
 *
 * @example
 * ```ts
 * const file = new RecordFile<{ user: string; action: string }>({ path: '/var/log/app/actions.jsonl' });
 * file.append({ user: 'ann', action: 'login' });
 * await file.close();
 * ```
 */
export class RecordFile<T extends object> {
  readonly #path: string;
  readonly #maxBytes: number;
  readonly #maxFiles: number;
  readonly #maxQueued: number;
  readonly #onError: (error: Error) => void;
  #queue: string[] = [];
  /** Records in the queue and in the batch that is being written. */
  #unwritten = 0;
  #dropped = 0;
  #draining: Promise<void> | undefined;
  #closed = false;
  /** The last line may be incomplete: the write of an earlier process or our own was interrupted. */
  #checkLastLine = true;

  /** Nothing is written before the first record, so the constructor does not fail. */
  constructor(options: RecordFileOptions) {
    this.#path = options.path;
    this.#maxBytes = options.maxBytes ?? 16 * 2 ** 20;
    this.#maxFiles = options.maxFiles ?? 4;
    this.#maxQueued = options.maxQueuedRecords ?? 10_000;
    this.#onError = options.onError ?? logError;
  }

  /**
   * Queues a record. Returns at once and never throws: a record that cannot be written is reported to `onError` and
   * dropped.
   */
  append(record: T): void {
    if (this.#closed) {
      this.#onError(new Error(`${this.#path}: record dropped, the file is closed`));
      return;
    }
    if (this.#unwritten >= this.#maxQueued) {
      // One report when the queue fills up, one with the number when it is written: not one per record.
      if (this.#dropped++ === 0) {
        this.#onError(new Error(`${this.#path}: ${this.#maxQueued} records wait for the disk; dropping records`));
      }
      return;
    }
    try {
      this.#queue.push(`${JSON.stringify(record)}\n`);
    } catch (error) {
      this.#onError(new Error(`${this.#path}: record dropped, it is not JSON`, { cause: error }));
      return;
    }
    this.#unwritten++;
    this.#draining ??= this.#drain();
  }

  /** Resolves when all records appended so far are written or reported as lost. */
  async flush(): Promise<void> {
    await this.#draining;
  }

  /** Flushes and refuses further records. */
  close(): Promise<void> {
    this.#closed = true;
    return this.flush();
  }

  async #drain(): Promise<void> {
    await Promise.resolve(); // records appended in the same turn form one batch
    while (this.#queue.length > 0) {
      const batch = this.#queue;
      this.#queue = [];
      await this.#writeBatch(batch);
      this.#unwritten -= batch.length;
      if (this.#dropped > 0) {
        this.#onError(new Error(`${this.#path}: ${this.#dropped} records were dropped, the disk was too slow`));
        this.#dropped = 0;
      }
    }
    this.#draining = undefined;
  }

  /** Writes as many lines at a time as the file has room for. */
  async #writeBatch(lines: readonly string[]): Promise<void> {
    let written = 0;
    try {
      while (written < lines.length) written += await this.#writeSome(lines.slice(written));
    } catch (error) {
      this.#checkLastLine = true;
      const lost = lines.length - written;
      const what = lost === 1 ? '1 record' : `${lost} records`;
      this.#onError(new Error(`${this.#path}: cannot write ${what}: ${(error as Error).message}`, { cause: error }));
    }
  }

  /** Returns how many lines were written; 0 after a rotation. */
  async #writeSome(lines: readonly string[]): Promise<number> {
    const file = await this.#open();
    try {
      const { size } = await file.stat();
      const separator = this.#checkLastLine && (await endsInsideLine(file, size)) ? '\n' : '';
      const count = linesThatFit(lines, this.#maxBytes - size - separator.length);
      if (count > 0 || size === 0) {
        await file.appendFile(separator + lines.slice(0, count || 1).join(''));
        this.#checkLastLine = false;
        return count || 1;
      }
    } finally {
      await file.close();
    }
    await this.#rotate();
    return 0;
  }

  async #open(): Promise<FileHandle> {
    try {
      return await open(this.#path, 'a+', 0o600);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
      await mkdir(dirname(this.#path), { recursive: true, mode: 0o700 });
      return open(this.#path, 'a+', 0o600);
    }
  }

  async #rotate(): Promise<void> {
    if (this.#maxFiles <= 1) return rm(this.#path, { force: true });
    for (let i = this.#maxFiles - 1; i >= 1; i--) {
      const from = i === 1 ? this.#path : `${this.#path}.${i - 1}`;
      await rename(from, `${this.#path}.${i}`).catch((error: NodeJS.ErrnoException) => {
        if (error.code !== 'ENOENT') throw error;
      });
    }
  }
}

function linesThatFit(lines: readonly string[], bytes: number): number {
  let left = bytes;
  const index = lines.findIndex((line) => {
    left -= Buffer.byteLength(line);
    return left < 0;
  });
  return index === -1 ? lines.length : index;
}

async function endsInsideLine(file: FileHandle, size: number): Promise<boolean> {
  if (size === 0) return false;
  const { buffer, bytesRead } = await file.read(Buffer.alloc(1), 0, 1, size - 1);
  return bytesRead === 1 && buffer[0] !== 0x0a;
}

function logError(error: Error): void {
  createLogger('a2c-log').error({ err: error }, 'cannot write records');
}
