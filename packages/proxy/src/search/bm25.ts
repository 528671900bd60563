/** The usual constants of BM25, k1 and b. */
const SATURATION = 1.2;
const LENGTH_WEIGHT = 0.75;

export interface Hit<T> {
  readonly item: T;
  readonly score: number;
}

interface Entry<T> {
  readonly item: T;
  readonly counts: ReadonlyMap<string, number>;
  readonly length: number;
}

/** An in-memory index with Okapi BM25 ranking: rare words weigh more, long texts less. */
export class Bm25Index<T> {
  readonly #entries: readonly Entry<T>[];
  readonly #documents = new Map<string, number>();
  readonly #averageLength: number;

  constructor(items: readonly T[], wordsOf: (item: T) => readonly string[]) {
    this.#entries = items.map((item) => {
      const words = wordsOf(item);
      const counts = new Map<string, number>();
      for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1);
      for (const word of counts.keys()) this.#documents.set(word, (this.#documents.get(word) ?? 0) + 1);
      return { item, counts, length: words.length };
    });
    const total = this.#entries.reduce((sum, { length }) => sum + length, 0);
    this.#averageLength = total / Math.max(1, this.#entries.length);
  }

  /** All items with at least one of the words, best first; equal scores keep the original order. */
  search(words: readonly string[]): Hit<T>[] {
    const distinct = [...new Set(words)];
    return this.#entries
      .map((entry) => ({ item: entry.item, score: distinct.reduce((sum, word) => sum + this.#score(entry, word), 0) }))
      .filter(({ score }) => score > 0)
      .toSorted((a, b) => b.score - a.score);
  }

  #score({ counts, length }: Entry<T>, word: string): number {
    const count = counts.get(word);
    if (count === undefined) return 0;
    const documents = this.#documents.get(word) ?? 0;
    const rarity = Math.log(1 + (this.#entries.length - documents + 0.5) / (documents + 0.5));
    const norm = 1 - LENGTH_WEIGHT + (LENGTH_WEIGHT * length) / this.#averageLength;
    return (rarity * count * (SATURATION + 1)) / (count + SATURATION * norm);
  }
}
