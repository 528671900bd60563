import type { Hint } from './vocabulary/groups.js';

/** The term of a word that people say. Only the word itself matches it, and not a synonym of the word. */
export function saidTerm(word: string): string {
  return `"${word}`;
}

/** What people say for a tool, as distinct terms. */
export interface Paraphrases {
  /** By hints whose words of tools are in the name of the tool, its title or the name of its server. */
  readonly ofName: readonly string[];
  /** By hints whose words of tools are in these or in the summary. */
  readonly ofSummary: readonly string[];
}

/**
 * Finds the hints that apply to a tool. The words of a hint are indexed with the tool, so that a question matches that
 * has some of them, in any order: "my half finished changes" matches the hint "unfinished work, half finished, for
 * later".
 */
export class HintIndex {
  readonly #byFirstWord = new Map<string, { readonly words: readonly string[]; readonly said: readonly string[] }[]>();

  constructor(hints: readonly Hint[]) {
    for (const hint of hints) {
      const said = hint.said.map(saidTerm);
      for (const words of hint.targets) {
        const first = words[0] as string;
        const known = this.#byFirstWord.get(first);
        if (known) known.push({ words, said });
        else this.#byFirstWord.set(first, [{ words, said }]);
      }
    }
  }

  /** `own` are the words of the tool's name, `labels` these with its title and server, `all` these with its summary. */
  paraphrasesOf(own: ReadonlySet<string>, labels: ReadonlySet<string>, all: ReadonlySet<string>): Paraphrases {
    const ofName = new Set<string>();
    const ofSummary = new Set<string>();
    for (const first of all) {
      for (const { words, said } of this.#byFirstWord.get(first) ?? []) {
        if (!words.every((word) => all.has(word))) continue;
        const isNamed = words.every((word) => labels.has(word)) && words.some((word) => own.has(word));
        const found = isNamed ? ofName : ofSummary;
        for (const word of said) found.add(word);
      }
    }
    return { ofName: [...ofName], ofSummary: [...ofSummary] };
  }
}
