import { EnvelopeScanner } from '@a2c/hub';
import { isRecord, JSON_TEXT_LIMITS, jsonTextProblem, sizeProblem } from '@a2c/protocol';
import type { JSONRPCMessage } from '@modelcontextprotocol/server';
import type { ProxyLimits } from '../limits.js';

/** The JSON-RPC codes of a message that is no valid request, of one over the limits, and of one that is no JSON. */
export const INVALID_REQUEST = -32_600;
const INVALID_PARAMS = -32_602;
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

type Limits = Pick<ProxyLimits, 'paramsDepth' | 'paramsValues'>;

/** Parses the JSON of a message within the limits. */
export function parseMessage(bytes: Buffer, limits: Limits): { readonly value: unknown } | InvalidMessage {
  const { paramsDepth, paramsValues } = limits;
  const text = bytes.toString();
  const tooMany = jsonTextProblem(text, { values: paramsValues, keys: JSON_TEXT_LIMITS.keys });
  if (tooMany !== undefined) {
    const { id, hasMethod } = new EnvelopeScanner().push(bytes).envelope();
    return oversized(tooMany, hasMethod ? id : undefined);
  }
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    return { problem: `Parse error: ${(error as Error).message}`, code: PARSE_ERROR, id: null };
  }
  // A level of nesting takes two characters, a value one: most messages are too short for that many.
  const isShort = text.length < Math.min(2 * paramsDepth, paramsValues);
  const problem = isShort ? undefined : sizeProblem(value, paramsDepth, paramsValues);
  return problem === undefined ? { value } : oversized(problem, isRecord(value) ? value.id : undefined);
}

const oversized = (problem: string, id: unknown): InvalidMessage => ({
  problem: `Invalid params: the request ${problem}`,
  code: INVALID_PARAMS,
  id: isId(id) ? id : null,
});

/** Reads a line as a message of a client. Unknown members are removed, because the SDK rejects them. */
export function readClientMessage(
  bytes: Buffer,
  limits: Limits,
): { readonly message: JSONRPCMessage } | InvalidMessage {
  const parsed = parseMessage(bytes, limits);
  if ('problem' in parsed) return parsed;
  const { value } = parsed;
  const problem = Array.isArray(value) ? NO_BATCHES : prefixed(problemOf(value));
  if (problem === undefined) return { message: withKnownKeys(value as Fields) as unknown as JSONRPCMessage };
  const { id, method } = isRecord(value) ? value : {};
  // An answer to an answer could be answered again.
  const isResponse = isRecord(value) && method === undefined && ('result' in value || 'error' in value);
  return { problem, code: INVALID_REQUEST, ...(!isResponse && { id: isId(id) ? id : null }) };
}

/** Whether a value is a message that the SDK accepts as it is. */
export function isClientMessage(value: unknown): value is JSONRPCMessage {
  return problemOf(value) === undefined && withKnownKeys(value as Fields) === value;
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
