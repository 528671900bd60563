import { toUSVString } from 'node:util';
import { isDeeperThan, isRecord, jsonTextProblem, MAX_ANSWER_DEPTH } from '@a2c/protocol';
import {
  isJSONRPCErrorResponse,
  isJSONRPCNotification,
  isJSONRPCRequest,
  isJSONRPCResultResponse,
  type JSONRPCMessage,
  type JSONRPCNotification,
  type JSONRPCRequest,
  type JSONRPCResultResponse,
} from '@modelcontextprotocol/client';
import { EnvelopeScanner } from './envelope-scanner.js';

/** The code of errors that the transport itself produces. */
const TRANSPORT_ERROR = -32000;
const INTERNAL_ERROR = -32603;

/** The messages of one JSON text. */
export interface Incoming {
  readonly messages: readonly JSONRPCMessage[];
  /** The number of values that are not JSON-RPC messages. */
  readonly junk: number;
}

const NONE: Incoming = { messages: [], junk: 1 };

/** The maximum number of messages in a batch. The hub sends no batches: one has an answer and a few notifications. */
export const MAX_BATCH = 100;

/** How an object or an array begins in JSON. */
const MESSAGE = /^[ \t\r\n]*[{[]/;

/** Parses one JSON text: a message, or a batch as in MCP 2025-03-26. */
export function readMessages(text: string): Incoming {
  const problem = jsonTextProblem(text);
  if (problem !== undefined) return refused(text, problem);
  // An exception for each line of a log would cost more than all other work on it.
  if (!MESSAGE.test(text)) return NONE;
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return NONE;
  }
  if (Array.isArray(value) && value.length > MAX_BATCH) return refusedBatch(value);
  if (text.length > LARGE) repairLongTexts(value);
  if (Array.isArray(value)) {
    const messages = value.flatMap((each) => asMessage(each) ?? []);
    return { messages, junk: value.length - messages.length };
  }
  const message = asMessage(value);
  return message ? { messages: [message], junk: 0 } : NONE;
}

const LARGE = 2 ** 20;
const LONG = 2 ** 16;

/**
 * Replaces halves of surrogate pairs in long texts by U+FFFD. UTF-8 cannot represent them, and writing millions of them
 * as JSON takes seconds.
 */
function repairLongTexts(root: unknown): void {
  const open = [root];
  for (let value = open.pop(); value !== undefined; value = open.pop()) {
    if (typeof value !== 'object' || value === null) continue;
    const members = value as Record<string, unknown>;
    for (const [key, member] of Object.entries(members)) {
      if (typeof member === 'string' && member.length > LONG) members[key] = toUSVString(member);
      else open.push(member ?? null);
      if (key.length <= LONG) continue;
      const { [key]: moved } = members;
      delete members[key];
      members[toUSVString(key)] = moved;
    }
  }
}

/** Servers write the id first, or after a few members. */
const ID_WITHIN = 4_096;

/** Fails the request that a message over the limits of JSON answers. */
function refused(text: string, problem: string): Incoming {
  const { id, hasMethod } = new EnvelopeScanner().push(Buffer.from(text.slice(0, ID_WITHIN))).envelope();
  if (id === undefined || hasMethod) return NONE;
  return { messages: [failure(id, `the server's message ${problem}`)], junk: 0 };
}

/** Fails the requests that the first messages of a batch over the limit answer. */
function refusedBatch(values: readonly unknown[]): Incoming {
  const answers = values.slice(0, MAX_BATCH).flatMap((value) => {
    if (!isRecord(value) || 'method' in value) return [];
    const { id } = value;
    return typeof id === 'string' || typeof id === 'number' ? [id] : [];
  });
  const problem = `the server's batch has more than ${MAX_BATCH} messages`;
  return { messages: answers.map((id) => failure(id, problem)), junk: 1 };
}

const KEYS: ReadonlySet<string> = new Set(['jsonrpc', 'id', 'method', 'params', 'result', 'error']);

/**
 * The SDK drops an invalid answer, so that its request would wait for the whole timeout. Unknown keys and `error: null`
 * next to a result are removed; any other invalid answer fails its request at once.
 */
function asMessage(value: unknown): JSONRPCMessage | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const message = withoutUnknownKeys(value);
  if ('method' in message) return isOfServer(message) ? message : undefined;
  if (isPlainResult(message) || isJSONRPCResultResponse(message)) return message;
  const { id } = message as { readonly id?: unknown };
  if (isJSONRPCErrorResponse(message) && !isDeeperThan(message.error, MAX_ANSWER_DEPTH)) return message;
  if (typeof id !== 'string' && typeof id !== 'number') return undefined;
  return failure(id, "the server's answer is not a JSON-RPC response", INTERNAL_ERROR);
}

/** A request or a notification. Its handlers take no deep values; for results, their callers check the depth. */
function isOfServer(message: object): message is JSONRPCRequest | JSONRPCNotification {
  return (isJSONRPCRequest(message) || isJSONRPCNotification(message)) && !isDeeperThan(message, MAX_ANSWER_DEPTH);
}

/** The usual answer. The SDK's check takes longer than all other work on it. */
function isPlainResult(message: object): message is JSONRPCResultResponse {
  const { jsonrpc, id, result } = message as Record<string, unknown>;
  const isIdentified = typeof id === 'string' || Number.isSafeInteger(id);
  if (jsonrpc !== '2.0' || !isIdentified || !isRecord(result) || 'error' in message) return false;
  return result._meta === undefined || isRecord(result._meta);
}

function withoutUnknownKeys(value: object): object {
  let hasUnknown = false;
  for (const key in value) hasUnknown ||= !KEYS.has(key);
  const nullError = 'error' in value && value.error === null && 'result' in value;
  if (!hasUnknown && !nullError) return value;
  return Object.fromEntries(Object.entries(value).filter(([key]) => KEYS.has(key) && !(key === 'error' && nullError)));
}

/** An error answer in place of a missing or invalid one. */
export function failure(id: string | number, message: string, code = TRANSPORT_ERROR): JSONRPCMessage {
  return { jsonrpc: '2.0', id, error: { code, message } };
}

export function oversizedFailure(id: string | number, maxBytes: number): JSONRPCMessage {
  return failure(id, `the server's message is larger than the limit of ${maxBytes} bytes`);
}
