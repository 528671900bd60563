import type { JsonObject, JsonPath, JsonValue } from '../json/json-value.js';
import type { ConfigFormat } from '../model/formats.js';
import type { MCPConfig } from '../model/mcp-config.js';
import type { Origin } from '../model/server-config.js';
import type { ProblemList } from '../problems.js';

/**
 * Checks a VRL program: returns an error message, or null when the program compiles. This package does not contain VRL;
 * pass a function that uses `@a2c/vrl`.
 */
export type VrlCheck = (source: string) => string | null;

export interface ReaderContext {
  readonly problems: ProblemList;
  readonly origin: Origin;
  readonly checkVrl: VrlCheck | undefined;
}

export type ConfigParts = Omit<MCPConfig, 'format'>;

/** Reads the documents of one format. Problems go to the context; a server with an error is left out. */
export interface Reader {
  readonly format: ConfigFormat;
  /** Whether comments and trailing commas are part of the format. */
  readonly jsonc: boolean;
  read(value: JsonValue, context: ReaderContext): ConfigParts;
}

/** The most servers that one file may have. Each is checked, and each can start a program. */
export const MAX_SERVERS = 1_000;

/** Reports a list or map at `path` that has too many servers. Called before the servers are read. */
export function hasTooManyServers(count: number, path: JsonPath, problems: ProblemList): boolean {
  if (count <= MAX_SERVERS) return false;
  problems.error(path, `the file has ${count} servers; the limit is ${MAX_SERVERS}`);
  return true;
}

export const EMPTY_PARTS: ConfigParts = { servers: [], inputs: [], client: null, proxy: null };

/** An element of a document, with its path for messages. */
export interface Located<T> {
  readonly key: string;
  readonly path: JsonPath;
  readonly item: T;
}

/** Keeps the last of the elements with the same key and warns about the others. */
export function lastOfEach<T>(entries: readonly Located<T>[], problems: ProblemList, noun: string): T[] {
  const byKey = new Map<string, T>();
  for (const { key, path, item } of entries) {
    if (byKey.has(key)) problems.warn(path, `another ${noun} with this name is defined above; this one replaces it`);
    byKey.set(key, item);
  }
  return [...byKey.values()];
}

/** Checks the URL fields of a Streamable HTTP server: either `url`, or both `sse_url` and `http_url`. */
export function checkUrls(server: JsonObject, path: JsonPath, problems: ProblemList): void {
  const has = (field: string) => server[field] !== undefined && server[field] !== null;
  if (has('url')) {
    for (const field of ['sse_url', 'http_url']) {
      if (has(field)) problems.error([...path, field], `"${field}" cannot be combined with "url"`);
    }
  } else if (has('sse_url') !== has('http_url')) {
    const present = has('sse_url') ? 'sse_url' : 'http_url';
    const absent = has('sse_url') ? 'http_url' : 'sse_url';
    problems.error([...path, present], `"${present}" also needs "${absent}"`);
  } else if (!has('sse_url')) {
    problems.error(path, '"url" is missing', { allowed: ['url', 'sse_url with http_url'] });
  }
}

/** `headers` and `http_headers` are two names of one field; only one may be present. */
export function checkHeaderSpelling(server: JsonObject, path: JsonPath, problems: ProblemList): void {
  if (server.headers !== undefined && server.http_headers !== undefined) {
    problems.error([...path, 'headers'], '"headers" and "http_headers" are the same field; keep one');
  }
}
