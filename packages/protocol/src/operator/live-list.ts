/** A change of a {@link LiveList}, as it is sent to operators. */
export interface ListChange<T> {
  /** True for the first change: `set` is the whole list. */
  readonly reset?: true;
  /** Items that are new or changed. */
  readonly set: readonly T[];
  /** The ids of items that are gone. */
  readonly gone: readonly string[];
}

/** Changes within this time are one change. */
const FLUSH_MS = 100;

/** Options of a {@link LiveList}. */
export interface LiveListOptions<T> {
  /** Identifies an item. */
  readonly id: (item: T) => string;
  /** The number of items that are kept. The oldest are removed first. By default all are kept. */
  readonly limit?: number;
}

/**
 * A list of items with ids that is followed by any number of listeners. Each receives the whole list first, then the
 * changes, several within a tenth of a second as one. Nothing runs without a listener.
 *
 * @example
 * ```ts
 * const calls = new LiveList<Call>({ id: ({ id }) => id, limit: 1_000 });
 * const stop = calls.follow(({ set }) => console.log(set.length));
 * calls.set({ id: '1', tool: 'now' });
 * stop();
 * ```
 */
export class LiveList<T> {
  readonly #items = new Map<string, T>();
  readonly #changed = new Set<string>();
  readonly #listeners = new Set<(change: ListChange<T>) => void>();
  readonly #options: LiveListOptions<T>;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(options: LiveListOptions<T>) {
    this.#options = options;
  }

  /** The items, oldest first. */
  get items(): readonly T[] {
    return [...this.#items.values()];
  }

  /** Returns one item. */
  get(id: string): T | undefined {
    return this.#items.get(id);
  }

  /** Adds an item, or replaces the one with the same id at its place. */
  set(item: T): void {
    const id = this.#options.id(item);
    this.#items.set(id, item);
    this.#touch(id);
    const { limit = Number.POSITIVE_INFINITY } = this.#options;
    for (const oldest of this.#items.keys()) {
      if (this.#items.size <= limit) break;
      this.remove(oldest);
    }
  }

  /** Removes an item. Returns false if there is none with this id. */
  remove(id: string): boolean {
    const isKnown = this.#items.delete(id);
    if (isKnown) this.#touch(id);
    return isKnown;
  }

  /** Replaces the whole list. Only items that differ are sent to listeners. */
  replace(items: readonly T[]): void {
    const ids = new Set(items.map(this.#options.id));
    for (const id of this.#items.keys()) if (!ids.has(id)) this.remove(id);
    for (const item of items) {
      const before = this.#items.get(this.#options.id(item));
      if (before === undefined || JSON.stringify(before) !== JSON.stringify(item)) this.set(item);
    }
  }

  /** Adds a listener, which receives the whole list at once. Returns a function that removes it. */
  follow(listener: (change: ListChange<T>) => void): () => void {
    this.#flush();
    this.#listeners.add(listener);
    listener({ reset: true, set: this.items, gone: [] });
    return () => void this.#listeners.delete(listener);
  }

  #touch(id: string): void {
    if (this.#listeners.size === 0) return;
    this.#changed.add(id);
    this.#timer ??= setTimeout(() => this.#flush(), FLUSH_MS);
  }

  #flush(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    if (this.#changed.size === 0) return;
    const ids = [...this.#changed];
    this.#changed.clear();
    const set = ids.flatMap((id) => this.#items.get(id) ?? []);
    const gone = ids.filter((id) => !this.#items.has(id));
    for (const listener of [...this.#listeners]) listener({ set, gone });
  }
}
