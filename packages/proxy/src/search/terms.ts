import { JOINT, type Vocabulary } from './vocabulary/groups.js';
import { isHan, wordsOf } from './words.js';

/** How many other words may stand between two words of a phrase in a query: "read this text aloud". */
const MAX_GAP = 2;

/** The terms of a query: the longest phrases, and the words that are in none. */
export function queryTerms(text: string, vocabulary: Vocabulary): string[] {
  const words: (string | undefined)[] = [...wordsOf(text)];
  const terms: string[] = [];
  for (const [at, word] of words.entries()) {
    if (word === undefined) continue;
    if (isHan(word)) {
      terms.push(
        ...hanTerms(word, vocabulary)
          .filter(({ isKept }) => isKept)
          .map(({ term }) => term),
      );
      continue;
    }
    const places = looselyAt(words, at, vocabulary);
    terms.push(places.map((place) => words[place]).join(JOINT));
    for (const place of places) words[place] = undefined;
  }
  return terms;
}

/** The places of the longest phrase that starts here, or this place alone. */
function looselyAt(
  words: readonly (string | undefined)[],
  at: number,
  { questionPhrases }: Vocabulary,
): readonly number[] {
  for (const phrase of questionPhrases.get(words[at] as string) ?? []) {
    const places = [at];
    for (const word of phrase.slice(1)) {
      const from = (places.at(-1) as number) + 1;
      // Phrases of four words and more are idioms, which are not taken apart.
      const gap = phrase.length <= 3 ? MAX_GAP : 0;
      const place = words.indexOf(word, from);
      if (place === -1 || place - from > gap) break;
      places.push(place);
    }
    if (places.length === phrase.length) return places;
  }
  return [at];
}

interface HanTerm {
  readonly term: string;
  /** False for a part of a longer term. */
  readonly isKept: boolean;
}

/**
 * Splits Chinese text at the longest words of the vocabulary. What is between them is split into pairs of characters,
 * which match text of Chinese tools.
 */
export function hanTerms(run: string, { synonyms, longestHan }: Vocabulary): HanTerm[] {
  const terms: HanTerm[] = [];
  let unknown = '';
  const flush = () => {
    if (unknown.length === 1) terms.push({ term: unknown, isKept: false });
    for (let at = 0; at + 2 <= unknown.length; at += 1) terms.push({ term: unknown.slice(at, at + 2), isKept: true });
    unknown = '';
  };
  for (let at = 0; at < run.length; ) {
    let length = Math.min(longestHan.get(run.charAt(at)) ?? 0, run.length - at);
    while (length > 0 && !synonyms.has(run.slice(at, at + length))) length -= 1;
    if (length === 0) {
      unknown += run.charAt(at);
      at += 1;
      continue;
    }
    flush();
    terms.push({ term: run.slice(at, at + length), isKept: true });
    at += length;
  }
  flush();
  return terms;
}
