import { STOP_WORDS } from '../stop-words.js';
import { isHan, wordsOf } from '../words.js';
import { ACTIONS } from './actions.js';
import { EVERYDAY } from './everyday.js';
import { BUSINESS_HINTS } from './hints-business.js';
import { DEVELOPMENT_HINTS } from './hints-development.js';
import { INFRASTRUCTURE_HINTS } from './hints-infrastructure.js';
import { WEB_HINTS } from './hints-web.js';
import { WORDING_HINTS } from './hints-wording.js';
import { SOFTWARE } from './software.js';
import { THINGS } from './things.js';

/** A term of the index: one word, or the words of a phrase joined by this. */
export const JOINT = ' ';

/** Words of tools, and what people say who do not know them. */
export interface Hint {
  /** The words of each term of tools. */
  readonly targets: readonly (readonly string[])[];
  /** The distinct words of what people say. */
  readonly said: readonly string[];
}

/** The words of the domain with their synonyms. */
export interface Vocabulary {
  /** The synonyms of each term, in English and Chinese. */
  readonly synonyms: Synonyms;
  readonly hints: readonly Hint[];
  /** All words that occur in terms. */
  readonly words: ReadonlySet<string>;
  /** The phrases of tools that begin with a word, longest first. */
  readonly phrases: ReadonlyMap<string, readonly (readonly string[])[]>;
  /** These, and the phrases of questions. */
  readonly questionPhrases: ReadonlyMap<string, readonly (readonly string[])[]>;
  /** The number of characters of the longest Chinese word that begins with a character. */
  readonly longestHan: ReadonlyMap<string, number>;
}

const GROUPS = `${ACTIONS}${THINGS}${SOFTWARE}${EVERYDAY}`;
const HINTS = `${DEVELOPMENT_HINTS}${INFRASTRUCTURE_HINTS}${WEB_HINTS}${BUSINESS_HINTS}${WORDING_HINTS}`;

let loaded: Vocabulary | undefined;

/** How close a synonym is, a term that is only related, and what a hint points to. */
export const CLOSENESS = { same: 0.65, related: 0.35, hint: 0.5 };

/**
 * The vocabulary, read on the first use. One line of the data is one group: the terms of a group, separated by commas,
 * mean the same to somebody who looks for a tool. Terms after `~` are related to those before it, and not to each
 * other. A term is a word, a phrase or a Chinese word, and may be in several groups. A line of hints has words of tools
 * before `:`, and after it what people say who do not know these words. A hint stands for the words of tools, and not
 * for other hints.
 */
export function vocabulary(): Vocabulary {
  loaded ??= readGroups(GROUPS, HINTS);
  return loaded;
}

function readGroups(groups: string, hints: string): Vocabulary {
  const synonyms = new Synonyms();
  const known = new Set<string>();
  const phrasesOfTools = new Phrases();
  const ofQuestions = new Phrases();
  const longestHan = new Map<string, number>();
  const add = (words: readonly string[]): string => {
    const [first = ''] = words;
    const term = words.length === 1 ? first : words.join(JOINT);
    if (words.length > 1) ofQuestions.add(term, words);
    if (isHan(first)) longestHan.set(first.charAt(0), Math.max(longestHan.get(first.charAt(0)) ?? 0, first.length));
    for (const word of words) known.add(word);
    return term;
  };
  const addOfTool = (words: readonly string[]): string => {
    const term = add(words);
    if (words.length > 1) phrasesOfTools.add(term, words);
    return term;
  };
  const termsOf = (part: string) =>
    part
      .split(', ')
      .map((term) => wordsOf(term))
      .filter(({ length }) => length > 0);
  for (const line of groups.split('\n')) {
    const [same = [], related = []] = line.split('~').map((part) => termsOf(part).map(addOfTool));
    synonyms.relate(same, same, CLOSENESS.same);
    synonyms.relate(same, related, CLOSENESS.related);
    synonyms.relate(related, same, CLOSENESS.related);
  }
  const hintList: Hint[] = [];
  for (const line of hints.split('\n')) {
    const [targets = '', said = ''] = line.split(':');
    if (said === '') continue;
    const [ofTools, ofPeople] = [termsOf(targets), termsOf(said)];
    hintList.push({ targets: ofTools, said: [...new Set(ofPeople.flat())].filter((word) => !STOP_WORDS.has(word)) });
    const meant = ofTools.map(addOfTool);
    synonyms.relate(meant, [], CLOSENESS.hint);
    synonyms.relate(ofPeople.map(add), meant, CLOSENESS.hint);
  }
  const [phrases, questionPhrases] = [phrasesOfTools.longestFirst(), ofQuestions.longestFirst()];
  return { synonyms, hints: hintList, phrases, questionPhrases, words: known, longestHan };
}

/** The relations of all terms. The synonyms of a term are put together when they are asked for. */
class Synonyms {
  readonly #relations = new Map<string, { readonly others: readonly string[]; readonly closeness: number }[]>();

  relate(terms: readonly string[], others: readonly string[], closeness: number): void {
    const relation = { others, closeness };
    for (const term of terms) {
      const known = this.#relations.get(term);
      if (known) known.push(relation);
      else this.#relations.set(term, [relation]);
    }
  }

  /** Whether the vocabulary has the term. */
  has(term: string): boolean {
    return this.#relations.has(term);
  }

  /** The terms that stand for a term, and how close they are. */
  of(term: string): ReadonlyMap<string, number> {
    const found = new Map<string, number>();
    for (const { others, closeness } of this.#relations.get(term) ?? []) {
      for (const other of others) {
        if (other !== term && (found.get(other) ?? 0) < closeness) found.set(other, closeness);
      }
    }
    return found;
  }
}

/** Phrases by their first word. */
class Phrases {
  readonly #terms = new Set<string>();
  readonly #starting = new Map<string, (readonly string[])[]>();

  add(term: string, words: readonly string[]): void {
    if (this.#terms.has(term)) return;
    this.#terms.add(term);
    const first = words[0] as string;
    const list = this.#starting.get(first);
    if (list) list.push(words);
    else this.#starting.set(first, [words]);
  }

  longestFirst(): ReadonlyMap<string, readonly (readonly string[])[]> {
    for (const list of this.#starting.values()) list.sort((a, b) => b.length - a.length);
    return this.#starting;
  }
}
