import type { DocumentTerms } from './document-terms.js';
import type { TermTable } from './term-table.js';

/** BM25F's saturation: how soon more occurrences of a word stop to count. */
const SATURATION = 1.2;

/** The documents with a term. */
export interface Postings {
  readonly documents: Int32Array;
  /** For each document: occurrences, weighted by field and by the length of the field. */
  readonly frequencies: Float64Array;
}

const NO_POSTINGS: Postings = { documents: new Int32Array(), frequencies: new Float64Array() };

interface FieldWeight {
  readonly weight: number;
  readonly dilution: number;
}

/**
 * An inverted index with the frequencies of BM25F. The postings of all terms are in one block of memory: arrays for
 * each term take longer to build.
 */
export class FieldIndex {
  readonly size: number;
  readonly #table: TermTable;
  /** Where the postings of each term start; those of the next term follow. */
  readonly #starts: Int32Array;
  readonly #documents: Int32Array;
  readonly #frequencies: Float64Array;
  #terms: readonly string[] | undefined;

  private constructor(table: TermTable, size: number, starts: Int32Array) {
    this.#table = table;
    this.size = size;
    this.#starts = starts;
    this.#documents = new Int32Array(starts[table.size] as number);
    this.#frequencies = new Float64Array(this.#documents.length);
  }

  /** Pauses after each document. */
  static *build(
    table: TermTable,
    documents: DocumentTerms,
    fields: readonly FieldWeight[],
  ): Generator<void, FieldIndex> {
    const index = new FieldIndex(table, documents.size, yield* startsOf(table.size, documents));
    yield* index.#fill(documents, fields);
    return index;
  }

  *#fill(documents: DocumentTerms, fields: readonly FieldWeight[]): Generator<void> {
    const terms = documents.terms();
    const averages = fields.map((_, field) => Math.max(1, documents.averageLength(field)));
    const next = this.#starts.slice();
    for (let document = 0; document < this.size; document += 1) {
      for (const [field, { weight, dilution }] of fields.entries()) {
        const [start, end] = documents.range(document, field);
        const share = weight / (1 - dilution + (dilution * (end - start)) / (averages[field] as number));
        for (let at = start; at < end; at += 1) this.#add(terms[at] as number, document, share, next);
      }
      yield;
    }
  }

  #add(term: number, document: number, share: number, next: Int32Array): void {
    let place = next[term] as number;
    // Documents are added in order, so a repeated one is the last.
    if (place > (this.#starts[term] as number) && this.#documents[place - 1] === document) place -= 1;
    else {
      this.#documents[place] = document;
      next[term] = place + 1;
    }
    this.#frequencies[place] = (this.#frequencies[place] as number) + share;
  }

  /** The terms that documents have. */
  get terms(): readonly string[] {
    this.#terms ??= this.#table.terms.filter((_, id) => this.#hasId(id));
    return this.#terms;
  }

  has(term: string): boolean {
    const id = this.#table.find(term);
    return id !== undefined && this.#hasId(id);
  }

  #hasId(id: number): boolean {
    return (this.#starts[id + 1] as number) > (this.#starts[id] as number);
  }

  postings(term: string): Postings {
    const id = this.#table.find(term);
    if (id === undefined) return NO_POSTINGS;
    const [start, end] = [this.#starts[id], this.#starts[id + 1]];
    return { documents: this.#documents.subarray(start, end), frequencies: this.#frequencies.subarray(start, end) };
  }

  /** How rare a term is that occurs in that many documents. */
  rarity(documents: number): number {
    return Math.log(1 + (this.size - documents + 0.5) / (documents + 0.5));
  }
}

/** Counts the documents of each term; one more place holds the end of the last. */
function* startsOf(size: number, documents: DocumentTerms): Generator<void, Int32Array> {
  const terms = documents.terms();
  const starts = new Int32Array(size + 1);
  const last = new Int32Array(size).fill(-1);
  for (let document = 0; document < documents.size; document += 1) {
    const [start, end] = documents.range(document);
    for (let at = start; at < end; at += 1) {
      const term = terms[at] as number;
      if (last[term] === document) continue;
      last[term] = document;
      starts[term + 1] = (starts[term + 1] as number) + 1;
    }
    yield;
  }
  for (let term = 0; term < size; term += 1) starts[term + 1] = (starts[term + 1] as number) + (starts[term] as number);
  return starts;
}

/** The share of a term's weight that a frequency earns. */
export function saturated(frequency: number): number {
  return frequency / (frequency + SATURATION);
}
