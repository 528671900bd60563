const MIN_LENGTH = 4;
const MAX_TERMS = 4;
/** How many unknown words of a query are compared with all terms, which takes about a millisecond for each. */
const MAX_COMPARED_WORDS = 16;

/** Finds the terms that are similar to the unknown words of one query. */
export type FindSimilar = (word: string) => readonly string[];

export function findSimilarIn(terms: readonly string[]): FindSimilar {
  let compared = 0;
  return (word) => {
    if (word.length < MIN_LENGTH || compared >= MAX_COMPARED_WORDS) return [];
    compared += 1;
    return similarTerms(word, terms);
  };
}

/**
 * Terms that share a long beginning with an unknown word, differ from it by one letter, or are its two halves:
 * `config` and `configuration`, `calender` and `calendar`, `filename` and `file`, `name`.
 */
function similarTerms(word: string, terms: readonly string[]): readonly string[] {
  const close: { term: string; distance: number }[] = [];
  const halves = new Set<string>();
  for (const term of terms) {
    if (term.length < 3) continue;
    if (
      term.startsWith(word) ||
      (term.length >= MIN_LENGTH && word.startsWith(term) && 2 * term.length > word.length)
    ) {
      close.push({ term, distance: Math.abs(term.length - word.length) });
    } else if (differByOne(word, term)) close.push({ term, distance: 1 });
    else if (word.startsWith(term) || word.endsWith(term)) halves.add(term);
  }
  const compound = [...halves].filter((half) => word.startsWith(half) && halves.has(word.slice(half.length)));
  const parts = compound.flatMap((half) => [half, word.slice(half.length)]);
  return [...parts, ...close.toSorted((a, b) => a.distance - b.distance).map(({ term }) => term)].slice(0, MAX_TERMS);
}

/** One letter added, left out, replaced, or exchanged with its neighbour. */
function differByOne(a: string, b: string): boolean {
  if (Math.abs(a.length - b.length) > 1 || a.length < 5) return false;
  let start = 0;
  while (start < a.length && a[start] === b[start]) start += 1;
  let end = 0;
  while (end < Math.min(a.length, b.length) - start && a.at(-1 - end) === b.at(-1 - end)) end += 1;
  const [restA, restB] = [a.slice(start, a.length - end), b.slice(start, b.length - end)];
  if (restA.length <= 1 && restB.length <= 1) return true;
  return restA.length === 2 && restB.length === 2 && restA[0] === restB[1] && restA[1] === restB[0];
}
