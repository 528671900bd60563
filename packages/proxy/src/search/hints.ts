import type { TermTable } from './term-table.js';
import type { Hint } from './vocabulary/groups.js';

/** The term of a word that people say. Only the word itself matches it, and not a synonym of the word. */
export function saidTerm(word: string): string {
  return `"${word}`;
}

/** What people say for a tool, as distinct terms. */
export interface Paraphrases {
  /** By hints whose words of tools are in the name of the tool, its title or the name of its server. */
  readonly ofName: ReadonlySet<number>;
  /** By hints whose words of tools are in these or in the summary. */
  readonly ofSummary: ReadonlySet<number>;
}

/**
 * Finds the hints that apply to a tool. The words of a hint are indexed with the tool, so that a question matches that
 * has some of them, in any order: "my half finished changes" matches the hint "unfinished work, half finished, for
 * later".
 */
export class HintIndex {
  readonly #byFirstWord = new Map<number, { readonly words: readonly number[]; readonly said: readonly number[] }[]>();

  constructor(hints: readonly Hint[], table: TermTable) {
    for (const hint of hints) {
      const said = hint.said.map((word) => table.add(saidTerm(word)));
      for (const target of hint.targets) {
        const words = target.map((word) => table.add(word));
        const first = words[0] as number;
        const known = this.#byFirstWord.get(first);
        if (known) known.push({ words, said });
        else this.#byFirstWord.set(first, [{ words, said }]);
      }
    }
  }

  /** `own` are the words of the tool's name, `labels` these with its title and server, `all` these with its summary. */
  paraphrasesOf(own: ReadonlySet<number>, labels: ReadonlySet<number>, all: ReadonlySet<number>): Paraphrases {
    const ofName = new Set<number>();
    const ofSummary = new Set<number>();
    for (const first of all) {
      const starting = this.#byFirstWord.get(first);
      if (!starting) continue;
      for (const { words, said } of starting) {
        if (words.length > 1 && !words.every((word) => all.has(word))) continue;
        const isNamed = words.every((word) => labels.has(word)) && words.some((word) => own.has(word));
        const found = isNamed ? ofName : ofSummary;
        for (const word of said) found.add(word);
      }
    }
    return { ofName, ofSummary };
  }
}
