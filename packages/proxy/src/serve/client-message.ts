import { isRecord } from '@a2c/protocol';
import type { JSONRPCMessage } from '@modelcontextprotocol/server';

/** The JSON-RPC codes of a message that is no valid request, and of one that is no JSON. */
export const INVALID_REQUEST = -32_600;
export const PARSE_ERROR = -32_700;

/** For clients of a version without batches, and on stdio. */
export const NO_BATCHES =
  'Invalid request: a message is one JSON-RPC object, and batches are no part of MCP since 2025-06-18';

type Id = string | number;

/** Why a message is refused. `id` is null if it cannot be read, and absent if the message must not be answered. */
export interface InvalidMessage {
  readonly problem: string;
  readonly code: number;
  readonly id?: Id | null;
}

const KEYS: ReadonlySet<string> = new Set(['jsonrpc', 'id', 'method', 'params', 'result', 'error']);

/** Reads a line as a message of a client. Unknown members are removed, because the SDK rejects them. */
export function readClientMessage(text: string): { readonly message: JSONRPCMessage } | InvalidMessage {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    return { problem: `Parse error: ${(error as Error).message}`, code: PARSE_ERROR, id: null };
  }
  const problem = Array.isArray(value) ? NO_BATCHES : prefixed(problemOf(value));
  if (problem === undefined) return { message: withKnownKeys(value as Fields) as unknown as JSONRPCMessage };
  const { id, method } = isRecord(value) ? value : {};
  // An answer to an answer could be answered again.
  const isResponse = isRecord(value) && method === undefined && ('result' in value || 'error' in value);
  return { problem, code: INVALID_REQUEST, ...(!isResponse && { id: isId(id) ? id : null }) };
}

type Fields = Readonly<Record<string, unknown>>;

/** Whether a value can be the id of a request or a progress token. */
export const isId = (value: unknown): value is Id => typeof value === 'string' || Number.isSafeInteger(value);

const prefixed = (problem: string | undefined) => (problem === undefined ? undefined : `Invalid request: ${problem}`);

function problemOf(value: unknown): string | undefined {
  if (!isRecord(value)) return 'a message is a JSON object';
  const { id, method, params, result, error } = value;
  if (value.jsonrpc !== '2.0') return '"jsonrpc" must be "2.0"';
  if (id !== undefined && !isId(id)) return '"id" must be a string or an integer';
  if (method === undefined) {
    const isResponse = isId(id) && (isRecord(result) || isRecord(error));
    return isResponse ? undefined : '"method" is missing';
  }
  return typeof method === 'string' ? paramsProblem(params) : '"method" must be a string';
}

function paramsProblem(params: unknown): string | undefined {
  if (params === undefined) return undefined;
  if (!isRecord(params)) return '"params" must be an object';
  const { _meta: meta } = params;
  if (meta === undefined) return undefined;
  if (!isRecord(meta)) return '"params._meta" must be an object';
  const { progressToken: token } = meta;
  return token === undefined || isId(token) ? undefined : '"params._meta.progressToken" must be a string or an integer';
}

function withKnownKeys(value: Fields): Fields {
  const isRequest = value.method !== undefined;
  const isKnown = (key: string) => KEYS.has(key) && !(isRequest && (key === 'result' || key === 'error'));
  const keys = Object.keys(value);
  return keys.every(isKnown) ? value : Object.fromEntries(Object.entries(value).filter(([key]) => isKnown(key)));
}
