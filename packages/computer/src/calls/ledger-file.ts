import { appendFile, closeSync, fdatasync, fstatSync, fsyncSync, openSync, readSync } from 'node:fs';
import { promisify } from 'node:util';

/** The keys of the lines of a file, and who wrote the first line with each. */
export type LineOwners = ReadonlyMap<string, string>;

const append = promisify(appendFile);
const datasync = promisify(fdatasync);

/** A key, and the process that wrote the line; earlier versions wrote none. A line that was cut is left out. */
const LINE = /^([0-9a-f]{32})(?:-([0-9a-f]{16}))?$/;

const CHUNK_BYTES = 65_536;

/** One file of the ledger of calls: lines are appended, by any number of processes, and read in their order. */
export class LedgerFile {
  readonly number: number;
  readonly #file: number;
  readonly #owners = new Map<string, string>();
  #position = 0;
  /** The end of what was read, without a line feed. */
  #unfinished = '';

  /** Creates the file if it does not exist. */
  constructor(path: string, number: number, flags: 'a+' | 'r' = 'a+') {
    this.number = number;
    this.#file = openSync(path, flags, 0o600);
  }

  /** The lines of a file; none if it does not exist. */
  static readAll(path: string): LineOwners {
    try {
      const file = new LedgerFile(path, 0, 'r');
      try {
        file.read();
        return file.owners;
      } finally {
        file.close();
      }
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return new Map();
      throw error;
    }
  }

  get owners(): LineOwners {
    return this.#owners;
  }

  /** Resolves when the lines are on the disk. The line feed before them ends a line that a full disk has cut. */
  async append(lines: readonly string[]): Promise<void> {
    await append(this.#file, `\n${lines.join('\n')}\n`);
    await datasync(this.#file);
  }

  /** Reads what was appended since the last time, by any process. */
  read(): void {
    const chunk = Buffer.allocUnsafe(CHUNK_BYTES);
    for (;;) {
      const length = readSync(this.#file, chunk, 0, CHUNK_BYTES, this.#position);
      if (length === 0) return;
      this.#position += length;
      const lines = (this.#unfinished + chunk.toString('latin1', 0, length)).split('\n');
      this.#unfinished = lines.pop() ?? '';
      for (const line of lines) {
        const [, key, owner = ''] = LINE.exec(line) ?? [];
        if (key !== undefined && !this.#owners.has(key)) this.#owners.set(key, owner);
      }
    }
  }

  /** False if the file was removed. */
  isLinked(): boolean {
    return fstatSync(this.#file).nlink > 0;
  }

  close(): void {
    closeSync(this.#file);
  }
}

/** Makes new files of a folder durable. Windows cannot open folders and needs no sync. */
export function syncFolder(folder: string): void {
  if (process.platform === 'win32') return;
  const file = openSync(folder, 'r');
  try {
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}
