import { isRecord } from '@a2c/protocol';
import {
  CLIENT_CAPABILITIES_META_KEY,
  CLIENT_INFO_META_KEY,
  type JSONRPCMessage,
  LOG_LEVEL_META_KEY,
  PROTOCOL_VERSION_META_KEY,
  type ProtocolError,
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

/** The connection whose calls are dispatched. */
export interface DispatchedConnection {
  readonly handle: CallHandler;
  /** The result in the form of the connection's protocol generation. */
  readonly encode: (result: object) => object;
  /** An error code in the form of MCP 2026. */
  readonly modernCode: (code: number) => number;
  readonly notify: (id: RequestId) => ServerContext['mcpReq']['notify'];
  readonly request: (id: RequestId) => ServerContext['mcpReq']['send'];
  readonly send: (message: JSONRPCMessage) => Promise<void>;
  /** Why parameters are refused; undefined if their size is within the limits. */
  readonly sizeProblem: (params: unknown) => ProtocolError | undefined;
}

/** The keys of `_meta` that describe the client of MCP 2026. */
const ENVELOPE_KEYS = [
  PROTOCOL_VERSION_META_KEY,
  CLIENT_INFO_META_KEY,
  CLIENT_CAPABILITIES_META_KEY,
  LOG_LEVEL_META_KEY,
];

/**
 * Handles `tools/call` without the SDK, which checks a message up to six times: for a small call that is a quarter of
 * the proxy's work. The SDK handles the first call of a connection, and every call with an envelope that it has not
 * accepted before, with unusual fields, or with responses to input requests.
 */
export class CallDispatch {
  readonly #connection: DispatchedConnection;
  readonly #pending = new Map<RequestId, AbortController>();
  #accepted: string | undefined;

  constructor(connection: DispatchedConnection) {
    this.#connection = connection;
  }

  /** The SDK has accepted a call with this envelope. */
  accept(envelope: unknown): void {
    this.#accepted = JSON.stringify(envelope) ?? '';
  }

  /** Returns false if the SDK has to handle the message. */
  take(message: JSONRPCMessage): boolean {
    if (!('method' in message)) return false;
    const { method, params } = message;
    if (method === 'notifications/cancelled') return this.#cancel(params ?? {});
    if (method !== 'tools/call' || !('id' in message)) return false;
    // Before anything serialises them.
    const problem = this.#connection.sizeProblem(params);
    if (problem) this.#answer(message.id, { error: toRpcError(problem) });
    if (problem || this.#accepted === undefined || !isPlainCall(params)) return problem !== undefined;
    const { envelope, meta } = readMeta(params._meta);
    if ((envelope ? JSON.stringify(envelope) : '') !== this.#accepted) return false;
    void this.#run(message.id, { ...params, _meta: meta }, envelope);
    return true;
  }

  /** The connection has ended. */
  close(): void {
    for (const controller of this.#pending.values()) controller.abort(new Error('the client has disconnected'));
  }

  #cancel({ requestId, reason }: Fields): boolean {
    const controller = this.#pending.get(requestId as RequestId);
    controller?.abort(reason);
    return controller !== undefined;
  }

  async #run(id: RequestId, params: Fields, envelope: Fields | undefined): Promise<void> {
    const { handle, encode, modernCode, notify, request } = this.#connection;
    const controller = new AbortController();
    const { signal } = controller;
    this.#pending.set(id, controller);
    const mcpReq = {
      method: 'tools/call',
      _meta: params._meta,
      envelope,
      signal,
      requestState: () => undefined,
      notify: notify(id),
      send: request(id),
    } as RequestContext['mcpReq'];
    const answer = await handle({ params }, { mcpReq })
      .then((result) => ({ result: encode(result) }))
      .catch((error) => ({ error: toRpcError(error, envelope ? modernCode : undefined) }));
    if (this.#pending.get(id) === controller) this.#pending.delete(id);
    // A cancelled request gets no answer.
    if (!signal.aborted) this.#answer(id, answer);
  }

  #answer(id: RequestId, answer: object): void {
    const sent = this.#connection.send({ jsonrpc: '2.0', id, ...answer } as JSONRPCMessage);
    sent.catch(() => {}); // the client has disconnected
  }
}

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
