import type { IncomingMessage, ServerResponse } from 'node:http';
import { isRecord } from '@a2c/protocol';
import { type NodeIncomingMessageLike, toNodeHandler } from '@modelcontextprotocol/node';
import {
  type AuthInfo,
  CLIENT_CAPABILITIES_META_KEY,
  type ClientCapabilities,
  createMcpHandler,
  isLegacyRequest,
  type JSONRPCRequest,
} from '@modelcontextprotocol/server';
import type { MCPProxy } from '../mcp-proxy.js';
import { isClientMessage } from './client-message.js';
import { ConnectedClient } from './connected-client.js';
import type { HttpOptions } from './http.js';
import { notifyStatelessClients } from './notifications.js';
import { parameterMismatch } from './parameter-headers.js';
import { rpcErrorResponse } from './rpc-error.js';
import { createEndpoint, serverFactory } from './server-factory.js';
import { SessionStore } from './session-store.js';
import { StatelessCalls } from './stateless-calls.js';
import { LISTEN_METHOD, ListenSubscriptions } from './subscriptions.js';
import { limitUnread } from './unread.js';

/** The MCP requests of one proxy over HTTP. */
export interface McpHandler {
  /** `body`: the parsed body of a POST request; undefined if it is no JSON. */
  handle(request: IncomingMessage, response: ServerResponse, body?: unknown): Promise<void>;
  close(): Promise<void>;
}

/** Dispatches usual calls itself, and lets the SDK handle all other requests. */
export function mcpHandler(proxy: MCPProxy, options: HttpOptions): McpHandler {
  const { onError = () => {}, passThrough = false } = options;
  const { limits } = proxy.options;
  const maxRequestBodySize = limits.bodyBytes;
  const endpoint = createEndpoint(proxy, (message) => onError(new Error(message)));
  const factory = serverFactory(endpoint, options);
  const sessions = new SessionStore(factory, limits);
  const calls = new StatelessCalls(factory);
  const stateless = createMcpHandler(calls.createServer, { legacy: 'reject', maxRequestBodySize, onerror: onError });
  const stopNotifying = notifyStatelessClients(stateless.notify, endpoint, options);
  const subscriptions = new ListenSubscriptions(endpoint);

  const mismatchOf = (request: Pick<IncomingMessage, 'headers'>, body: unknown) =>
    passThrough ? parameterMismatch(body, request.headers, proxy.registry) : undefined;

  const take = (request: IncomingMessage, response: ServerResponse, body: unknown): boolean => {
    if (!isUsual(request) || !isCall(body)) return false;
    if (sessions.take(body, request, response)) return true;
    return mismatchOf(request, body) === undefined && calls.take(body, request, response);
  };

  const handleStateless = async (request: Request, { parsedBody, authInfo }: FetchOptions): Promise<Response> => {
    const response = await stateless.fetch(request, { parsedBody, ...(authInfo && { authInfo }) });
    const isStream = response.headers.get('content-type')?.startsWith('text/event-stream');
    const isListening = passThrough && isRecord(parsedBody) && parsedBody.method === LISTEN_METHOD;
    if (!isListening || !isStream || request.signal.aborted) return response;
    // The subscriptions live as long as the response stream.
    subscriptions.begin(request, parsedBody, statelessClient(parsedBody, authInfo?.clientId));
    request.signal.addEventListener('abort', () => subscriptions.end(request), { once: true });
    return response;
  };

  const fetch = async (request: Request, given: FetchOptions = {}) => {
    const { parsedBody: body, authInfo } = given;
    const address = authInfo?.clientId ?? '';
    if (await isLegacyRequest(request, body, { maxRequestBodySize })) return sessions.handle(request, body, address);
    const mismatch = mismatchOf({ headers: Object.fromEntries(request.headers) }, body);
    if (!mismatch) return handleStateless(request, given);
    return rpcErrorResponse(400, mismatch.code, mismatch.message, (body as JSONRPCRequest).id);
  };
  const fetchLimited: typeof fetch = async (request, parsed) => {
    const response = await fetch(request, parsed);
    return response.body ? new Response(limitUnread(response.body), response) : response;
  };
  const handleWithSdk = toNodeHandler({ fetch: fetchLimited }, { onerror: onError, maxRequestBodySize });

  return {
    handle: async (request, response, body) => {
      if (take(request, response, body)) return;
      const { socket } = request;
      await proxy.turns.take({ id: socket, group: socket.remoteAddress });
      if (response.destroyed) return; // the client has disconnected
      // The only way to pass on who sent the request.
      const auth: AuthInfo = { token: '', clientId: socket.remoteAddress ?? '', scopes: [] };
      await handleWithSdk(Object.assign(request, { auth }) as NodeIncomingMessageLike, response, body);
    },
    close: async () => {
      stopNotifying();
      subscriptions.close();
      endpoint.calls.close();
      calls.close();
      await Promise.all([sessions.close(), stateless.close()]);
    },
  };
}

interface FetchOptions {
  readonly parsedBody?: unknown;
  readonly authInfo?: AuthInfo;
}

/** Whether the headers are those that MCP clients send. The SDK rejects others with what is wrong. */
function isUsual({ headers: { accept = '', 'content-type': type = '' } }: IncomingMessage): boolean {
  const acceptsBoth = accept.includes('application/json') && accept.includes('text/event-stream');
  return acceptsBoth && /^application\/json(;|$)/i.test(type);
}

const isCall = (body: unknown): body is JSONRPCRequest =>
  isClientMessage(body) && 'method' in body && 'id' in body && body.method === 'tools/call';

/** The client of a request in pass-through mode, with the capabilities that the request declares. */
function statelessClient(message: unknown, address: string | undefined): ConnectedClient {
  type Declaring = { readonly params?: { readonly _meta?: Readonly<Record<string, unknown>> } };
  const client = new ConnectedClient('modern', true, true, address);
  const declared = (message as Declaring).params?._meta?.[CLIENT_CAPABILITIES_META_KEY];
  if (isRecord(declared)) client.capabilities = declared as ClientCapabilities;
  return client;
}
