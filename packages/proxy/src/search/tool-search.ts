import type { ToolboxServer, ToolboxTool } from '../toolbox.js';
import { FieldIndex, saturated } from './field-index.js';
import { similarTerms } from './similar-terms.js';
import { STOP_WORDS } from './stop-words.js';
import { indexTerms, queryTerms } from './terms.js';
import { FIELDS, type FieldName, fieldsOf } from './tool-fields.js';
import { JOINT, type Vocabulary, vocabulary } from './vocabulary/groups.js';
import { wordsOf } from './words.js';

/** The numbers that were chosen by measuring: `npm run bench search`. */
export const WEIGHTS = {
  /** How much a word counts that differs in its end, or by one letter. */
  similar: 0.5,
  /** How strongly a tool is preferred that matches more words of the query. */
  coverage: 0.85,
  /** How strongly a tool is preferred of whose name more words match. */
  name: 0.9,
  /** How much more a rare word counts than a frequent one: 0 not at all, 1 as in BM25. */
  rarity: 0.4,
};
/** Longer queries are cut: a search runs on the main thread. */
const MAX_QUERY = 1_000;
/** The names of this many of the best tools are compared with the query. */
const COMPARED = 300;

/** The usual constant of reciprocal rank fusion: how little the first ranks differ. */
const FUSION = 60;
/** Further ones of another order mean nothing. */
const FUSED = 50;

/** A tool and its server. */
export interface LocatedTool {
  readonly server: ToolboxServer;
  readonly tool: ToolboxTool;
}

/** A tool that was found, with its score. Scores compare the tools of one query only. */
export interface Hit extends LocatedTool {
  readonly score: number;
}

/**
 * Finds tools by what they do: name, description, parameters and values, with synonyms in English and Chinese. The
 * index is built on the first search.
 *
 * @example
 * ```ts
 * const search = new ToolSearch(toolbox.servers());
 * const [best] = search.find('write to a colleague'); // → { server, tool: { name: 'send_email', … }, score }
 * ```
 */
export class ToolSearch {
  readonly #tools: readonly LocatedTool[];
  #index: ToolIndex | undefined;

  constructor(servers: readonly ToolboxServer[]) {
    this.#tools = servers.flatMap((server) => server.tools.map((tool) => ({ server, tool })));
  }

  /** The tools that are searched, in their original order. */
  get tools(): readonly LocatedTool[] {
    return this.#tools;
  }

  /**
   * The hits of `find`, fused with another order of all tools by reciprocal ranks. `order` lists places in `tools`,
   * best first.
   */
  findWith(query: string, order: readonly number[]): Hit[] {
    const scores = new Map<LocatedTool, number>();
    const add = (located: LocatedTool, rank: number) =>
      scores.set(located, (scores.get(located) ?? 0) + 1 / (FUSION + rank));
    const places = new Map(this.#tools.map((located) => [located.tool, located]));
    for (const [rank, { tool }] of this.find(query).entries()) add(places.get(tool) as LocatedTool, rank);
    for (const [rank, place] of order.slice(0, FUSED).entries()) add(this.#tools[place] as LocatedTool, rank);
    return [...scores].map(([located, score]) => ({ ...located, score })).sort((a, b) => b.score - a.score);
  }

  /** All tools that match, best first; equal scores keep the original order. */
  find(query: string): Hit[] {
    const words = vocabulary();
    this.#index ??= buildIndex(this.#tools, words);
    const index = this.#index;
    const slots = [...new Set(queryTerms(query.slice(0, MAX_QUERY), words))]
      .filter((term) => !STOP_WORDS.has(term))
      .map((term) => alternativesOf(term, index.terms, words))
      .filter(({ size }) => size > 0);
    const found = rank(slots, index.terms);
    preferMatchingNames(found.slice(0, COMPARED), slots, index);
    return found
      .sort((a, b) => b.score - a.score || a.document - b.document)
      .map(({ document, score }) => ({ ...(this.#tools[document] as LocatedTool), score }));
  }
}

interface ToolIndex {
  readonly terms: FieldIndex;
  /** The words of each tool's name that are not in the name of its server. */
  readonly names: readonly (readonly string[])[];
}

function buildIndex(tools: readonly LocatedTool[], words: Vocabulary): ToolIndex {
  const fieldNames = Object.keys(FIELDS) as FieldName[];
  const seen = new Map<string, readonly string[]>();
  const termsOf = (text: string): readonly string[] => {
    let terms = seen.get(text);
    if (!terms) {
      terms = indexTerms(text, words);
      seen.set(text, terms);
    }
    return terms;
  };
  const documents = tools.map(({ server, tool }) => {
    const fields = fieldsOf(server, tool);
    return fieldNames.map((name) => fields[name].map(termsOf));
  });
  const names = tools.map(({ server, tool }) => {
    const ofServer = new Set(wordsOf(server.name));
    return [...new Set(wordsOf(tool.name))].filter((word) => !ofServer.has(word));
  });
  return { terms: new FieldIndex(documents, Object.values(FIELDS)), names };
}

/** A word of the query: the terms of the index that stand for it, each with how close it is. */
type Alternatives = ReadonlyMap<string, number>;

function alternativesOf(term: string, index: FieldIndex, { synonyms, words }: Vocabulary): Alternatives {
  const alternatives = new Map<string, number>();
  if (index.has(term)) alternatives.set(term, 1);
  for (const [synonym, closeness] of synonyms.get(term) ?? []) {
    if (!alternatives.has(synonym) && index.has(synonym)) alternatives.set(synonym, closeness);
  }
  if (alternatives.size > 0 || words.has(term)) return alternatives;
  return new Map(similarTerms(term, index.terms).map((similar) => [similar, WEIGHTS.similar]));
}

interface Score {
  readonly document: number;
  score: number;
}

/** BM25F, where a word of the query counts once, by the best of its alternatives. */
function rank(slots: readonly Alternatives[], index: FieldIndex): Score[] {
  const scores = new Float64Array(index.size);
  const covered = new Float64Array(index.size);
  const best = new Float64Array(index.size);
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
    }
  }
  const found: Score[] = [];
  for (const [document, score] of scores.entries()) {
    if (score === 0) continue;
    const share = (covered[document] as number) / total;
    found.push({ document, score: score * (1 - WEIGHTS.coverage + WEIGHTS.coverage * share) });
  }
  return found.sort((a, b) => b.score - a.score);
}

/** Raises the scores of tools whose whole name is in the query: `git_tag` before `git_changelog_analyze`. */
function preferMatchingNames(scores: readonly Score[], slots: readonly Alternatives[], index: ToolIndex): void {
  const closest = new Map<string, number>();
  for (const alternatives of slots) {
    for (const [term, closeness] of alternatives) {
      for (const word of term.split(JOINT)) closest.set(word, Math.max(closeness, closest.get(word) ?? 0));
    }
  }
  for (const entry of scores) {
    let [matched, total] = [0, 0];
    for (const word of index.names[entry.document] ?? []) {
      const rarity = index.terms.rarity(index.terms.postings(word).documents.length) + 1;
      total += rarity;
      matched += rarity * (closest.get(word) ?? 0);
    }
    if (total > 0) entry.score *= 1 + (WEIGHTS.name * matched) / total;
  }
}
