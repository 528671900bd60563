import { createHash, randomUUID } from 'node:crypto';
import { link, open, readdir, rm, stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { isVerifiable, type LockOwner, mayBeAlive, ownerOf } from './lock-owner.js';
import { makePrivateFolder, readIfPresent } from './private-file.js';
import { replaceFile, TEMPORARY_FILE } from './replace-file.js';
import { userStateFolder } from './user-folder.js';

const POLL_MS = 25;
/** A lock whose owner cannot be verified is free after this time. Holders finish earlier: requests have a limit. */
const MAX_HELD_MS = 120_000;
const MAX_TEMPORARY_MS = 600_000;
/** How long to wait for work that takes milliseconds: its process may be stopped. */
export const SHORT_WORK_MS = 10_000;

interface Content {
  /** Empty: the lock was released. */
  readonly owners: readonly LockOwner[];
}

/** A lock that is held by this process. */
export interface HeldLock {
  /** Lets another process hold the lock too: it stays locked until both have ended or the lock is released. */
  share(pid: number): Promise<void>;
}

/** How to wait for a lock. */
export interface LockOptions<T> {
  /** Called while waiting; returns a value when the work is no longer needed. */
  readonly isObsolete?: () => Promise<T | undefined>;
  readonly signal?: AbortSignal | undefined;
  /** How long to wait for other processes; without a limit by default. */
  readonly waitMs?: number;
}

/**
 * A lock between processes that ends with its owner, also when that is killed.
 *
 * Each acquisition creates a file with the next number. `link` creates it atomically and with its content, so exactly
 * one process gets a number. The highest number is the present owner. A file is removed only after a file with a
 * higher number exists, so there is never a moment without an owner, and a process that is late finds a higher number.
 */
export class ProcessLock {
  readonly #folder: string;
  readonly #name: string;

  /**
   * @param folder A folder for locks only.
   * @param name The name of the lock in it, without a dot.
   */
  constructor(folder: string, name: string) {
    this.#folder = folder;
    this.#name = name;
  }

  /**
   * Runs `work` while no other process holds the lock.
   *
   * @throws Error that names the file of the lock if it is held for too long or is damaged
   */
  async run<T>(
    work: (lock: HeldLock) => Promise<T>,
    { isObsolete, signal, waitMs = Number.POSITIVE_INFINITY }: LockOptions<T> = {},
  ): Promise<T> {
    await makePrivateFolder(this.#folder);
    const giveUpAt = performance.now() + waitMs;
    for (;;) {
      signal?.throwIfAborted();
      const result = await isObsolete?.();
      if (result !== undefined) return result;
      const number = await this.#tryAcquire();
      if (number !== undefined) return this.#hold(number, work);
      if (performance.now() > giveUpAt) throw await this.#heldForTooLong();
      await sleep(POLL_MS * (0.5 + Math.random()));
    }
  }

  async #heldForTooLong(): Promise<Error> {
    const [highest = 0] = await this.#numbers();
    const text = (await readIfPresent(this.#path(highest))) ?? '{"owners":[]}';
    const pids = this.#parse(text, highest).owners.map(({ pid }) => pid);
    const holder = pids.length > 0 ? `process ${pids.join(' and ')}` : 'another process';
    return new Error(`${this.#path(highest)}: ${holder} does not release this lock; end it, or delete the file`);
  }

  async #hold<T>(number: number, work: (lock: HeldLock) => Promise<T>): Promise<T> {
    const write = (owners: readonly LockOwner[]) =>
      replaceFile(this.#path(number), JSON.stringify({ owners }), { isDurable: true });
    try {
      return await work({ share: (pid) => write([ownerOf(process.pid), ownerOf(pid)]) });
    } finally {
      await write([]).catch(() => this.#releaseInPlace(number));
    }
  }

  /** A full disk has no room for a new file. */
  async #releaseInPlace(number: number): Promise<void> {
    const file = await open(this.#path(number), 'r+');
    try {
      const { size } = await file.stat();
      await file.write(JSON.stringify({ owners: [] } satisfies Content).padEnd(size), 0);
    } finally {
      await file.close();
    }
  }

  /** Returns the number of this acquisition; undefined if another process has the lock. */
  async #tryAcquire(): Promise<number | undefined> {
    const [highest = 0] = await this.#numbers();
    if (highest > 0 && !(await this.#isFree(highest))) return undefined;
    const number = highest + 1;
    if (!(await this.#create(number))) return undefined;
    const [present, ...older] = await this.#numbers();
    if (present !== number) {
      // This number was used and removed since it was read.
      await rm(this.#path(number), { force: true });
      return undefined;
    }
    await Promise.all(older.map((each) => rm(this.#path(each), { force: true })));
    return number;
  }

  async #create(number: number): Promise<boolean> {
    const prepared = join(this.#folder, `${TEMPORARY_FILE}${randomUUID()}`);
    try {
      await replaceFile(prepared, JSON.stringify({ owners: [ownerOf(process.pid)] } satisfies Content), {
        isDurable: true,
      });
      await link(prepared, this.#path(number));
      return true;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
      throw error;
    } finally {
      await rm(prepared, { force: true });
    }
  }

  async #isFree(number: number): Promise<boolean> {
    const text = await readIfPresent(this.#path(number));
    if (text === undefined) return false; // A higher number exists.
    const { owners } = this.#parse(text, number);
    if (!owners.some(mayBeAlive)) return true;
    if (owners.every(isVerifiable)) return false;
    return (await ageOf(this.#path(number))) > MAX_HELD_MS;
  }

  #parse(text: string, number: number): Content {
    try {
      return JSON.parse(text) as Content;
    } catch (cause) {
      throw new Error(`${this.#path(number)}: not the file of a lock; delete it`, { cause });
    }
  }

  /** All numbers, highest first. Also removes what killed processes left. */
  async #numbers(): Promise<number[]> {
    const names = await readdir(this.#folder);
    for (const name of names.filter((each) => each.startsWith(TEMPORARY_FILE))) {
      const path = join(this.#folder, name);
      if ((await ageOf(path)) > MAX_TEMPORARY_MS) await rm(path, { force: true });
    }
    return names
      .filter((name) => name.startsWith(`${this.#name}.`))
      .map((name) => Number(name.slice(this.#name.length + 1)))
      .filter(Number.isSafeInteger)
      .toSorted((a, b) => b - a);
  }

  #path(number: number): string {
    return join(this.#folder, `${this.#name}.${number}`);
  }
}

/**
 * Runs `work`, which reads a file and replaces it, while no other process of the user does. The lock is in the user's
 * state folder: the folder of the file may be one of a project, which must not decide about it.
 */
export function whileLocked<T>(file: string, work: () => Promise<T>): Promise<T> {
  const name = createHash('sha256').update(resolve(file)).digest('hex').slice(0, 32);
  return new ProcessLock(join(userStateFolder(), 'locks'), name).run(work, { waitMs: SHORT_WORK_MS });
}

async function ageOf(path: string): Promise<number> {
  try {
    return Date.now() - (await stat(path)).mtimeMs;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return 0;
    throw error;
  }
}
