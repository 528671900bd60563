import type { CallToolResult } from '@a2c/protocol';
import {
  isInputRequiredResult,
  type JSONRPCMessage,
  ProtocolError,
  ProtocolErrorCode,
  type CallToolResult as SdkToolResult,
  Server,
  type Transport,
} from '@modelcontextprotocol/server';
import { CallDispatch, type CallHandler, type OpenReply, type RequestContext } from './call-dispatch.js';
import { paramsProblem } from './params-problem.js';

/** A result schema that accepts any value: the MCP server that sent a request checks the answer. */
export const ANY_RESULT = {
  '~standard': {
    version: 1 as const,
    vendor: 'a2c',
    validate: (value: unknown) => ({ value }),
  },
};

/** `_meta` keys with this prefix belong to one connection. The other side of the proxy has its own. */
export const CONNECTION_META_PREFIX = 'io.modelcontextprotocol/';

/** The exception: it names the task that a message belongs to. */
export const RELATED_TASK = `${CONNECTION_META_PREFIX}related-task`;

type WrapHandler = Server['_wrapHandler'];

/**
 * The SDK's server without validation of tool results. The SDK fails a call for a content block it does not know; a
 * proxy has to pass on blocks that newer servers send to newer clients. Invalid parameters are reported in one
 * sentence, and clients of MCP 2025 get the code -32002, which the SDK replaces.
 */
export class LenientServer extends Server {
  /** The ids of requests of MCP 2025 that failed with the code -32002. */
  readonly #notFound = new Set<unknown>();
  /** Requests that the SDK handles and that are not answered yet. */
  handledRequests = 0;
  /** Called when the SDK has accepted a call, with its envelope. */
  onAccepted: ((envelope: unknown) => void) | undefined;
  /** Where the answers of calls are written; by default, to the transport. */
  answers: Pick<Transport, 'send'> | undefined;
  #calls: CallDispatch | undefined;
  /** What the SDK adds to results of this connection's generation. */
  #added: Readonly<Record<string, unknown>> | undefined;
  #callHandler: CallHandler | undefined;
  #asAnswer: (result: object) => object = (result) => result;
  /** By default, the messages of a call go to the connection. */
  #openReply: OpenReply = () => ({ send: () => Promise.reject(new Error('Not connected')) });

  /** A tool result in the form that this connection's protocol generation expects. */
  toolResult(result: CallToolResult, outputSchema?: Readonly<Record<string, unknown>>): SdkToolResult {
    return this.projectCallToolResult(stripConnectionMeta(result) as SdkToolResult, outputSchema);
  }

  /** Requests of the client that are not answered yet. */
  get pendingRequests(): number {
    return this.handledRequests + (this.#calls?.running ?? 0);
  }

  /** Handles `tools/call`. `asAnswer` makes the answer of what the handler returns: one promise less for each call. */
  handleCalls(handler: CallHandler, asAnswer = this.#asAnswer): void {
    this.#callHandler = handler;
    this.#asAnswer = asAnswer;
    this.setRequestHandler('tools/call', async (request, ctx) => {
      const { envelope } = ctx.mcpReq;
      this.#calls?.accept(envelope);
      this.onAccepted?.(envelope);
      return asAnswer(await handler(request, ctx)) as SdkToolResult;
    });
  }

  /** Handles a message before the SDK does. Returns false if the SDK has to handle it. */
  take(message: JSONRPCMessage, openReply = this.#openReply): boolean {
    return this.#calls?.take(message, openReply) ?? false;
  }

  /** Dispatches calls with the handler of this server. It does not need a transport, except for server requests. */
  createDispatch(): CallDispatch | undefined {
    const handle = this.#callHandler;
    if (!handle) return undefined;
    return new CallDispatch({
      handle,
      encode: (result) => this.#encode(this.#asAnswer(result) as Readonly<Record<string, unknown>>),
      modernCode: (code) => this._wireCodec().encodeErrorCode(code),
      assertNotification: (method) => this.assertNotificationCapability(method),
      request: (id) =>
        ((...[request, schema, options]: [Request, typeof ANY_RESULT, object?]) =>
          this.request(request, schema, { ...options, relatedRequestId: id })) as RequestContext['mcpReq']['send'],
    });
  }

  /** As the SDK does it. It copies the result twice; a usual one is copied once here. */
  #encode(result: Readonly<Record<string, unknown>>): object {
    const codec = this._wireCodec();
    this.#added ??= codec.encodeResult('tools/call', {} as SdkToolResult, this._outboundServerInfo());
    const isUsual = (result.resultType ?? result._meta ?? result.capabilities) === undefined;
    // In V8, `{ ...result, key }` takes ten times as long.
    if (this.#added.resultType !== undefined && isUsual) return Object.assign({}, result, this.#added);
    return codec.encodeResult('tools/call', result as SdkToolResult, this._outboundServerInfo());
  }

  override async connect(transport: Transport): Promise<void> {
    const calls = this.createDispatch();
    const send = transport.send.bind(transport);
    transport.send = (message, options) => {
      const reply = calls?.replyOf(options?.relatedRequestId);
      return reply ? reply.send(message) : send(this.#withOwnCode(message), options);
    };
    await super.connect(transport);
    if (!calls) return;
    this.#calls = calls;
    this.#openReply = (relatedRequestId) => ({
      send: (message) => {
        if ('method' in message) return send(message, { relatedRequestId });
        return this.answers ? this.answers.send(message) : send(message);
      },
    });
    const { onmessage, onclose } = transport;
    transport.onmessage = (message, extra) => {
      if (!this.take(message)) onmessage?.(message, extra);
    };
    transport.onclose = () => {
      calls.close();
      onclose?.();
    };
  }

  #withOwnCode(message: JSONRPCMessage): JSONRPCMessage {
    if (!('error' in message) || !this.#notFound.delete(message.id)) return message;
    return { ...message, error: { ...message.error, code: ProtocolErrorCode.ResourceNotFound } };
  }

  protected override _wrapHandler(...[method, handler]: Parameters<WrapHandler>): ReturnType<WrapHandler> {
    const wrapped = this.wrapResult(method, handler);
    return async (request, ctx) => {
      try {
        return await wrapped(request, ctx);
      } catch (error) {
        const { envelope, id } = ctx.mcpReq;
        const isNotFound = error instanceof ProtocolError && error.code === ProtocolErrorCode.ResourceNotFound;
        if (isNotFound && envelope === undefined) this.#notFound.add(id);
        throw paramsProblem(error, method) ?? error;
      }
    };
  }

  /** No private name: the constructor of the SDK calls it, before there are any. */
  protected wrapResult(...[method, handler]: Parameters<WrapHandler>): ReturnType<WrapHandler> {
    if (method !== 'tools/call') return super._wrapHandler(method, handler);
    return async (request, ctx) => {
      let result: Awaited<ReturnType<typeof handler>> | undefined;
      const checked = super._wrapHandler(method, async (...args) => {
        result = await handler(...args);
        return isInputRequiredResult(result) ? result : { content: [] };
      });
      const answer = await checked(request, ctx);
      return isInputRequiredResult(answer) ? answer : (result ?? answer);
    };
  }
}

function stripConnectionMeta(result: CallToolResult): CallToolResult {
  const { _meta } = result;
  if (!_meta) return result;
  const isKept = (key: string) => !key.startsWith(CONNECTION_META_PREFIX);
  if (Object.keys(_meta).some(isKept)) {
    return { ...result, _meta: Object.fromEntries(Object.entries(_meta).filter(([key]) => isKept(key))) };
  }
  // A loop: destructuring with a rest is a slow call into the engine.
  const rest: Record<string, unknown> = {};
  for (const key in result) if (key !== '_meta' && key !== '__proto__') rest[key] = result[key as keyof CallToolResult];
  return rest as unknown as CallToolResult;
}
