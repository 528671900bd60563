/** How many Agents can use all of their part of a common limit at the same time. */
export const SHARES = 4;

/** What each Agent uses of a common limit. The one that uses most makes room first. */
export class Shares {
  readonly #used = new Map<string, number>();
  #total = 0;

  get total(): number {
    return this.#total;
  }

  of(owner: string): number {
    return this.#used.get(owner) ?? 0;
  }

  /** @param amount Negative to release it. */
  add(owner: string, amount: number): void {
    const used = this.of(owner) + amount;
    if (used > 0) this.#used.set(owner, used);
    else this.#used.delete(owner);
    this.#total += amount;
  }

  /** The owner with the largest share; of several, the one that has one for the longest time. */
  largest(): string | undefined {
    let largest: string | undefined;
    for (const [owner, used] of this.#used) if (largest === undefined || used > this.of(largest)) largest = owner;
    return largest;
  }
}

/** The first item for which the test is true. */
export function first<Item>(items: Iterable<Item>, test: (item: Item) => boolean): Item | undefined {
  for (const item of items) if (test(item)) return item;
  return undefined;
}
