/** Terms as numbers, counted from 0 in the order in which they were added. */
export class TermTable {
  readonly #ids = new Map<string, number>();
  readonly #terms: string[] = [];

  get size(): number {
    return this.#terms.length;
  }

  get terms(): readonly string[] {
    return this.#terms;
  }

  /** The number of a term, which is added if it is new. */
  add(term: string): number {
    let id = this.#ids.get(term);
    if (id === undefined) {
      id = this.#terms.length;
      this.#ids.set(term, id);
      this.#terms.push(term);
    }
    return id;
  }

  find(term: string): number | undefined {
    return this.#ids.get(term);
  }
}
