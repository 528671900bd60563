import { appendFile, appendFileSync, closeSync, fdatasync, fstatSync, fsyncSync, openSync, readSync } from 'node:fs';
import { promisify } from 'node:util';

/** The keys of the lines of a file, and who wrote the first line with each. */
export type LineOwners = ReadonlyMap<string, string>;

const append = promisify(appendFile);
const datasync = promisify(fdatasync);

/** A key, and the process that wrote the line; earlier versions wrote none. A line that was cut is left out. */
const LINE = /^([0-9a-f]{32})(?:-([0-9a-f]{16}))?$/;

/** When the file was begun, in milliseconds since 1970. */
const BEGIN = /^@(\d{13,15})$/;

const CHUNK_BYTES = 65_536;

/** One file of the ledger of calls: lines are appended, by any number of processes, and read in their order. */
export class LedgerFile {
  readonly number: number;
  readonly #file: number;
  readonly #owners = new Map<string, string>();
  readonly #writers = new Set<string>();
  #begunAt: number | undefined;
  #position = 0;
  /** The end of what was read, without a line feed. */
  #unfinished = '';

  /** Creates the file if it does not exist. */
  constructor(path: string, number: number, flags: 'a+' | 'r' = 'a+') {
    this.number = number;
    this.#file = openSync(path, flags, 0o600);
  }

  /** Reads a whole file; undefined if it does not exist. */
  static readAll(path: string, number: number): LedgerFile | undefined {
    try {
      const file = new LedgerFile(path, number, 'r');
      try {
        file.read();
        return file;
      } finally {
        file.close();
      }
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
      throw error;
    }
  }

  /** When the file was begun; undefined if an earlier version has begun it. */
  get begunAt(): number | undefined {
    return this.#begunAt;
  }

  /** Writes the time if the file is empty. */
  begin(): void {
    if (fstatSync(this.#file).size === 0) appendFileSync(this.#file, `@${Date.now()}\n`);
  }

  get owners(): LineOwners {
    return this.#owners;
  }

  /** The processes with a line in the file. */
  get writers(): ReadonlySet<string> {
    return this.#writers;
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
        const begin = BEGIN.exec(line)?.[1];
        if (begin !== undefined) this.#begunAt ??= Number(begin);
        const [, key, owner = ''] = LINE.exec(line) ?? [];
        if (key === undefined) continue;
        this.#writers.add(owner);
        if (!this.#owners.has(key)) this.#owners.set(key, owner);
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
