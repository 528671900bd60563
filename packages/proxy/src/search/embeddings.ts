import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { replaceFile } from '@a2c/config';
import { isRecord } from '@a2c/protocol';
import type { LocatedTool } from './tool-search.js';

/** An embeddings endpoint in the format of OpenAI, as Ollama and LM Studio serve it. */
export interface EmbeddingOptions {
  /** The base URL, such as `http://127.0.0.1:11434/v1`. Requests go to `/embeddings` below it. */
  readonly url: string;
  readonly model: string;
  /** Sent as a bearer token. */
  readonly apiKey?: string | undefined;
  /** How long a search waits for the vector of its query, in milliseconds. Default 1,000. */
  readonly timeoutMs?: number | undefined;
  /** Where vectors of tools are kept for the next start; absent: only in memory. */
  readonly cacheFolder?: string | undefined;
  /** Receives one sentence when the endpoint stops to answer. */
  readonly onWarning?: ((message: string) => void) | undefined;
}

const QUERY_TIMEOUT_MS = 1_000;
/** Tools are embedded in the background, where a model on a CPU may be slow. */
const BATCH_TIMEOUT_MS = 60_000;
const BATCH = 64;
/** After a failure the endpoint is left alone for this long. */
const PAUSE_MS = 30_000;
const MAX_BYTES = 32 * 1024 * 1024;
const MAX_TEXT = 1_000;
const MAX_QUERIES = 200;
/** Vectors in the file of a model. */
const MAX_KEPT = 5_000;

type Vector = Float32Array;

/**
 * The vectors of tools and queries. Tools are embedded once, in the background, and kept by the hash of their text.
 * Until all of them have a vector, and whenever the endpoint does not answer in time, there is no ranking, and the
 * lexical search answers alone.
 */
export class Embeddings {
  readonly #options: EmbeddingOptions;
  readonly #tools = new Map<string, Vector>();
  readonly #queries = new Map<string, Vector>();
  /** The hashes of tools: computing all of them takes longer than a search. */
  readonly #hashes = new WeakMap<LocatedTool, string>();
  #loaded: Promise<void> | undefined;
  #embedding: Promise<void> | undefined;
  #pausedUntil = 0;

  constructor(options: EmbeddingOptions) {
    this.#options = options;
  }

  /** Gets the vector of a query, and starts to embed tools that have none. Never rejects, and returns in time. */
  async prepare(query: string, tools: readonly LocatedTool[], signal?: AbortSignal): Promise<void> {
    this.#loaded ??= this.#load();
    await this.#loaded;
    this.#embedding ??= this.#embedTools(tools).finally(() => {
      this.#embedding = undefined;
    });
    if (this.#queries.has(query) || performance.now() < this.#pausedUntil) return;
    const { timeoutMs = QUERY_TIMEOUT_MS } = this.#options;
    const [vector] = (await this.#request([query], timeoutMs, signal)) ?? [];
    if (!vector) return;
    // The oldest query is the first of the map.
    const [oldest] = this.#queries.keys();
    if (this.#queries.size >= MAX_QUERIES && oldest !== undefined) this.#queries.delete(oldest);
    this.#queries.set(query, vector);
  }

  /** The places of all tools, nearest to the query first; undefined if a vector is missing. */
  order(query: string, tools: readonly LocatedTool[]): readonly number[] | undefined {
    const wanted = this.#queries.get(query);
    if (!wanted) return undefined;
    const scores: number[] = [];
    for (const located of tools) {
      const vector = this.#tools.get(this.#hashOf(located));
      if (!vector || vector.length !== wanted.length) return undefined;
      scores.push(product(vector, wanted));
    }
    return scores.map((_, place) => place).toSorted((a, b) => (scores[b] as number) - (scores[a] as number));
  }

  async #embedTools(tools: readonly LocatedTool[]): Promise<void> {
    const missing = [...new Set(tools.map(textOf))].filter((text) => !this.#tools.has(hash(text)));
    let isChanged = false;
    for (let from = 0; from < missing.length && performance.now() >= this.#pausedUntil; from += BATCH) {
      const texts = missing.slice(from, from + BATCH);
      const vectors = await this.#request(texts, BATCH_TIMEOUT_MS);
      for (const [index, vector] of vectors?.entries() ?? []) this.#tools.set(hash(texts[index] ?? ''), vector);
      isChanged ||= vectors !== undefined;
    }
    if (isChanged) await this.#save();
  }

  /** The vectors of texts; undefined if the endpoint fails, which is reported once per pause. */
  async #request(texts: readonly string[], timeoutMs: number, signal?: AbortSignal): Promise<Vector[] | undefined> {
    const { url, model, apiKey } = this.#options;
    const deadline = AbortSignal.timeout(timeoutMs);
    try {
      const response = await fetch(`${url.replace(/\/+$/, '')}/embeddings`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...(apiKey && { authorization: `Bearer ${apiKey}` }) },
        body: JSON.stringify({ model, input: texts }),
        // The key must not follow a redirect.
        redirect: 'error',
        signal: signal ? AbortSignal.any([deadline, signal]) : deadline,
      });
      if (!response.ok) throw new Error(`HTTP status ${response.status}`);
      return vectorsFrom(JSON.parse(await bounded(response)), texts.length);
    } catch (error) {
      if (signal?.aborted) return undefined;
      this.#pause(deadline.aborted ? `no answer within ${timeoutMs} ms` : reasonOf(error));
      return undefined;
    }
  }

  #pause(reason: string): void {
    if (performance.now() < this.#pausedUntil) return;
    this.#pausedUntil = performance.now() + PAUSE_MS;
    const { url, onWarning } = this.#options;
    onWarning?.(`the embeddings of ${url} are not used for ${PAUSE_MS / 1_000} s: ${reason}`);
  }

  #hashOf(located: LocatedTool): string {
    const known = this.#hashes.get(located) ?? hash(textOf(located));
    this.#hashes.set(located, known);
    return known;
  }

  get #file(): string | undefined {
    const { cacheFolder, url, model } = this.#options;
    return cacheFolder === undefined ? undefined : join(cacheFolder, `${hash(JSON.stringify([url, model]))}.json`);
  }

  async #load(): Promise<void> {
    if (!this.#file) return;
    try {
      const known: unknown = JSON.parse(await readFile(this.#file, 'utf8'));
      if (!isRecord(known)) return;
      for (const [hash, text] of Object.entries(known)) {
        if (typeof text === 'string') this.#tools.set(hash, decode(text));
      }
    } catch {
      // A cache that is missing or damaged is written anew.
    }
  }

  async #save(): Promise<void> {
    const file = this.#file;
    if (!file) return;
    try {
      const known = Object.fromEntries(
        [...this.#tools].slice(-MAX_KEPT).map(([hash, vector]) => [hash, encode(vector)]),
      );
      await replaceFile(file, JSON.stringify(known));
    } catch (error) {
      this.#options.onWarning?.(`the embeddings cannot be kept: ${reasonOf(error)}`);
    }
  }
}

const hash = (text: string): string => createHash('sha256').update(text).digest('base64url');

/** What is embedded of a tool. */
function textOf({ server, tool }: LocatedTool): string {
  const properties = isRecord(tool.inputSchema.properties) ? Object.keys(tool.inputSchema.properties) : [];
  const name = tool.name.replaceAll(/[_\-./]+/g, ' ');
  return `${server.name}: ${name}. ${tool.title ?? ''} ${tool.description ?? ''} (${properties.join(', ')})`.slice(
    0,
    MAX_TEXT,
  );
}

function vectorsFrom(answer: unknown, count: number): Vector[] {
  const data = isRecord(answer) && Array.isArray(answer.data) ? answer.data : [];
  const vectors = data
    .filter(isRecord)
    .toSorted((a, b) => Number(a.index ?? 0) - Number(b.index ?? 0))
    .map(({ embedding }) => (Array.isArray(embedding) ? normalised(Float32Array.from(embedding)) : new Float32Array()));
  if (vectors.length === count && vectors.every(({ length }) => length > 0)) return vectors;
  throw new Error(`the answer has no embeddings for ${count} texts`);
}

/** With length 1, so that the product of two vectors is the cosine of their angle. */
function normalised(vector: Vector): Vector {
  const length = Math.sqrt(product(vector, vector));
  if (!Number.isFinite(length) || length === 0) throw new Error('an embedding is no vector');
  return vector.map((value) => value / length);
}

function product(a: Vector, b: Vector): number {
  let sum = 0;
  for (let index = 0; index < a.length; index += 1) sum += (a[index] as number) * (b[index] as number);
  return sum;
}

const encode = ({ buffer, byteOffset, byteLength }: Vector): string =>
  Buffer.from(buffer, byteOffset, byteLength).toString('base64');

/** Copied: the bytes of a buffer need not start where a number may. */
const decode = (text: string): Vector => new Float32Array(new Uint8Array(Buffer.from(text, 'base64')).buffer);

/** The body of a response, up to a limit. */
async function bounded({ body }: Response): Promise<string> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of body ?? []) {
    bytes += chunk.byteLength;
    if (bytes > MAX_BYTES) throw new Error(`the answer has more than ${MAX_BYTES} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

function reasonOf(error: unknown): string {
  const { message, cause } = error as Error;
  return cause instanceof Error ? `${message}: ${cause.message}` : message;
}
