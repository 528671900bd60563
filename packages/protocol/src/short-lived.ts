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

/** So many entries are searched one after the other. */
const FEW = 8;

/** A map for entries that are removed soon. Adding a key to an object, and deleting it, takes longer than a search. */
export class ShortLivedMap<K extends string | number, V> {
  /** The entries in their order, as long as they are few. The arrays keep their length, or they would be replaced. */
  readonly #keys: (K | undefined)[] = new Array(FEW).fill(undefined);
  readonly #values: (V | undefined)[] = new Array(FEW).fill(undefined);
  /** All entries, from when they were many until there are none. */
  #many: Record<K, V | undefined> | undefined;
  #size = 0;

  /** The number of entries. */
  get size(): number {
    return this.#size;
  }

  /** The value of a key. */
  get(key: K): V | undefined {
    if (this.#many) return this.#many[key];
    const place = this.#placeOf(key);
    return place < this.#size ? this.#values[place] : undefined;
  }

  /** Adds or replaces the value of a key. */
  set(key: K, value: V): void {
    if (!this.#many) {
      const place = this.#placeOf(key);
      if (place < FEW) {
        this.#keys[place] = key;
        this.#values[place] = value;
        if (place === this.#size) this.#size++;
        return;
      }
      this.#many = Object.create(null) as Record<K, V | undefined>;
      for (let each = 0; each < FEW; each++) this.#many[this.#keys[each] as K] = this.#values[each];
      this.#keys.fill(undefined);
      this.#values.fill(undefined);
    }
    if (this.#many[key] === undefined) this.#size++;
    this.#many[key] = value;
  }

  /** Returns the value that was removed. */
  remove(key: K): V | undefined {
    const value = this.get(key);
    if (value === undefined) return undefined;
    this.#size--;
    if (this.#many) {
      delete this.#many[key];
      if (this.#size === 0) this.#many = undefined;
      return value;
    }
    let place = this.#placeOf(key);
    for (; place < this.#size; place++) {
      this.#keys[place] = this.#keys[place + 1];
      this.#values[place] = this.#values[place + 1];
    }
    this.#keys[place] = undefined;
    this.#values[place] = undefined;
    return value;
  }

  /** The values at this time. */
  values(): V[] {
    return (this.#many ? Object.values(this.#many) : this.#values.slice(0, this.#size)) as V[];
  }

  /** The keys at this time, as strings. */
  keys(): string[] {
    return this.#many ? Object.keys(this.#many) : this.#keys.slice(0, this.#size).map(String);
  }

  /** The place of a key among few, or the one after the last. */
  #placeOf(key: K): number {
    let place = 0;
    while (place < this.#size && this.#keys[place] !== key) place++;
    return place;
  }
}
