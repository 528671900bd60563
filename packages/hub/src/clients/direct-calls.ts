import type { JsonObject } from '@a2c/config';
import { isDeeperThan, isRecord, MAX_ANSWER_DEPTH, type Progress, ShortLivedMap } from '@a2c/protocol';
import {
  type JSONRPCMessage,
  ProtocolError,
  SdkError,
  SdkErrorCode,
  type Transport,
} from '@modelcontextprotocol/client';
import type { Cancellation } from '../cancellation.js';
import type { SendOptions } from '../transports/server-transport.js';

interface PendingCall {
  readonly resolve: (result: JsonObject) => void;
  readonly reject: (error: Error) => void;
  readonly onProgress: ((progress: Progress) => void) | undefined;
}

/** The SDK counts its own requests on the connection from 0, and sends only a few. */
const FIRST_ID = 1_000_000;

/**
 * Sends `tools/call` without the SDK, which checks each message several times and sets a timer for each request. The
 * SDK handles everything else on the connection. Not for modern HTTP, where each request has its own stream and
 * headers.
 */
export class DirectCalls {
  readonly #transport: Transport;
  readonly #envelope: JsonObject | undefined;
  readonly #pending = new ShortLivedMap<number, PendingCall>();
  #lastId = FIRST_ID;
  /** The last `_meta` of a message, and the same with the envelope. */
  #lastMeta: { readonly own: JsonObject | undefined; readonly whole: JsonObject } | undefined;

  /**
   * The SDK has connected: it handles the messages that belong to no call. `envelope` is what a modern connection adds
   * to `_meta` of every message.
   */
  constructor(transport: Transport, envelope?: JsonObject) {
    this.#transport = transport;
    this.#envelope = envelope;
    const handle = transport.onmessage;
    transport.onmessage = (message, extra) => {
      if (!this.#take(message)) handle?.(message, extra);
    };
  }

  /** Resolves with the result as the server sent it. Rejects with the reason of the cancellation. */
  call(params: JsonObject, cancellation: Cancellation, onProgress?: (progress: Progress) => void): Promise<JsonObject> {
    return new Promise((resolve, reject) => {
      const { reason } = cancellation;
      if (reason) {
        reject(reason);
        return;
      }
      const id = ++this.#lastId;
      const stopListening = cancellation.onAbort((reason) => {
        if (!this.#pending.remove(id)) return;
        reject(reason);
        const params = this.#withEnvelope({ requestId: id, reason: String(reason) });
        const notification = { jsonrpc: '2.0' as const, method: 'notifications/cancelled', params };
        this.#transport.send(notification).catch(() => {}); // The connection is lost.
      });
      this.#pending.set(id, {
        resolve: (result) => {
          stopListening();
          resolve(result);
        },
        reject: (error) => {
          stopListening();
          reject(error);
        },
        onProgress,
      });
      const sent = onProgress ? { ...params, _meta: { ...(params._meta as JsonObject), progressToken: id } } : params;
      const message = { jsonrpc: '2.0' as const, id, method: 'tools/call', params: this.#withEnvelope(sent) };
      const options: SendOptions = { isAlone: this.#pending.size === 1 };
      this.#transport.send(message, options).catch((error: Error) => {
        this.#pending.remove(id)?.reject(error);
      });
    });
  }

  /** The connection has ended. */
  close(): void {
    const error = new SdkError(SdkErrorCode.ConnectionClosed, 'Connection closed');
    for (const id of this.#pending.keys()) this.#pending.remove(Number(id))?.reject(error);
  }

  /** Returns false if the message belongs to no call. */
  #take(message: JSONRPCMessage): boolean {
    if ('method' in message) return message.method === 'notifications/progress' && this.#report(message.params);
    const call = this.#pending.remove(Number(message.id)); // Some servers turn the number into a string.
    if (!call) return false;
    if ('error' in message) {
      const { code, message: text, data } = message.error;
      call.reject(new ProtocolError(code, text, data));
      return true;
    }
    const result = message.result as JsonObject;
    const problem = isDeeperThan(result, MAX_ANSWER_DEPTH)
      ? `it is nested deeper than ${MAX_ANSWER_DEPTH} levels`
      : this.#envelope && modernProblem(result);
    if (problem) call.reject(new SdkError(SdkErrorCode.InvalidResult, `Invalid result for tools/call: ${problem}`));
    else call.resolve(this.#envelope ? modernResult(result) : legacyResult(result));
    return true;
  }

  #withEnvelope(params: JsonObject): JsonObject {
    if (!this.#envelope) return params;
    const own = params._meta as JsonObject | undefined;
    // The same object for many calls, unless they have progress or data of their own.
    if (!this.#lastMeta || this.#lastMeta.own !== own) {
      this.#lastMeta = { own, whole: { ...this.#envelope, ...own } };
    }
    return Object.assign({}, params, { _meta: this.#lastMeta.whole }); // In V8 faster than a spread and a key.
  }

  #report(params: Readonly<Record<string, unknown>> | undefined): boolean {
    const { progressToken, ...fields } = params ?? {};
    const call = typeof progressToken === 'object' ? undefined : this.#pending.get(Number(progressToken));
    if (call?.onProgress && Number.isFinite(fields.progress)) call.onProgress(validProgress(fields));
    return call !== undefined;
  }
}

/** Without fields of a wrong type, such as `null`. */
function validProgress(fields: Readonly<Record<string, unknown>>): Progress {
  const { total, message, ...rest } = fields;
  return {
    ...(rest as unknown as Progress),
    ...(Number.isFinite(total) && { total: total as number }),
    ...(typeof message === 'string' && { message }),
  };
}

/** Other types of results than tasks belong to the modern generation. */
function legacyResult(result: JsonObject): JsonObject {
  return result.resultType === undefined || result.resultType === 'task' ? result : withoutType(result);
}

/** What is wrong with the type of a result; undefined if it is right. */
function modernProblem({ resultType, inputRequests, requestState }: JsonObject): string | undefined {
  if (resultType === undefined) return 'it has no resultType';
  if (!MODERN_TYPES.has(resultType)) return `its resultType ${JSON.stringify(resultType)} is not known`;
  if (resultType !== 'input_required') return undefined;
  const requests = isRecord(inputRequests) ? Object.keys(inputRequests) : [];
  const isComplete = typeof requestState === 'string' || requests.length > 0;
  return isComplete ? undefined : 'it requires input, but has neither inputRequests nor requestState';
}

const MODERN_TYPES: ReadonlySet<unknown> = new Set(['complete', 'input_required', 'task']);

function modernResult(result: JsonObject): JsonObject {
  return result.resultType === 'complete' ? withoutType(result) : result;
}

/** A loop: destructuring with a rest is a slow call into the engine. */
function withoutType(result: JsonObject): JsonObject {
  const rest: Record<string, JsonObject[string]> = {};
  for (const key in result)
    if (key !== 'resultType' && key !== '__proto__') rest[key] = result[key] as JsonObject[string];
  return rest;
}
