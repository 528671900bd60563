/** Characters of the texts of all pages. The oldest are dropped first. */
const MAX_CHARACTERS = 4 * 2 ** 20;

/** Pages that were written, as long as what they show stays the same. */
export class PageCache<P extends { readonly text: string }> {
  readonly #pages = new Map<string, P>();
  #shown: object | undefined;
  #characters = 0;

  /**
   * The page with this key. It is written if it is not kept.
   *
   * @param shown What all pages show, by identity. Those of another one are dropped.
   */
  get(shown: object, key: string, write: () => P): P {
    if (this.#shown !== shown) this.#clear(shown);
    const known = this.#pages.get(key);
    if (known) return known;
    const page = write();
    this.#pages.set(key, page);
    this.#characters += page.text.length;
    this.#dropOldest();
    return page;
  }

  #clear(shown: object): void {
    this.#shown = shown;
    this.#pages.clear();
    this.#characters = 0;
  }

  #dropOldest(): void {
    for (const [key, { text }] of this.#pages) {
      if (this.#characters <= MAX_CHARACTERS) return;
      this.#pages.delete(key);
      this.#characters -= text.length;
    }
  }
}
