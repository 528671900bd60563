import { type FieldIndex, saturated } from './field-index.js';
import type { Intent } from './intent.js';
import { JOINT } from './vocabulary/groups.js';

/** The numbers that were chosen by measuring: `npm run bench search`. */
export const WEIGHTS = {
  /** How much a word counts that differs in its end, or by one letter. */
  similar: 0.5,
  /** How much a word of a known phrase counts by itself. */
  part: 0.5,
  /** How strongly a tool is preferred that matches more words of the query. */
  coverage: 0.85,
  /** How strongly a tool is preferred of whose name more words match. */
  name: 0.65,
  /** How strongly a tool is set back by rare words of its name that do not match. */
  unmatchedName: 0.2,
  /** How much more a rare word counts than a frequent one: 0 not at all, 1 as in BM25. */
  rarity: 0.5,
  /** How strongly a tool is preferred that does what the query asks to do: read, create, update or delete. */
  sameIntent: 0.1,
  /** How strongly a tool is set back that does something else. */
  otherIntent: 0.15,
  /** How strongly the tools of a server are preferred whose name is in the query. */
  product: 0.85,
  /** How strongly a tool is set back after `SIBLINGS` of its server that match the same words. */
  sibling: 0.1,
};
/** This many tools of a server that match the same words come first. */
const SIBLINGS = 3;
/** About the rarity of a word that one of a thousand tools has. */
const RAREST = 8;
/** The names of this many of the best tools are compared with the query. */
const COMPARED = 300;

/** What is known about the tools before a query. */
export interface ToolIndex {
  readonly terms: FieldIndex;
  /** For each tool, the number of its server. */
  readonly servers: readonly number[];
  /** The words of each tool's name that are not in the name of its server. */
  readonly names: readonly (readonly string[])[];
  readonly intents: readonly (Intent | undefined)[];
  /** The tools of the servers whose name has a word that hardly any other tool mentions: `sentry`, `postman`. */
  readonly products: ReadonlyMap<string, ReadonlySet<number>>;
}

/** A word of the query: the terms of the index that stand for it, each with how close it is. */
export type Alternatives = ReadonlyMap<string, number>;

/** A tool of the index with its score. */
export interface Score {
  readonly document: number;
  /** The words of the query that the tool matches, as bits. */
  readonly matched: number;
  score: number;
}

/** The tools that match, best first; equal scores keep the original order. */
export function rank(slots: readonly Alternatives[], intent: Intent | undefined, index: ToolIndex): readonly Score[] {
  const scores = baseScores(slots, index.terms);
  preferIntent(scores, intent, index);
  preferProducts(scores, slots, index);
  scores.sort(byScore);
  const first = scores.slice(0, COMPARED);
  preferMatchingNames(first, slots, index);
  spreadSiblings(first.sort(byScore), index);
  return scores.sort(byScore);
}

/** Equal scores keep the original order. */
function byScore(a: Score, b: Score): number {
  return b.score - a.score || a.document - b.document;
}

/** BM25F, where a word of the query counts once, by the best of its alternatives. */
function baseScores(slots: readonly Alternatives[], index: FieldIndex): Score[] {
  const scores = new Float64Array(index.size);
  const covered = new Float64Array(index.size);
  const best = new Float64Array(index.size);
  const matches = new Int32Array(index.size);
  let bit = 1;
  let total = 0;
  for (const alternatives of slots) {
    const touched: number[] = [];
    let most = 0;
    for (const [term, closeness] of alternatives) {
      const { documents, frequencies } = index.postings(term);
      const weight = closeness * index.rarity(documents.length) ** WEIGHTS.rarity;
      most = Math.max(most, weight);
      for (let at = 0; at < documents.length; at += 1) {
        const document = documents[at] as number;
        const value = weight * saturated(frequencies[at] as number);
        if (best[document] === 0) touched.push(document);
        if (value > (best[document] as number)) best[document] = value;
      }
    }
    const shared = index.rarity(touched.length) ** WEIGHTS.rarity;
    total += shared;
    for (const document of touched) {
      const value = (shared * (best[document] as number)) / most;
      scores[document] = (scores[document] as number) + value;
      covered[document] = (covered[document] as number) + Math.min(shared, 2 * value);
      best[document] = 0;
      matches[document] = (matches[document] as number) | bit;
    }
    bit <<= 1;
  }
  const found: Score[] = [];
  for (const [document, score] of scores.entries()) {
    if (score === 0) continue;
    const share = (covered[document] as number) / total;
    found.push({
      document,
      matched: matches[document] as number,
      score: score * (1 - WEIGHTS.coverage + WEIGHTS.coverage * share),
    });
  }
  return found;
}

/**
 * Raises the scores of tools whose whole name is in the query, and lowers those of names with other words: `git_tag`
 * before `git_changelog_analyze`.
 */
function preferMatchingNames(scores: readonly Score[], slots: readonly Alternatives[], index: ToolIndex): void {
  const closest = new Map<string, number>();
  for (const alternatives of slots) {
    for (const [term, closeness] of alternatives) {
      for (const word of term.split(JOINT)) closest.set(word, Math.max(closeness, closest.get(word) ?? 0));
    }
  }
  for (const entry of scores) {
    let [matched, unmatched, total] = [0, 0, 0];
    for (const word of index.names[entry.document] ?? []) {
      const rarity = index.terms.rarity(index.terms.postings(word).documents.length) + 1;
      total += rarity;
      const closeness = closest.get(word) ?? 0;
      if (closeness === 0) unmatched += rarity;
      matched += rarity * closeness;
    }
    if (total === 0) continue;
    entry.score *= (1 + (WEIGHTS.name * matched) / total) / (1 + WEIGHTS.unmatchedName * (unmatched / RAREST));
  }
}

function preferIntent(scores: readonly Score[], intent: Intent | undefined, { intents }: ToolIndex): void {
  if (!intent) return;
  for (const entry of scores) {
    const own = intents[entry.document];
    if (own) entry.score *= own === intent ? 1 + WEIGHTS.sameIntent : 1 - WEIGHTS.otherIntent;
  }
}

function preferProducts(scores: readonly Score[], slots: readonly Alternatives[], { products }: ToolIndex): void {
  const named = slots.flatMap((alternatives) => [...alternatives.keys()].flatMap((term) => products.get(term) ?? []));
  if (named.length === 0) return;
  for (const entry of scores) {
    if (named.some((documents) => documents.has(entry.document))) entry.score *= 1 + WEIGHTS.product;
  }
}

/** Leaves room among the first tools for other servers: one server can have twenty tools for phone numbers. */
function spreadSiblings(scores: readonly Score[], { servers }: ToolIndex): void {
  const counts = new Map<string, number>();
  for (const entry of scores) {
    const family = `${entry.matched} ${servers[entry.document]}`;
    const count = (counts.get(family) ?? 0) + 1;
    counts.set(family, count);
    if (count > SIBLINGS) entry.score *= (1 - WEIGHTS.sibling) ** (count - SIBLINGS);
  }
}
