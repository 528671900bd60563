import { type FSWatcher, watch } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';

/** How often folders are read where the system cannot watch them. */
const POLL_MS = 2_000;

/**
 * Calls back when something changes in a folder or in a folder directly below it. A change can be reported more than
 * once. Where the system cannot watch, or `polling` is set, it calls back in intervals.
 */
export class SkillWatcher {
  readonly #folder: string;
  readonly #file: string | undefined;
  readonly #onChange: () => void;
  readonly #watchers = new Map<string, FSWatcher>();
  #poll: NodeJS.Timeout | undefined;
  #isClosed = false;

  /** @param options `file`: also this file, in a folder that exists. */
  constructor(
    folder: string,
    onChange: () => void,
    { polling = false, file }: { polling?: boolean; file?: string } = {},
  ) {
    this.#file = file;
    this.#folder = folder;
    this.#onChange = onChange;
    if (polling) this.#startPolling();
  }

  /** Watches the folders that exist now. Call it again after a change: there may be new ones. */
  async refresh(): Promise<void> {
    const entries = await readdir(this.#folder, { withFileTypes: true }).catch(() => []);
    const below = entries.filter((entry) => !entry.isFile()).map(({ name }) => join(this.#folder, name));
    const ofFile = this.#file === undefined ? [] : [dirname(this.#file)];
    const wanted = new Set([...ofFile, this.#folder, ...below]);
    for (const [path, watcher] of this.#watchers) if (!wanted.has(path)) this.#unwatch(path, watcher);
    for (const path of wanted) this.#watch(path);
  }

  close(): void {
    this.#isClosed = true;
    clearInterval(this.#poll);
    for (const [path, watcher] of this.#watchers) this.#unwatch(path, watcher);
  }

  #watch(path: string): void {
    if (this.#isClosed || this.#poll !== undefined || this.#watchers.has(path)) return;
    try {
      const watcher = watch(path, { persistent: false }, (_, name) => {
        const isOther = this.#file !== undefined && path === dirname(this.#file) && name !== basename(this.#file);
        if (!isOther) this.#onChange();
      });
      watcher.on('error', () => this.#unwatch(path, watcher));
      this.#watchers.set(path, watcher);
    } catch (error) {
      // A folder that vanished meanwhile is reported by its parent. Other errors: the system has no watches left.
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') this.#startPolling();
    }
  }

  #unwatch(path: string, watcher: FSWatcher): void {
    this.#watchers.delete(path);
    watcher.close();
  }

  #startPolling(): void {
    this.#poll ??= setInterval(() => this.#onChange(), POLL_MS).unref();
  }
}
