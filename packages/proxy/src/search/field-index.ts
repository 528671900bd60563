/** BM25F's saturation: how soon more occurrences of a word stop to count. */
const SATURATION = 1.2;

/** The documents with a term. */
export interface Postings {
  readonly documents: readonly number[];
  /** For each document: occurrences, weighted by field and by the length of the field. */
  readonly frequencies: readonly number[];
}

interface GrowingPostings extends Postings {
  readonly documents: number[];
  readonly frequencies: number[];
}

/** The terms of a document, by field; a field has several texts. */
export type DocumentTerms = readonly (readonly (readonly string[])[])[];

const NO_POSTINGS: Postings = { documents: [], frequencies: [] };

/** An inverted index with the frequencies of BM25F. */
export class FieldIndex {
  readonly size: number;
  readonly #postings = new Map<string, GrowingPostings>();

  constructor(
    documents: readonly DocumentTerms[],
    fields: readonly { readonly weight: number; readonly dilution: number }[],
  ) {
    this.size = documents.length;
    const averages = fields.map((_, field) => {
      const total = documents.reduce((sum, document) => sum + lengthOf(document[field] ?? []), 0);
      return Math.max(1, total / Math.max(1, documents.length));
    });
    for (const [document, texts] of documents.entries()) {
      for (const [field, { weight, dilution }] of fields.entries()) {
        const terms = texts[field] ?? [];
        const share = weight / (1 - dilution + (dilution * lengthOf(terms)) / (averages[field] as number));
        for (const text of terms) for (const term of text) this.#add(term, document, share);
      }
    }
  }

  #add(term: string, document: number, share: number): void {
    const known = this.#postings.get(term);
    if (!known) {
      this.#postings.set(term, { documents: [document], frequencies: [share] });
      return;
    }
    const { documents, frequencies } = known;
    // Documents are added in order, so a repeated one is the last.
    const last = documents.length - 1;
    if (documents[last] === document) frequencies[last] = (frequencies[last] as number) + share;
    else {
      documents.push(document);
      frequencies.push(share);
    }
  }

  get terms(): IterableIterator<string> {
    return this.#postings.keys();
  }

  has(term: string): boolean {
    return this.#postings.has(term);
  }

  postings(term: string): Postings {
    return this.#postings.get(term) ?? NO_POSTINGS;
  }

  /** How rare a term is that occurs in that many documents. */
  rarity(documents: number): number {
    return Math.log(1 + (this.size - documents + 0.5) / (documents + 0.5));
  }
}

function lengthOf(texts: readonly (readonly string[])[]): number {
  let length = 0;
  for (const text of texts) length += text.length;
  return length;
}

/** The share of a term's weight that a frequency earns. */
export function saturated(frequency: number): number {
  return frequency / (frequency + SATURATION);
}
