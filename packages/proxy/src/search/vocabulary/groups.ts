import { isHan, wordsOf } from '../words.js';
import { ACTIONS } from './actions.js';
import { EVERYDAY } from './everyday.js';
import { SOFTWARE } from './software.js';
import { THINGS } from './things.js';

/** A term of the index: one word, or the words of a phrase joined by this. */
export const JOINT = ' ';

/** The words of the domain with their synonyms. */
export interface Vocabulary {
  /** Each term with its synonyms, in English and Chinese, and how close they are. */
  readonly synonyms: ReadonlyMap<string, ReadonlyMap<string, number>>;
  /** All words that occur in terms. */
  readonly words: ReadonlySet<string>;
  /** The phrases that begin with a word, longest first. */
  readonly phrases: ReadonlyMap<string, readonly (readonly string[])[]>;
  /** The number of characters of the longest Chinese word. */
  readonly longestHan: number;
}

let loaded: Vocabulary | undefined;

/** How close a synonym is, and a term that is only related. */
const SAME = 0.65;
const RELATED = 0.35;

/**
 * The vocabulary, read on the first use. One line of the data is one group: the terms of a group, separated by commas,
 * mean the same to somebody who looks for a tool. Terms after `~` are related to those before it, and not to each
 * other. A term is a word, a phrase or a Chinese word, and may be in several groups.
 */
export function vocabulary(): Vocabulary {
  loaded ??= readGroups(`${ACTIONS}${THINGS}${SOFTWARE}${EVERYDAY}`);
  return loaded;
}

function readGroups(text: string): Vocabulary {
  const synonyms = new Map<string, Map<string, number>>();
  const phrases = new Map<string, string[][]>();
  const known = new Set<string>();
  let longestHan = 1;
  const add = (words: readonly string[]): string => {
    const term = words.join(JOINT);
    if (synonyms.has(term)) return term;
    const [first = ''] = words;
    if (isHan(first)) longestHan = Math.max(longestHan, first.length);
    if (words.length > 1) {
      const starting = phrases.get(first);
      if (starting) starting.push([...words]);
      else phrases.set(first, [[...words]]);
    }
    for (const word of words) known.add(word);
    synonyms.set(term, new Map());
    return term;
  };
  const relate = (from: string, to: string, closeness: number) => {
    const others = synonyms.get(from);
    if (from !== to && (others?.get(to) ?? 0) < closeness) others?.set(to, closeness);
  };
  for (const line of text.split('\n')) {
    const [same = [], related = []] = line.split('~').map((part) =>
      part
        .split(',')
        .map((term) => wordsOf(term))
        .filter(({ length }) => length > 0)
        .map(add),
    );
    for (const term of same) {
      for (const other of same) relate(term, other, SAME);
      for (const other of related) {
        relate(term, other, RELATED);
        relate(other, term, RELATED);
      }
    }
  }
  for (const list of phrases.values()) list.sort((a, b) => b.length - a.length);
  return { synonyms, phrases, words: known, longestHan };
}
