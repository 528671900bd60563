import { createHash, randomUUID } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, rmSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import { LedgerFile, syncFolder } from './ledger-file.js';

/** Returns whose line with a key is the first; undefined if there is none. */
type FirstOwner = (key: string) => string | undefined;

/** A call that another process may have started. */
export interface EarlierCall {
  /** In milliseconds since 1970. */
  readonly firstSentAt: number;
  /** The epoch of the process that it was first sent to. */
  readonly epoch: string | undefined;
}

/**
 * The ids of started calls on the disk. An id is there before its call runs, so that the next process knows it after a
 * crash. Ids that are added while a write is pending share the next write.
 *
 * Several processes can use one ledger without a lock, because no line is ever changed or moved: each process appends,
 * then reads what all have appended, and the first line with an id decides who runs the call. A file of `maxCalls`
 * lines is followed by a file with the next number, and is removed when that one has a successor too. A process that
 * has appended to a file and then finds a successor appends to that one again: those who opened it earlier may not have
 * seen the late line.
 *
 * So the ledger knows the calls since the time at which its older file was begun, of the processes with lines in it.
 * Whether an earlier call has run, or a call of a process without a line, is not known: such a process may have had no
 * ledger, or another one.
 */
export class CallLedger {
  readonly #path: string;
  readonly #maxCalls: number;
  /** Distinguishes the lines of this ledger from those of other processes. */
  readonly #owner: string;
  /** The file before the current one. */
  #previous: LedgerFile | undefined;
  /** From when on all calls are known, in milliseconds since 1970. */
  #completeSince = Number.NEGATIVE_INFINITY;
  #current: LedgerFile;
  #waiting: string[] = [];
  #writing: Promise<unknown> = Promise.resolve();
  #next: Promise<FirstOwner> | undefined;
  #isClosed = false;

  /**
   * @param epoch a random id of the Computer that writes the lines
   * @throws The files cannot be read or written.
   */
  constructor(path: string, maxCalls: number, epoch: string = randomUUID()) {
    this.#path = path;
    this.#maxCalls = maxCalls;
    this.#owner = ownerOf(epoch);
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    this.#current = this.#open(0);
  }

  /**
   * Whether a call may have been started, as far as this process has read the ledger.
   *
   * @param earlier a call that another process may have started: when it was first sent and, if known, to which one
   */
  has(id: string, earlier?: EarlierCall): boolean {
    if (earlier && earlier.firstSentAt < this.#completeSince) return true;
    const files = [this.#previous, this.#current];
    const writer = earlier?.epoch === undefined ? undefined : ownerOf(earlier.epoch);
    if (writer !== undefined && !files.some((file) => file?.writers.has(writer))) return true;
    const key = hashOf(id);
    return files.some((file) => file?.owners.has(key));
  }

  /**
   * Resolves when the id is on the disk: to true if this process may run the call, to false if another one has the id.
   *
   * @throws The id cannot be written.
   */
  async add(id: string): Promise<boolean> {
    const key = hashOf(id);
    this.#waiting.push(key);
    this.#next ??= this.#writing.then(() => this.#write());
    const owner = (await this.#next)(key);
    if (owner === undefined) throw new Error('the line in the ledger of calls was cut');
    return owner === this.#owner;
  }

  async close(): Promise<void> {
    await this.#next?.catch(() => {}); // Reported to the call.
    await this.#writing;
    this.#isClosed = true;
    this.#current.close();
  }

  #write(): Promise<FirstOwner> {
    const keys = this.#waiting.splice(0);
    this.#next = undefined;
    const written = this.#append(keys.map((key) => `${key}-${this.#owner}`));
    this.#writing = written.catch(() => {});
    return written;
  }

  async #append(lines: readonly string[]): Promise<FirstOwner> {
    if (this.#isClosed) throw new Error('the ledger of calls is closed');
    if (this.#current.owners.size >= this.#maxCalls) this.#moveTo(this.#current.number + 1);
    for (;;) {
      await this.#current.append(lines);
      const { number } = this.#current;
      if (this.#current.isLinked() && !existsSync(this.#pathOf(number + 1))) break;
      this.#moveTo(number);
    }
    this.#current.read();
    const previous = this.#previous;
    const { owners } = this.#current;
    return (key) => {
      const earlier = previous?.owners.get(key);
      // A late line of this process in the previous file does not count: others may not have seen it.
      return earlier === undefined || earlier === this.#owner ? owners.get(key) : earlier;
    };
  }

  #moveTo(atLeast: number): void {
    const old = this.#current;
    this.#current = this.#open(atLeast);
    old.close();
  }

  /** Opens the newest file, and reads it and the one before it. Creates the file with this number if none is newer. */
  #open(atLeast: number): LedgerFile {
    for (;;) {
      const number = Math.max(atLeast, ...this.#numbers());
      const file = new LedgerFile(this.#pathOf(number), number);
      try {
        this.#previous = number === 0 ? undefined : LedgerFile.readAll(this.#pathOf(number - 1), number - 1);
        file.begin();
        file.read();
        this.#completeSince = completeSince(this.#previous ?? file);
        syncFolder(dirname(this.#path));
        const numbers = this.#numbers();
        if (Math.max(...numbers) === number) {
          this.#remove(numbers.filter((each) => each < number - 1));
          return file;
        }
      } catch (error) {
        file.close();
        throw error;
      }
      file.close(); // Another process has created the next file meanwhile.
    }
  }

  /** Oldest first, so that a file without a successor is the newest one or was removed itself. */
  #remove(numbers: readonly number[]): void {
    for (const number of numbers.toSorted((a, b) => a - b)) rmSync(this.#pathOf(number), { force: true });
  }

  #pathOf(number: number): string {
    return number === 0 ? this.#path : `${this.#path}.${number}`;
  }

  /** The numbers of the existing files. The first file has none in its name. */
  #numbers(): number[] {
    const name = basename(this.#path);
    return readdirSync(dirname(this.#path))
      .filter((each) => each.startsWith(name) && /^(?:\.[1-9]\d{0,8})?$/.test(each.slice(name.length)))
      .map((each) => Number(each.slice(name.length + 1)));
  }
}

/** Such as of office, agent and `req_id`: the file shows nothing of them. */
function hashOf(id: string): string {
  return createHash('sha256').update(id).digest('hex').slice(0, 32);
}

/** The name of a process in its lines. */
function ownerOf(epoch: string): string {
  return hashOf(epoch).slice(0, 16);
}

/** From when on nothing is missing, if this is the oldest file. A file of an earlier version does not say it. */
function completeSince({ number, begunAt }: LedgerFile): number {
  return begunAt ?? (number === 0 ? Number.NEGATIVE_INFINITY : Number.POSITIVE_INFINITY);
}
