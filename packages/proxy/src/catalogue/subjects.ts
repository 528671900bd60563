import type { ToolboxServer } from '../toolbox.js';

const WORD = /\p{Lu}{2,}(?!\p{Ll})|\p{Lu}?\p{Ll}{2,}|\p{Script=Han}+/gu;

/** The rest of a longer name is ignored. */
const MAX_NAME = 200;

/** Words in names of tools that do not tell what a server is about. */
const GENERIC = new Set(
  `get set list create update delete remove add fetch find search query read write edit modify put patch post run start
  stop end open close show view check validate test execute exec call send make new all by for of to in on from with
  and or the id ids name names info details data item items multiple batch bulk tool tools mcp server api manage handle
  count load save describe submit use is it my me current available enable disable toggle upsert or value values type
  types result results response request requests status default v1 v2`
    .split(/\s+/)
    .filter((word) => word !== ''),
);

/**
 * The words that the names of a server's tools have most in common: what the server is about, where there is no room
 * for the names. The same tools always give the same words.
 */
export function subjectsOf({ name, tools }: Pick<ToolboxServer, 'name' | 'tools'>, limit: number): readonly string[] {
  const own = new Set((name.match(WORD) ?? []).map((word) => singular(word.toLowerCase())));
  const counts = new Map<string, { word: string; count: number }>();
  // The tools of a server have few different words.
  const keys = new Map<string, string>();
  for (const tool of tools) {
    for (const raw of new Set((tool.name.slice(0, MAX_NAME).match(WORD) ?? []).map((word) => word.toLowerCase()))) {
      const key = keys.get(raw) ?? singular(raw);
      keys.set(raw, key);
      if (GENERIC.has(raw) || GENERIC.has(key) || own.has(key)) continue;
      const entry = counts.get(key) ?? { word: key, count: 0 };
      entry.count += 1;
      counts.set(key, entry);
    }
  }
  return [...counts.values()]
    .toSorted((a, b) => b.count - a.count)
    .slice(0, limit)
    .map(({ word }) => word);
}

/** Words in `s` that are no plurals. */
const NO_PLURAL = /(?:[suia]s|kubernetes|jenkins|series|news|indices|matrices)$/;

function singular(word: string): string {
  if (word.length <= 3 || NO_PLURAL.test(word)) return word;
  if (word.length > 4 && word.endsWith('ies')) return `${word.slice(0, -3)}y`;
  return word.replace(/(?<=[tnr]ch|sh|x|ss|us|zz)es$|s$/, '');
}
