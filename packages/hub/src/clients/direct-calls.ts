import type { JsonObject } from '@a2c/config';
import { isDeeperThan, MAX_ANSWER_DEPTH, type Progress } from '@a2c/protocol';
import {
  type JSONRPCMessage,
  ProtocolError,
  type RequestId,
  SdkError,
  SdkErrorCode,
  type Transport,
} from '@modelcontextprotocol/client';
import type { Cancellation } from '../deadline.js';

interface PendingCall {
  readonly resolve: (result: JsonObject) => void;
  readonly reject: (error: Error) => void;
  readonly onProgress: ((progress: Progress) => void) | undefined;
}

/** The SDK counts its own requests on the connection from 0, and sends only a few. */
const FIRST_ID = 1_000_000;

/**
 * Sends `tools/call` to a legacy server without the SDK, which checks each message several times and sets a timer for
 * each request. The SDK handles everything else on the connection.
 */
export class DirectCalls {
  readonly #transport: Transport;
  readonly #pending = new Map<RequestId, PendingCall>();
  #lastId = FIRST_ID;

  /** The SDK has connected: it handles the messages that belong to no call. */
  constructor(transport: Transport) {
    this.#transport = transport;
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
        if (!this.#pending.delete(id)) return;
        reject(reason);
        const notification = { method: 'notifications/cancelled', params: { requestId: id, reason: String(reason) } };
        this.#transport.send({ jsonrpc: '2.0', ...notification }).catch(() => {}); // The connection is lost.
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
      this.#transport.send({ jsonrpc: '2.0', id, method: 'tools/call', params: sent }).catch((error: Error) => {
        this.#settle(id)?.reject(error);
      });
    });
  }

  /** The connection has ended. */
  close(): void {
    const error = new SdkError(SdkErrorCode.ConnectionClosed, 'Connection closed');
    for (const id of [...this.#pending.keys()]) this.#settle(id)?.reject(error);
  }

  /** Returns false if the message belongs to no call. */
  #take(message: JSONRPCMessage): boolean {
    if ('method' in message) return message.method === 'notifications/progress' && this.#report(message.params);
    const call = this.#settle(Number(message.id)); // Some servers turn the number into a string.
    if (!call) return false;
    if ('error' in message) {
      const { code, message: text, data } = message.error;
      call.reject(new ProtocolError(code, text, data));
    } else if (isDeeperThan(message.result, MAX_ANSWER_DEPTH)) {
      const problem = `it is nested deeper than ${MAX_ANSWER_DEPTH} levels`;
      call.reject(new SdkError(SdkErrorCode.InvalidResult, `Invalid result for tools/call: ${problem}`));
    } else call.resolve(legacyResult(message.result as JsonObject));
    return true;
  }

  #report(params: Readonly<Record<string, unknown>> | undefined): boolean {
    const { progressToken, ...progress } = params ?? {};
    const call = this.#pending.get(Number(progressToken));
    call?.onProgress?.(progress as unknown as Progress);
    return call !== undefined;
  }

  #settle(id: RequestId): PendingCall | undefined {
    const call = this.#pending.get(id);
    this.#pending.delete(id);
    return call;
  }
}

/** Other types of results than tasks belong to the modern generation. */
function legacyResult(result: JsonObject): JsonObject {
  if (result.resultType === undefined || result.resultType === 'task') return result;
  const { resultType: _, ...rest } = result;
  return rest;
}
