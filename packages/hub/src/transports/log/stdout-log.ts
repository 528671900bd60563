import { constants } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import type { StdoutLog as StdoutLogConfig } from '@a2c/config';
import { prepareLogFolder } from './log-path.js';
import { LogSegments } from './log-segments.js';

/** How much may be queued for a slow disk before the log is closed. The server never waits for the log. */
const MAX_QUEUED_BYTES = 64 * 1024 * 1024;

/**
 * Writes the output of a server to a file, in segments of exactly `max_bytes_per_part`: the segments and then the file
 * are the output. Lines over the message limit are not logged. A write error ends the log, not the connection.
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

  /** Copies `line`: the caller may reuse it. */
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

  /** Writes all queued lines and closes the file. */
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
    this.error ??= `the log ${this.#path} was closed: ${error.message}`;
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
