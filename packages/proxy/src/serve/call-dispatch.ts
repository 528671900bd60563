import { isRecord } from '@a2c/protocol';
import {
  CLIENT_CAPABILITIES_META_KEY,
  CLIENT_INFO_META_KEY,
  type JSONRPCMessage,
  LOG_LEVEL_META_KEY,
  PROTOCOL_VERSION_META_KEY,
  ProtocolErrorCode,
  type RequestId,
  type ServerContext,
} from '@modelcontextprotocol/server';
import { isId } from './client-message.js';

type Fields = Readonly<Record<string, unknown>>;

/** What the proxy uses of the SDK's context of a request. */
export interface RequestContext {
  readonly mcpReq: Pick<
    ServerContext['mcpReq'],
    '_meta' | 'envelope' | 'inputResponses' | 'method' | 'notify' | 'requestState' | 'send' | 'signal'
  >;
}

/** Handles `tools/call`. */
export type CallHandler = (request: { readonly params: Fields }, ctx: RequestContext) => Promise<object>;

/** Receives the messages that belong to one call. */
export interface CallReply {
  /** Sends a notification, a server request or the answer. */
  send(message: JSONRPCMessage): Promise<void>;
  /** The call was cancelled: no answer follows. */
  end?(): void;
}

/** Called with the id of a call that is dispatched. */
export type OpenReply = (id: RequestId) => CallReply;

/** The connection whose calls are dispatched. */
export interface DispatchedConnection {
  readonly handle: CallHandler;
  /** The result in the form of the connection's protocol generation. */
  readonly encode: (result: object) => object;
  /** An error code in the form of MCP 2026. */
  readonly modernCode: (code: number) => number;
  /** Throws if the server may not send a notification. */
  readonly assertNotification: (method: string) => void;
  readonly request: (id: RequestId) => ServerContext['mcpReq']['send'];
}

interface PendingCall {
  readonly controller: AbortController;
  readonly reply: CallReply;
}

/** The keys of `_meta` that describe the client of MCP 2026. */
const ENVELOPE_KEYS = [
  PROTOCOL_VERSION_META_KEY,
  CLIENT_INFO_META_KEY,
  CLIENT_CAPABILITIES_META_KEY,
  LOG_LEVEL_META_KEY,
];

/** Envelopes that are remembered; the oldest are forgotten first. Longer ones are not remembered. */
const MAX_ENVELOPES = 100;
const MAX_ENVELOPE_LENGTH = 4_096;

/**
 * Handles `tools/call` on stdio and HTTP without the SDK, which checks a message up to six times: for a small call that
 * is a quarter of the proxy's work. The SDK handles the first call of a connection, and every call with an envelope
 * that it has not accepted before, with unusual fields, or with responses to input requests.
 */
export class CallDispatch {
  readonly #connection: DispatchedConnection;
  readonly #pending = new Map<RequestId, PendingCall>();
  readonly #accepted = new Set<string>();

  constructor(connection: DispatchedConnection) {
    this.#connection = connection;
  }

  /** The SDK has accepted a call with this envelope. */
  accept(envelope: unknown): void {
    const text = textOf(envelope);
    if (text.length > MAX_ENVELOPE_LENGTH) return;
    this.#accepted.add(text);
    const [oldest = ''] = this.#accepted;
    if (this.#accepted.size > MAX_ENVELOPES) this.#accepted.delete(oldest);
  }

  /** Returns false if the SDK has to handle the message. `openReply` is called if it has not. */
  take(message: JSONRPCMessage, openReply: OpenReply): boolean {
    if (!('method' in message)) return false;
    const { method, params } = message;
    if (method === 'notifications/cancelled') return this.cancel(params?.requestId as RequestId, params?.reason);
    if (method !== 'tools/call' || !('id' in message) || !isPlainCall(params)) return false;
    const { envelope, meta } = readMeta(params._meta);
    if (!this.#accepted.has(textOf(envelope))) return false;
    void this.#run(message.id, { ...params, _meta: meta }, envelope, openReply(message.id));
    return true;
  }

  /** Cancels a call. Returns false if it is not pending here. */
  cancel(id: RequestId, reason: unknown): boolean {
    const call = this.#pending.get(id);
    call?.controller.abort(reason);
    return call !== undefined;
  }

  /** Where the messages of a pending call go; undefined if it is not pending here. */
  replyOf(id: RequestId | undefined): CallReply | undefined {
    return id === undefined ? undefined : this.#pending.get(id)?.reply;
  }

  /** The connection has ended. */
  close(): void {
    for (const { controller } of this.#pending.values()) controller.abort(new Error('the client has disconnected'));
  }

  async #run(id: RequestId, params: Fields, envelope: Fields | undefined, reply: CallReply): Promise<void> {
    const { handle, encode, modernCode, assertNotification, request } = this.#connection;
    const controller = new AbortController();
    const { signal } = controller;
    const call = { controller, reply };
    this.#pending.set(id, call);
    const mcpReq = {
      method: 'tools/call',
      _meta: params._meta,
      envelope,
      signal,
      requestState: () => undefined,
      notify: async (notification) => {
        assertNotification(notification.method);
        await reply.send({ jsonrpc: '2.0', ...notification });
      },
      send: request(id),
    } as RequestContext['mcpReq'];
    let answer: object;
    try {
      answer = { result: encode(await handle({ params }, { mcpReq })) };
    } catch (error) {
      answer = { error: toRpcError(error, envelope && modernCode) };
    }
    if (this.#pending.get(id) === call) this.#pending.delete(id);
    // A cancelled request gets no answer, and a client that has disconnected receives none.
    if (signal.aborted) reply.end?.();
    else reply.send({ jsonrpc: '2.0', id, ...answer } as JSONRPCMessage).catch(() => reply.end?.());
  }
}

/** Calls without an envelope have the text ''. */
const textOf = (envelope: unknown): string => (envelope === undefined ? '' : JSON.stringify(envelope));

function toRpcError(error: unknown, encodeCode = (code: number) => code): object {
  const { code, message, data } = error as { code?: unknown; message?: string; data?: unknown };
  return {
    code: encodeCode(Number.isSafeInteger(code) ? (code as number) : ProtocolErrorCode.InternalError),
    message: message ?? 'Internal error',
    ...(data !== undefined && { data }),
  };
}

interface PlainCall extends Fields {
  readonly _meta?: Fields;
}

/** Whether a call has the fields of every version, in their types, and no others. */
function isPlainCall(params: unknown): params is PlainCall {
  if (!isRecord(params)) return false;
  for (const key of Object.keys(params)) if (!CALL_KEYS.has(key)) return false;
  const { name, arguments: args, _meta: meta } = params;
  return (
    typeof name === 'string' && (args === undefined || isRecord(args)) && (meta === undefined || isPlainMeta(meta))
  );
}

const CALL_KEYS: ReadonlySet<string> = new Set(['name', 'arguments', '_meta']);

function isPlainMeta(meta: unknown): boolean {
  if (!isRecord(meta)) return false;
  const { progressToken: token } = meta;
  return token === undefined || isId(token);
}

/** Divides `_meta` into the envelope and the other keys. */
function readMeta(meta: Fields | undefined): { readonly envelope?: Fields; readonly meta?: Fields } {
  if (!meta || !ENVELOPE_KEYS.some((key) => key in meta)) return meta ? { meta } : {};
  const envelope: Record<string, unknown> = {};
  const others: Record<string, unknown> = { ...meta };
  for (const key of ENVELOPE_KEYS) {
    if (!(key in meta)) continue;
    envelope[key] = meta[key];
    delete others[key];
  }
  return Object.keys(others).length > 0 ? { envelope, meta: others } : { envelope };
}
