import { setImmediate as nextTurn } from 'node:timers/promises';
import type { ToolboxServer, ToolboxTool } from '../toolbox.js';
import { DocumentTerms } from './document-terms.js';
import { FieldIndex } from './field-index.js';
import { HintIndex, saidTerm } from './hints.js';
import { intentOfQuery, intentOfTool } from './intent.js';
import { type Alternatives, rank, type ToolIndex, WEIGHTS } from './ranking.js';
import { type FindSimilar, findSimilarIn } from './similar-terms.js';
import { STOP_WORDS } from './stop-words.js';
import { TermTable } from './term-table.js';
import { queryTerms } from './terms.js';
import { FIELDS, fieldsOf, productName } from './tool-fields.js';
import { JOINT, type Vocabulary, vocabulary } from './vocabulary/groups.js';
import { isHan, wordsOf } from './words.js';

/** Longer queries are cut: a search runs on the main thread. */
const MAX_QUERY = 1_000;
/** Further words of a query are ignored: each is looked up with its synonyms. The longest questions have 30 words. */
const MAX_QUERY_TERMS = 64;
/** The usual constant of reciprocal rank fusion: how little the first ranks differ. */
const FUSION = 60;
/** Further ones of another order mean nothing. */
const FUSED = 50;

/** How long the index is built in one turn of the event loop: a server may have thousands of tools. */
const TURN_MS = 10;

const FIELD_WEIGHTS = Object.values(FIELDS);

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
  #preparing: Promise<void> | undefined;

  constructor(servers: readonly ToolboxServer[]) {
    this.#tools = servers.flatMap((server) => server.tools.map((tool) => ({ server, tool })));
  }

  /** Builds the index in several turns of the event loop. Without it, the first search builds the index at once. */
  prepare(): Promise<void> {
    this.#preparing ??= this.#prepare();
    return this.#preparing;
  }

  async #prepare(): Promise<void> {
    const building = buildIndex(this.#tools, vocabulary());
    let turnEnds = performance.now();
    for (let step = building.next(); !this.#index; step = building.next()) {
      if (step.done) this.#index = step.value;
      else if (performance.now() >= turnEnds) {
        await nextTurn();
        turnEnds = performance.now() + TURN_MS;
      }
    }
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
    this.#index ??= lastOf(buildIndex(this.#tools, words));
    const index = this.#index;
    const text = query.slice(0, MAX_QUERY);
    const terms = [...new Set(queryTerms(text, words))]
      .filter((term) => !STOP_WORDS.has(term))
      .slice(0, MAX_QUERY_TERMS);
    const lookup = { index: index.terms, words, findSimilar: findSimilarIn(index.terms.terms) };
    const slots = terms.flatMap((term) => slotsOf(term, lookup)).filter(({ size }) => size > 0);
    return rank(slots, intentOfQuery(text, terms, words), index).map(({ document, score }) => ({
      ...(this.#tools[document] as LocatedTool),
      score,
    }));
  }
}

function lastOf<T>(steps: Iterator<void, T>): T {
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
  }
}

/** Pauses after each tool. */
function* buildIndex(tools: readonly LocatedTool[], words: Vocabulary): Generator<void, ToolIndex> {
  const table = new TermTable();
  const documents = new DocumentTerms(table, words, FIELD_WEIGHTS.length);
  const hints = new HintIndex(words.hints, table);
  const serverOf = oncePerServer((server) => ({
    product: documents.termsOf(productName(server)),
    words: wordsOf(server.name),
  }));
  const names: (readonly string[])[] = [];
  for (const { server, tool } of tools) {
    const { texts, spacedName } = fieldsOf(server, tool);
    // In the order of FIELDS.
    documents.beginServer(server.name);
    const name = documents.addTexts(texts.name);
    const title = documents.addTexts(texts.title);
    const summary = documents.addTexts(texts.summary);
    documents.addTexts(texts.description);
    documents.addSharedTexts(texts.parameters);
    documents.addSharedTexts(texts.values);
    documents.addSharedTexts(texts.server);
    const own = new Set(name);
    const { product, words: ofServer } = serverOf(server);
    const labels = new Set([...name, ...title, ...product]);
    const { ofName, ofSummary } = hints.paraphrasesOf(own, labels, new Set([...labels, ...summary]));
    documents.addTerms(ofName);
    documents.addTerms(ofSummary);
    names.push([...new Set(wordsOf(spacedName))].filter((word) => !ofServer.includes(word)));
    yield;
  }
  const terms = yield* FieldIndex.build(table, documents, FIELD_WEIGHTS);
  const places = new Map([...new Set(tools.map(({ server }) => server))].map((server, place) => [server, place]));
  const servers = tools.map(({ server }) => places.get(server) as number);
  const intents: ReturnType<typeof intentOfTool>[] = [];
  for (const { tool } of tools) {
    intents.push(intentOfTool(tool));
    yield;
  }
  return {
    terms,
    servers,
    names,
    intents,
    products: productsOf(tools, terms),
  };
}

function oncePerServer<T>(of: (server: ToolboxServer) => T): (server: ToolboxServer) => T {
  const known = new Map<ToolboxServer, T>();
  return (server) => {
    const value = known.get(server) ?? of(server);
    known.set(server, value);
    return value;
  };
}

/** At least this share of the tools that mention a word belongs to the server that is called by it. */
const PRODUCT_SHARE = 0.75;

function productsOf(tools: readonly LocatedTool[], terms: FieldIndex): ReadonlyMap<string, ReadonlySet<number>> {
  const places = new Map<string, Set<number>>();
  for (const [document, { server }] of tools.entries()) {
    for (const word of wordsOf(productName(server))) {
      const known = places.get(word);
      if (known) known.add(document);
      else places.set(word, new Set([document]));
    }
  }
  return new Map(
    [...places].filter(([word, own]) => own.size >= PRODUCT_SHARE * terms.postings(word).documents.length),
  );
}

/** What the terms of one query are looked up in. */
interface Lookup {
  readonly index: FieldIndex;
  readonly words: Vocabulary;
  readonly findSimilar: FindSimilar;
}

/** Each word of a phrase stands for what the phrase means, and less closely for itself. */
function slotsOf(term: string, lookup: Lookup): readonly Alternatives[] {
  const meaning = alternativesOf(term, lookup);
  if (!term.includes(JOINT)) return [meaning];
  const parts = term.split(JOINT).filter((word) => !STOP_WORDS.has(word));
  if (parts.length === 0) return [meaning];
  const weight = meaning.size > 0 ? WEIGHTS.part : 1;
  return parts.map((word) => {
    const alternatives = new Map(meaning);
    for (const [other, closeness] of alternativesOf(word, lookup)) {
      alternatives.set(other, Math.max(alternatives.get(other) ?? 0, weight * closeness));
    }
    return alternatives;
  });
}

function alternativesOf(term: string, { index, words, findSimilar }: Lookup): Alternatives {
  const alternatives = new Map<string, number>();
  for (const own of [term, saidTerm(term)]) if (index.has(own)) alternatives.set(own, 1);
  for (const [synonym, closeness] of words.synonyms.of(term)) {
    // The English words for a Chinese one are its translation, so hints in English apply too.
    const others = isHan(term) ? [synonym, saidTerm(synonym)] : [synonym];
    for (const other of others) if (!alternatives.has(other) && index.has(other)) alternatives.set(other, closeness);
  }
  if (alternatives.size > 0 || words.words.has(term)) return alternatives;
  return new Map(findSimilar(term).map((similar) => [similar, WEIGHTS.similar]));
}
