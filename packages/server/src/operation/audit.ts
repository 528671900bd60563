import { once } from 'node:events';
import { createWriteStream, type WriteStream } from 'node:fs';
import { mkdir, rename, stat } from 'node:fs/promises';
import { dirname } from 'node:path';

/** Who did what, where, with which verdict. Never arguments, never results. */
export interface AuditRecord {
  readonly time: string;
  readonly event: string;
  readonly verdict: string;
  readonly code?: number;
  readonly subject: string;
  readonly address: string;
  readonly sid?: string;
  readonly role?: string;
  readonly office?: string;
  readonly name?: string;
  /** Identifiers the request named: `computer`, `tool`, `req_id`, `asked_office`. */
  readonly [identifier: string]: string | number | undefined;
}

export interface AuditSink {
  record(entry: AuditRecord): void;
  close(): Promise<void>;
}

export interface AuditFileOptions {
  readonly path: string;
  /** A full file becomes `path.1`, that one `path.2`, and so on. */
  readonly maxBytes?: number;
  readonly maxFiles?: number;
  readonly onError?: (error: Error) => void;
}

/** What may wait for a slow disk. */
const MAX_WAITING_LINES = 100_000;

/** JSON Lines in a file that only its owner may read, rotated by size. Lines are written in order, also across a rotation. */
export class AuditFile implements AuditSink {
  readonly #path: string;
  readonly #maxBytes: number;
  readonly #maxFiles: number;
  readonly #onError: (error: Error) => void;
  #lines: string[] = [];
  #writing: Promise<void> | undefined;
  #stream: WriteStream | undefined;
  #bytes = 0;

  constructor({ path, maxBytes = 64 * 2 ** 20, maxFiles = 8, onError = () => {} }: AuditFileOptions) {
    this.#path = path;
    this.#maxBytes = maxBytes;
    this.#maxFiles = maxFiles;
    this.#onError = onError;
  }

  record(entry: AuditRecord): void {
    if (this.#lines.length >= MAX_WAITING_LINES) {
      this.#onError(new Error(`the audit log ${this.#path} cannot keep up; a record was dropped`));
      return;
    }
    this.#lines.push(`${JSON.stringify(entry)}\n`);
    this.#writing ??= this.#drain()
      .catch(this.#onError)
      .finally(() => {
        this.#writing = undefined;
      });
  }

  async close(): Promise<void> {
    while (this.#writing !== undefined) await this.#writing;
    await this.#end();
  }

  async #drain(): Promise<void> {
    while (this.#lines.length > 0) {
      const batch = this.#lines;
      this.#lines = [];
      for (const line of batch) await this.#write(line).catch(this.#onError);
    }
  }

  async #write(line: string): Promise<void> {
    const size = Buffer.byteLength(line);
    this.#stream ??= await this.#open();
    if (this.#bytes > 0 && this.#bytes + size > this.#maxBytes) {
      await this.#rotate();
      this.#stream = await this.#open();
    }
    this.#bytes += size;
    await this.#append(this.#stream, line);
  }

  /** Waits until the line is out of our hands; a disk that refuses it costs this line and the stream. */
  #append(stream: WriteStream, line: string): Promise<void> {
    return new Promise((resolve, reject) => {
      stream.write(line, (error) => {
        if (!error) return resolve();
        this.#stream = undefined;
        return reject(error);
      });
    });
  }

  async #open(): Promise<WriteStream> {
    await mkdir(dirname(this.#path), { recursive: true });
    const stream = createWriteStream(this.#path, { flags: 'a', mode: 0o600 });
    await once(stream, 'open');
    stream.on('error', () => {}); // reported where it happens, by the write that failed
    this.#bytes = (await stat(this.#path)).size;
    return stream;
  }

  async #rotate(): Promise<void> {
    await this.#end();
    for (let i = this.#maxFiles - 1; i >= 1; i--) {
      const from = i === 1 ? this.#path : `${this.#path}.${i - 1}`;
      await rename(from, `${this.#path}.${i}`).catch((error: NodeJS.ErrnoException) => {
        if (error.code !== 'ENOENT') throw error;
      });
    }
  }

  async #end(): Promise<void> {
    const stream = this.#stream;
    this.#stream = undefined;
    if (stream) await new Promise<void>((resolve) => stream.end(resolve));
  }
}
