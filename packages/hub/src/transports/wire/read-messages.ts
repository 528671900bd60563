import {
  isJSONRPCErrorResponse,
  isJSONRPCNotification,
  isJSONRPCRequest,
  isJSONRPCResultResponse,
  type JSONRPCMessage,
} from '@modelcontextprotocol/client';

/** The code of the errors that a transport itself gives to a request. */
export const TRANSPORT_ERROR = -32000;
const INTERNAL_ERROR = -32603;

/** What a text from the far side holds. */
export interface Incoming {
  readonly messages: readonly JSONRPCMessage[];
  /** Values that are no JSON-RPC message. */
  readonly junk: number;
  /** The text says exactly what `messages` say, so that it can be passed on as it is. */
  readonly untouched: boolean;
}

const NONE: Incoming = { messages: [], junk: 1, untouched: false };

/** Reads one JSON text: a message, or a batch of them as servers of 2025-03-26 send. */
export function readMessages(text: string): Incoming {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return NONE;
  }
  const values = Array.isArray(value) ? value : [value];
  const messages = values.flatMap((each) => asMessage(each) ?? []);
  const untouched = !Array.isArray(value) && messages[0] === value;
  return { messages, junk: values.length - messages.length, untouched };
}

const KEYS: ReadonlySet<string> = new Set(['jsonrpc', 'id', 'method', 'params', 'result', 'error']);

/**
 * The SDK drops an answer that is not exactly as it should be, and its caller waits for the whole timeout. So what can be
 * mended is mended (keys that do not belong there, `error: null` beside a result), and what cannot fails its request at once.
 */
function asMessage(value: unknown): JSONRPCMessage | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const message = withoutStrangers(value);
  if ('method' in message) return isJSONRPCRequest(message) || isJSONRPCNotification(message) ? message : undefined;
  if (isJSONRPCResultResponse(message) || isJSONRPCErrorResponse(message)) return message;
  const { id } = message as { readonly id?: unknown };
  if (typeof id !== 'string' && typeof id !== 'number') return undefined;
  return failure(id, "the server's answer is not a JSON-RPC response", INTERNAL_ERROR);
}

function withoutStrangers(value: object): object {
  const strange = Object.keys(value).some((key) => !KEYS.has(key));
  const nullError = 'error' in value && value.error === null && 'result' in value;
  if (!strange && !nullError) return value;
  return Object.fromEntries(Object.entries(value).filter(([key]) => KEYS.has(key) && !(key === 'error' && nullError)));
}

/** The answer to a request that the far side did not, or not usefully, answer. */
export function failure(id: string | number, message: string, code = TRANSPORT_ERROR): JSONRPCMessage {
  return { jsonrpc: '2.0', id, error: { code, message } };
}

export function oversizedFailure(id: string | number, maxBytes: number): JSONRPCMessage {
  return failure(id, `the server's message is larger than the limit of ${maxBytes} bytes`);
}
