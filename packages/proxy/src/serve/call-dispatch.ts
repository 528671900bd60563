import { Canceller } from '@a2c/hub';
import { isRecord, ShortLivedMap } from '@a2c/protocol';
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
import { equalJson } from '../results/json-text.js';
import { isId } from './client-message.js';

type Fields = Readonly<Record<string, unknown>>;

/** What the proxy uses of the SDK's context of a request. */
export interface RequestContext {
  readonly mcpReq: Pick<
    ServerContext['mcpReq'],
    '_meta' | 'envelope' | 'inputResponses' | 'method' | 'notify' | 'requestState' | 'send' | 'signal'
  > & {
    /** The source of the signal, if the SDK does not handle the request: the signal is created when it is read. */
    readonly canceller?: Canceller;
    /** Where the client connects from, if the connection serves several clients. */
    readonly address?: string | undefined;
  };
}

/** Handles `tools/call`. */
export type CallHandler = (request: { readonly params: Fields }, ctx: RequestContext) => Promise<object>;

/** Receives the messages that belong to one call. */
export interface CallReply {
  /** Where the client connects from, if the connection serves several clients. */
  readonly address?: string | undefined;
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

type Request = RequestContext['mcpReq'];

/** A call that is dispatched here. */
class DispatchedCall {
  readonly method = 'tools/call';
  readonly id: RequestId;
  readonly _meta: Request['_meta'];
  readonly envelope: Request['envelope'];
  readonly canceller = new Canceller();
  readonly reply: CallReply;
  readonly #connection: DispatchedConnection;

  constructor(id: RequestId, { meta, envelope }: CallMeta, reply: CallReply, connection: DispatchedConnection) {
    this.id = id;
    this._meta = meta as Request['_meta'];
    this.envelope = envelope as Request['envelope'];
    this.reply = reply;
    this.#connection = connection;
  }

  get signal(): AbortSignal {
    return this.canceller.signal;
  }

  get address(): string | undefined {
    return this.reply.address;
  }

  requestState(): undefined {
    return undefined;
  }

  async notify(notification: Parameters<Request['notify']>[0]): Promise<void> {
    this.#connection.assertNotification(notification.method);
    await this.reply.send({ jsonrpc: '2.0', ...notification });
  }

  get send(): Request['send'] {
    return this.#connection.request(this.id);
  }
}

/** The two parts of `_meta`. */
interface CallMeta {
  readonly envelope?: Fields | undefined;
  readonly meta?: Fields | undefined;
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
  readonly #pending = new ShortLivedMap<string | number, DispatchedCall>();
  /** The envelopes by their texts. */
  readonly #accepted = new Map<string, Fields | undefined>();
  /** The last `_meta` that was an accepted envelope and nothing else, as it was sent: most calls repeat it. */
  #repeated: { readonly sent: Fields; readonly read: CallMeta } | undefined;
  /** Calls that have not ended. */
  running = 0;

  constructor(connection: DispatchedConnection) {
    this.#connection = connection;
  }

  /** The SDK has accepted a call with this envelope. */
  accept(envelope: unknown): void {
    const text = textOf(envelope);
    if (text.length > MAX_ENVELOPE_LENGTH) return;
    this.#accepted.set(text, envelope as Fields | undefined);
    const [oldest = ''] = this.#accepted.keys();
    if (this.#accepted.size > MAX_ENVELOPES) this.#accepted.delete(oldest);
  }

  /** Returns false if the SDK has to handle the message. `openReply` is called if it has not. */
  take(message: JSONRPCMessage, openReply: OpenReply): boolean {
    if (!('method' in message)) return false;
    const { method, params } = message;
    if (method === 'notifications/cancelled') return this.cancel(params?.requestId as RequestId, params?.reason);
    if (method !== 'tools/call' || !('id' in message) || !isPlainCall(params)) return false;
    const callMeta = this.#acceptedMeta(params._meta);
    if (!callMeta) return false;
    const call = new DispatchedCall(message.id, callMeta, openReply(message.id), this.#connection);
    this.#pending.set(keyOf(call.id), call);
    void this.#run(call, withMeta(params, callMeta.meta));
    return true;
  }

  /** Undefined if the envelope was not accepted. */
  #acceptedMeta(sent: Fields | undefined): CallMeta | undefined {
    if (sent && this.#repeated && equalJson(sent, this.#repeated.sent)) return this.#repeated.read;
    const { envelope, meta } = readMeta(sent);
    const text = textOf(envelope);
    if (!this.#accepted.has(text)) return undefined;
    // Always the same envelope, so that what follows from it need not be computed for each call.
    const read = { envelope: this.#accepted.get(text), meta };
    if (sent && meta === undefined) this.#repeated = { sent, read };
    return read;
  }

  /** Cancels a call. Returns false if it is not pending here. */
  cancel(id: RequestId, reason: unknown): boolean {
    const call = this.#pending.get(keyOf(id));
    call?.canceller.abort(reason);
    return call !== undefined;
  }

  /** Where the messages of a pending call go; undefined if it is not pending here. */
  replyOf(id: RequestId | undefined): CallReply | undefined {
    return id === undefined ? undefined : this.#pending.get(keyOf(id))?.reply;
  }

  /** The connection has ended. */
  close(): void {
    for (const { canceller } of this.#pending.values()) canceller.abort(new Error('the client has disconnected'));
  }

  async #run(call: DispatchedCall, params: Fields): Promise<void> {
    const { handle, encode, modernCode } = this.#connection;
    const { id, reply } = call;
    let answer: object;
    this.running++;
    try {
      const result = encode(await handle({ params }, { mcpReq: call as Request }));
      answer = { jsonrpc: '2.0', id, result };
    } catch (error) {
      answer = { jsonrpc: '2.0', id, error: toRpcError(error, call.envelope && modernCode) };
    }
    this.running--;
    const key = keyOf(id);
    if (this.#pending.get(key) === call) this.#pending.remove(key);
    // A cancelled request gets no answer, and a client that has disconnected receives none.
    if (call.canceller.reason !== undefined) reply.end?.();
    else reply.send(answer as JSONRPCMessage).catch(() => reply.end?.());
  }
}

/** An id as a key of an object, where 1 and "1" are the same. A client may cancel anything: no other value is a key. */
export const keyOf = (id: unknown): string | number =>
  typeof id === 'string' ? `"${id}` : typeof id === 'number' ? id : '';

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

/** The parameters with another `_meta`. A key that is absent stays absent: repeated requests are compared. */
function withMeta({ name, arguments: args }: PlainCall, meta: Fields | undefined): Fields {
  return args === undefined ? { name, _meta: meta } : { name, arguments: args, _meta: meta };
}

/** Divides `_meta` into the envelope and the other keys. */
function readMeta(meta: Fields | undefined): CallMeta {
  if (!meta) return NO_META;
  let envelope: Record<string, unknown> | undefined;
  let others = Object.keys(meta).length;
  // The same envelope has the same text, in whatever order its keys were sent.
  for (const key of ENVELOPE_KEYS) {
    if (!(key in meta)) continue;
    envelope ??= {};
    envelope[key] = meta[key];
    others--;
  }
  if (!envelope) return { meta };
  const isOther = ([key]: readonly [string, unknown]) => !ENVELOPE_KEYS.includes(key);
  return { envelope, meta: others > 0 ? Object.fromEntries(Object.entries(meta).filter(isOther)) : undefined };
}

const NO_META: CallMeta = {};
