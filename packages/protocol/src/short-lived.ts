// Collections for entries that come and go with every call. When a `Map` or a `Set` grows or is compacted, its former
// table refers to the new one. Once such a table is in the old generation of the heap, it keeps all later tables and
// their entries until the next full collection, and every small collection copies them. These collections do not.

/** An entry of a {@link Bag}, by which it is removed. */
export interface BagEntry<T> {
  readonly value: T;
  /** Its place; negative when it was removed. */
  index: number;
}

/** Values without order. Adding and removing takes constant time. */
export class Bag<T> {
  readonly #entries: BagEntry<T>[] = [];

  /** The number of values. */
  get size(): number {
    return this.#entries.length;
  }

  /** Returns the entry by which the value is removed. */
  add(value: T): BagEntry<T> {
    const entry = { value, index: this.#entries.length };
    this.#entries.push(entry);
    return entry;
  }

  /** Returns false if the entry was removed already. It must be of this bag. */
  remove(entry: BagEntry<T>): boolean {
    if (entry.index < 0) return false;
    const last = this.#entries.pop() as BagEntry<T>;
    if (last !== entry) {
      this.#entries[entry.index] = last;
      last.index = entry.index;
    }
    entry.index = -1;
    return true;
  }

  /** The values at this time. */
  values(): T[] {
    return this.#entries.map(({ value }) => value);
  }
}

/** A map for entries that are removed soon. */
export class ShortLivedMap<K extends string | number, V> {
  readonly #values = Object.create(null) as Record<K, V | undefined>;
  #size = 0;

  /** The number of entries. */
  get size(): number {
    return this.#size;
  }

  /** The value of a key. */
  get(key: K): V | undefined {
    return this.#values[key];
  }

  /** Adds or replaces the value of a key. */
  set(key: K, value: V): void {
    if (this.#values[key] === undefined) this.#size++;
    this.#values[key] = value;
  }

  /** Returns the value that was removed. */
  remove(key: K): V | undefined {
    const value = this.#values[key];
    if (value === undefined) return undefined;
    this.#size--;
    delete this.#values[key];
    return value;
  }

  /** The values at this time. */
  values(): V[] {
    return Object.values(this.#values) as V[];
  }

  /** The keys at this time, as strings. */
  keys(): string[] {
    return Object.keys(this.#values);
  }
}
