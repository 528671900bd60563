import type { TermTable } from './term-table.js';
import { hanTerms } from './terms.js';
import { JOINT, type Vocabulary } from './vocabulary/groups.js';
import { isHan, runsOf, wordsOfRun } from './words.js';

const NO_TERMS: readonly number[] = [];

/** A phrase of the vocabulary as the numbers of its words, and the number of its term. */
interface Phrase {
  readonly words: readonly number[];
  readonly term: number;
}

/**
 * How many bytes of words that no text before had are indexed of one server: each is split, stemmed and stored.
 * The largest known servers have 25,000.
 */
const MAX_NEW_BYTES = 400_000;
/** Of a server with more, only the beginning of each further text is looked up. */
const MAX_TEXT_AFTER = 60;

/**
 * The terms of documents as numbers: the words of a text, the phrases of the vocabulary in it, and Chinese words. All
 * are in one block of memory, document after document, field after field.
 */
export class DocumentTerms {
  readonly #table: TermTable;
  readonly #vocabulary: Vocabulary;
  readonly #termsOfRun = new Map<string, readonly number[]>();
  /** The phrases that start with each word. */
  readonly #phrases: (readonly Phrase[] | undefined)[] = [];
  readonly #fields: number;
  #terms = new Int32Array(2 ** 16);
  #length = 0;
  /** Where each field of each document ends. */
  readonly #ends: number[] = [];
  /** Where the terms of a text are that many documents have. */
  readonly #seen = new Map<string, readonly [start: number, end: number]>();
  #server: string | undefined;
  #newBytes = 0;

  constructor(table: TermTable, vocabulary: Vocabulary, fields: number) {
    this.#table = table;
    this.#vocabulary = vocabulary;
    this.#fields = fields;
    // Words first, so that the array has no holes.
    for (const word of vocabulary.words) this.#phrases[table.add(word)] = undefined;
    for (const [first, phrases] of vocabulary.phrases) {
      this.#phrases[table.add(first)] = phrases.map((words) => ({
        words: words.map((word) => table.add(word)),
        term: table.add(words.join(JOINT)),
      }));
    }
  }

  /** The number of documents. */
  get size(): number {
    return this.#ends.length / this.#fields;
  }

  /** The terms of all documents. */
  terms(): Int32Array {
    return this.#terms.subarray(0, this.#length);
  }

  /** Where the terms of a document are, or of one of its fields. */
  range(document: number, field?: number): readonly [start: number, end: number] {
    const first = document * this.#fields + (field ?? 0);
    const last = field === undefined ? first + this.#fields - 1 : first;
    return [first === 0 ? 0 : (this.#ends[first - 1] as number), this.#ends[last] as number];
  }

  averageLength(field: number): number {
    let total = 0;
    for (let document = 0; document < this.size; document += 1) {
      const [start, end] = this.range(document, field);
      total += end - start;
    }
    return total / Math.max(1, this.size);
  }

  /** The terms of a text that is not part of a document. */
  termsOf(text: string): Int32Array {
    const start = this.#length;
    this.#read(text);
    const terms = this.#terms.slice(start, this.#length);
    this.#length = start;
    return terms;
  }

  /** The next documents belong to this server. Its words are indexed up to a limit. */
  beginServer(name: string): void {
    if (this.#server === name) return;
    this.#server = name;
    this.#newBytes = 0;
  }

  /** Adds the next field of the current document. Returns its terms. */
  addTexts(texts: readonly string[]): Int32Array {
    for (const text of texts) this.#read(text);
    return this.#endField();
  }

  /** As `addTexts`, for texts that many documents have. */
  addSharedTexts(texts: readonly string[]): Int32Array {
    for (const text of texts) {
      const known = this.#seen.get(text);
      const start = this.#length;
      if (known) this.#repeat(...known);
      else {
        this.#read(text);
        this.#seen.set(text, [start, this.#length]);
      }
    }
    return this.#endField();
  }

  /** As `addTexts`, for terms. */
  addTerms(terms: Iterable<number>): Int32Array {
    for (const term of terms) this.#push(term);
    return this.#endField();
  }

  #endField(): Int32Array {
    const start = this.#ends.at(-1) ?? 0;
    this.#ends.push(this.#length);
    return this.#terms.subarray(start, this.#length);
  }

  #read(whole: string): void {
    const text = this.#newBytes > MAX_NEW_BYTES ? whole.slice(0, MAX_TEXT_AFTER) : whole;
    // No text has more words than characters.
    this.#reserve(text.length);
    const block = this.#terms;
    const start = this.#length;
    let end = start;
    for (const run of runsOf(text)) {
      const terms = this.#termsOfRun.get(run) ?? this.#addRun(run);
      for (let at = 0; at < terms.length; at += 1) {
        block[end] = terms[at] as number;
        end += 1;
      }
    }
    this.#length = end;
    for (let at = start; at < end; at += 1) {
      const phrases = this.#phrases[block[at] as number];
      if (phrases !== undefined) this.#addPhrases(phrases, at, end);
    }
  }

  #addRun(run: string): readonly number[] {
    this.#newBytes += Buffer.byteLength(run);
    if (this.#newBytes > MAX_NEW_BYTES) return NO_TERMS;
    const words = wordsOfRun(run);
    const terms = words.flatMap((word) =>
      isHan(word) ? hanTerms(word, this.#vocabulary).map(({ term }) => term) : [word],
    );
    const numbers = terms.map((term) => this.#table.add(term));
    this.#termsOfRun.set(run, numbers);
    return numbers;
  }

  /** Adds the phrases that start at a word of a text. */
  #addPhrases(phrases: readonly Phrase[], at: number, end: number): void {
    for (const { words, term } of phrases) {
      if (at + words.length > end) continue;
      let place = 1;
      while (place < words.length && this.#terms[at + place] === words[place]) place += 1;
      if (place === words.length) this.#push(term);
    }
  }

  #repeat(start: number, end: number): void {
    this.#reserve(end - start);
    this.#terms.copyWithin(this.#length, start, end);
    this.#length += end - start;
  }

  #push(term: number): void {
    this.#reserve(1);
    this.#terms[this.#length] = term;
    this.#length += 1;
  }

  #reserve(count: number): void {
    if (this.#length + count <= this.#terms.length) return;
    const larger = new Int32Array(2 * (this.#length + count));
    larger.set(this.#terms);
    this.#terms = larger;
  }
}
