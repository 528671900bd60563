import { setTimeout as delay, setImmediate as nextTurn } from 'node:timers/promises';
import type { EncodedAnswer } from '@a2c/link';
import { SMCPError } from '@a2c/protocol';

/** The limits of the queries of Agents: lists, configuration, desktop, skills, resources and blobs. */
export interface QueryLimits {
  /** Queries of one Agent that are not answered yet. One more is refused. */
  readonly queriesPerAgent: number;
  /** Queries of one Agent for which MCP servers and files are read at a time. */
  readonly readsPerAgent: number;
  /** While more bytes wait to be sent, no answer is written. */
  readonly unsentBytes: number;
  /** A query that waits longer is refused: the Agent does not wait for its answer any more. Milliseconds. */
  readonly queryMs: number;
}

/** The default limits. */
export const QUERY_LIMITS: QueryLimits = {
  queriesPerAgent: 32,
  readsPerAgent: 4,
  unsentBytes: 2 ** 20,
  queryMs: 30_000,
};

/** Writes the answer to a query. */
export type WriteAnswer = () => EncodedAnswer;

/** Reads what an answer needs from MCP servers or files, and returns the function that writes it. */
export type ReadAnswer = () => Promise<WriteAnswer>;

/** What answers a query: a function that writes it, or one that reads something first. */
export type QueryWork = { readonly write: WriteAnswer } | { readonly read: ReadAnswer };

interface Query {
  readonly read: ReadAnswer | undefined;
  readonly since: number;
  readonly resolve: (answer: EncodedAnswer) => void;
  readonly reject: (error: unknown) => void;
}

/** The queries of one Agent. */
interface AgentQueries {
  readonly all: Set<Query>;
  /** Nothing is read for them yet. */
  readonly waiting: Query[];
  /** Their answers can be written. */
  readonly ready: { readonly query: Query; readonly write: WriteAnswer }[];
  /** Those for which something is read, or was read and is kept until the answer is written. */
  reads: number;
}

/** How often it is checked whether enough was sent. Nothing reports it. */
const CHECK_MS = 5;

/**
 * Answers the queries of Agents in turn. What an answer needs is read for a few queries of each Agent at a time.
 * Answers are written one in each turn of the event loop, by Agents in rotation, and only while few bytes wait to be
 * sent: a list has megabytes, and an Agent can ask for it hundreds of times in a second. Tool calls do not wait here.
 */
export class QueryQueue {
  readonly #limits: QueryLimits;
  readonly #unsentBytes: () => number;
  readonly #agents = new Map<string, AgentQueries>();
  #isWriting = false;

  /** @param unsentBytes What waits to be sent on the connection. */
  constructor(limits: QueryLimits, unsentBytes: () => number) {
    this.#limits = limits;
    this.#unsentBytes = unsentBytes;
  }

  /**
   * Answers a query of an Agent when it is its turn.
   *
   * @throws SMCPError `TooManyRequests`, `Timeout` after the time limit, or `Unavailable` when the Agent has left.
   */
  answer(agent: string, work: QueryWork): Promise<EncodedAnswer> {
    const own = this.#queriesOf(agent);
    const { queriesPerAgent: limit } = this.#limits;
    if (own.all.size >= limit) throw tooMany(limit);
    return new Promise((resolve, reject) => {
      const query = { read: 'read' in work ? work.read : undefined, since: performance.now(), resolve, reject };
      own.all.add(query);
      if ('write' in work) own.ready.push({ query, write: work.write });
      else own.waiting.push(query);
      this.#startReads(agent, own);
      void this.#writeAll();
    });
  }

  /** Refuses the queries of an Agent that has left. */
  drop(agent: string): void {
    const own = this.#agents.get(agent);
    if (!own) return;
    this.#agents.delete(agent);
    own.waiting.length = 0;
    own.ready.length = 0;
    for (const { reject } of own.all) reject(new SMCPError('Unavailable', 'the Agent has left the office'));
    own.all.clear();
  }

  /** Refuses all queries: the connection that they came from has ended. */
  clear(): void {
    for (const agent of [...this.#agents.keys()]) this.drop(agent);
  }

  #queriesOf(agent: string): AgentQueries {
    const known = this.#agents.get(agent);
    if (known) return known;
    const own = { all: new Set<Query>(), waiting: [], ready: [], reads: 0 };
    this.#agents.set(agent, own);
    return own;
  }

  #startReads(agent: string, own: AgentQueries): void {
    while (own.reads < this.#limits.readsPerAgent) {
      const query = own.waiting.shift();
      if (!query) return;
      own.reads++;
      void this.#read(agent, own, query);
    }
  }

  async #read(agent: string, own: AgentQueries, query: Query): Promise<void> {
    try {
      this.#checkAge(query);
      const write = await (query.read as ReadAnswer)();
      if (!own.all.has(query)) return; // dropped
      own.ready.push({ query, write });
      void this.#writeAll();
    } catch (error) {
      this.#end(agent, own, query, () => query.reject(error));
    }
  }

  /** One answer in each turn of the event loop. */
  async #writeAll(): Promise<void> {
    if (this.#isWriting) return;
    this.#isWriting = true;
    while (this.#hasReady()) {
      if (this.#unsentBytes() > this.#limits.unsentBytes) await delay(CHECK_MS);
      else {
        this.#writeNext();
        await nextTurn();
      }
    }
    this.#isWriting = false;
  }

  #hasReady(): boolean {
    for (const { ready } of this.#agents.values()) if (ready.length > 0) return true;
    return false;
  }

  #writeNext(): void {
    for (const [agent, own] of this.#agents) {
      const next = own.ready.shift();
      if (!next) continue;
      // The others are next.
      this.#agents.delete(agent);
      this.#agents.set(agent, own);
      const { query, write } = next;
      let settle: () => void;
      try {
        this.#checkAge(query);
        const answer = write();
        settle = () => query.resolve(answer);
      } catch (error) {
        settle = () => query.reject(error);
      }
      this.#end(agent, own, query, settle);
      return;
    }
  }

  #end(agent: string, own: AgentQueries, query: Query, settle: () => void): void {
    if (!own.all.delete(query)) return; // dropped
    if (query.read) own.reads--;
    settle();
    if (own.all.size === 0) this.#agents.delete(agent);
    else this.#startReads(agent, own);
  }

  #checkAge({ since }: Query): void {
    const { queryMs } = this.#limits;
    if (performance.now() - since > queryMs)
      throw new SMCPError('Timeout', `this Computer could not answer within ${queryMs / 1_000} s`);
  }
}

function tooMany(limit: number): SMCPError {
  const message = `${limit} queries of this Agent are not answered yet, and no more may wait; try again later`;
  return new SMCPError('TooManyRequests', message, { details: { retry_after: 1 } });
}
