import { constants } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import type { StdoutLog as StdoutLogConfig } from '@a2c/config';
import { prepareLogFolder } from './log-path.js';
import { LogSegments } from './log-segments.js';

/** What may wait for a slow disk before the log gives up; the server never waits for it. */
const MAX_QUEUED_BYTES = 64 * 1024 * 1024;

/**
 * Writes what a server says to a file in parts of exactly `max_bytes_per_part`, cut wherever that falls: the parts in order
 * and then the file give the stream back. Lines over the message limit are not kept, and so not logged. A write that fails
 * ends the log, not the connection.
 */
export class StdoutLog {
  error: string | null = null;
  readonly #path: string;
  readonly #partBytes: number;
  readonly #segments: LogSegments;
  #file: FileHandle;
  #size: number;
  #queue: Buffer[] = [];
  #queuedBytes = 0;
  #writing: Promise<void> | undefined;
  #closed = false;

  static async open({ path, max_bytes_per_part, max_parts }: StdoutLogConfig, root: string): Promise<StdoutLog> {
    await prepareLogFolder(path, root);
    const segments = new LogSegments(path, max_parts);
    await segments.open();
    const file = await openForAppend(path);
    return new StdoutLog(path, max_bytes_per_part, segments, file, (await file.stat()).size);
  }

  private constructor(path: string, partBytes: number, segments: LogSegments, file: FileHandle, size: number) {
    this.#path = path;
    this.#partBytes = partBytes;
    this.#segments = segments;
    this.#file = file;
    this.#size = size;
  }

  /** `line` may be reused by the caller afterwards. */
  write(line: Buffer, newline: Buffer): void {
    if (this.error !== null || this.#closed) return;
    if (this.#queuedBytes > MAX_QUEUED_BYTES) {
      this.#fail(new Error('the disk does not keep up'));
      return;
    }
    const bytes = Buffer.concat([line, newline]);
    this.#queue.push(bytes);
    this.#queuedBytes += bytes.length;
    this.#writing ??= this.#drain();
  }

  /** Everything said so far is in the file. */
  async close(): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    await this.#writing;
    await this.#file.close().catch((error: Error) => this.#fail(error));
  }

  async #drain(): Promise<void> {
    try {
      while (this.#queue.length > 0) {
        const bytes = Buffer.concat(this.#queue);
        this.#queue = [];
        await this.#append(bytes);
        this.#queuedBytes -= bytes.length;
      }
    } catch (error) {
      this.#fail(error as Error);
    }
    this.#writing = undefined;
  }

  async #append(bytes: Buffer): Promise<void> {
    for (let at = 0; at < bytes.length; ) {
      if (this.#size >= this.#partBytes) await this.#rotate();
      const { bytesWritten } = await this.#file.write(
        bytes,
        at,
        Math.min(bytes.length - at, this.#partBytes - this.#size),
      );
      this.#size += bytesWritten;
      at += bytesWritten;
    }
  }

  async #rotate(): Promise<void> {
    await this.#file.close();
    await this.#segments.take();
    this.#file = await openForAppend(this.#path);
    this.#size = (await this.#file.stat()).size;
  }

  #fail(error: Error): void {
    this.error ??= `the log ${this.#path} was given up: ${error.message}`;
    this.#queue = [];
    this.#queuedBytes = 0;
  }
}

async function openForAppend(path: string): Promise<FileHandle> {
  const { O_APPEND, O_CREAT, O_NOFOLLOW, O_WRONLY } = constants;
  try {
    const file = await open(path, O_APPEND | O_CREAT | O_WRONLY | (O_NOFOLLOW ?? 0), 0o600);
    if ((await file.stat()).isFile()) return file;
    await file.close();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ELOOP') throw error;
    throw new Error(`the stdout_log ${path} is a symbolic link: delete it or choose another path`, { cause: error });
  }
  throw new Error(`the stdout_log ${path} is not a regular file: choose another path`);
}
