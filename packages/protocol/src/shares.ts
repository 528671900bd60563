/** What each owner, such as an Agent or an address, uses of a common limit. The one that uses most makes room first. */
export class Shares {
  readonly #used = new Map<string, number>();
  #total = 0;

  /** What all use together. */
  get total(): number {
    return this.#total;
  }

  /** What an owner uses. */
  of(owner: string): number {
    return this.#used.get(owner) ?? 0;
  }

  /**
   * Adds to what an owner uses.
   *
   * @param amount Negative to release it.
   */
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
