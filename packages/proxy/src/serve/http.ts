import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { isRecord } from '@a2c/protocol';
import { type NodeIncomingMessageLike, toNodeHandler } from '@modelcontextprotocol/node';
import {
  CLIENT_CAPABILITIES_META_KEY,
  type ClientCapabilities,
  createMcpHandler,
  isLegacyRequest,
} from '@modelcontextprotocol/server';
import type { MCPProxy } from '../mcp-proxy.js';
import { displayName } from '../text/one-line.js';
import { ConnectedClient } from './connected-client.js';
import {
  addCorsHeaders,
  answerPreflight,
  assertProtected,
  type HttpAccess,
  rejectUnauthorized,
} from './http-access.js';
import { notifyStatelessClients } from './notifications.js';
import { bodyOf, rejectMismatch } from './parameter-headers.js';
import { createEndpoint, type ServeOptions, serverFactory } from './server-factory.js';
import { SessionStore } from './session-store.js';
import { LISTEN_METHOD, ListenSubscriptions } from './subscriptions.js';

const MCP_PATH = '/mcp';
const HEALTH_PATH = '/healthz';
/** Chooses a toolset for clients whose URL cannot. */
const TOOLSET_HEADER = 'a2c-toolset';

/** Options of `serveHttp`. */
export interface HttpOptions extends ServeOptions {
  /** The address to listen on. Default 127.0.0.1; any address that is not loopback requires `token`. */
  readonly host?: string;
  /** Default 0: a free port. */
  readonly port?: number;
  /** Clients must send it as `Authorization: Bearer …`. */
  readonly token?: string;
  /** Accepted names in the `Host` header, besides localhost and `host`. */
  readonly allowedHosts?: readonly string[];
  /** Hosts of web pages that may call the server and read its responses. Pages on localhost may call it in any case. */
  readonly allowedOrigins?: readonly string[];
  /** Further proxies by name, served at `/mcp/NAME` and to requests at `/mcp` with the header `A2C-Toolset: NAME`. */
  readonly toolsets?: Readonly<Record<string, MCPProxy>>;
  /** Receives errors that no client can be informed of. */
  readonly onError?: (error: Error) => void;
}

/** A proxy that is served over HTTP. */
export interface HttpEndpoint {
  /** The URL of the MCP endpoint. */
  readonly url: string;
  /** Closes all connections and sessions. The proxy itself stays open. */
  close(): Promise<void>;
}

/**
 * Serves a proxy over Streamable HTTP, to any number of clients of both generations of MCP at one URL.
 *
 * @example
 * ```ts
 * const { url, close } = await serveHttp(proxy, { port: 8_000 });
 * console.error(`serving ${url}`);
 * ```
 * @throws {Error} `host` is not loopback and there is no token, or the address cannot be used.
 */
export async function serveHttp(proxy: MCPProxy, options: HttpOptions = {}): Promise<HttpEndpoint> {
  const { host = '127.0.0.1', port = 0, onError = () => {}, toolsets = {} } = options;
  const access: HttpAccess = { ...options, host };
  assertProtected(access);
  const whole = mcpHandler(proxy, options);
  const named = new Map(Object.entries(toolsets).map(([name, part]) => [name, mcpHandler(part, options)]));

  /** The handler that the path or the header of a request names, or why there is none. */
  const chosen = (pathname: string, header: string | null): McpHandler | string => {
    const [path, inPath] = [pathname.slice(0, MCP_PATH.length), pathname.slice(MCP_PATH.length + 1)];
    if (path !== MCP_PATH || (pathname !== MCP_PATH && pathname[MCP_PATH.length] !== '/')) {
      return `MCP is served at ${MCP_PATH}`;
    }
    const name = inPath === '' ? header : decoded(inPath);
    if (name === null) return whole;
    const others = named.size === 0 ? 'there are no toolsets' : `there are ${[...named.keys()].join(', ')}`;
    return named.get(name) ?? `there is no toolset "${displayName(name)}": ${others}`;
  };

  const handle = async (request: Request): Promise<Response> => {
    const { pathname } = new URL(request.url);
    if (pathname === HEALTH_PATH) return healthOf(proxy);
    const rejection = rejectUnauthorized(request, access);
    if (rejection) return rejection;
    const handler = chosen(pathname, request.headers.get(TOOLSET_HEADER));
    return typeof handler === 'string' ? Response.json({ error: handler }, { status: 404 }) : handler.handle(request);
  };

  const fetch = async (request: Request) =>
    answerPreflight(request, access) ?? addCorsHeaders(request, await handle(request), access);
  const maxRequestBodySize = proxy.options.limits.bodyBytes;
  const handler = toNodeHandler({ fetch }, { onerror: onError, maxRequestBodySize });
  const server = createServer((request, response) => {
    // The `Request` of the Fetch standard does not exist for this method.
    if (request.method === 'TRACE') response.writeHead(405, { allow: 'GET, POST, DELETE' }).end();
    else if (hasValidUrl(request)) void handler(request as NodeIncomingMessageLike, response);
    else response.writeHead(400).end('the URL or the Host header of the request is invalid\n');
  });
  server.listen(port, host);
  await once(server, 'listening');
  return {
    url: `http://${urlHost(host)}:${(server.address() as AddressInfo).port}${MCP_PATH}`,
    close: async () => {
      const closed = once(server, 'close');
      server.close();
      await Promise.all([whole, ...named.values()].map((part) => part.close()));
      server.closeAllConnections();
      await closed;
    },
  };
}

/** The MCP requests of one proxy. */
interface McpHandler {
  handle(request: Request): Promise<Response>;
  close(): Promise<void>;
}

function mcpHandler(proxy: MCPProxy, options: HttpOptions): McpHandler {
  const { onError = () => {} } = options;
  const { limits } = proxy.options;
  const maxRequestBodySize = limits.bodyBytes;
  const endpoint = createEndpoint(proxy, (message) => onError(new Error(message)));
  const factory = serverFactory(endpoint, options);
  const sessions = new SessionStore(factory, limits);
  const stateless = createMcpHandler(factory, { legacy: 'reject', maxRequestBodySize, onerror: onError });
  const stopNotifying = notifyStatelessClients(stateless.notify, endpoint, options);
  const subscriptions = new ListenSubscriptions(endpoint);

  const handlePassThrough = async (request: Request): Promise<Response> => {
    const mismatch = await rejectMismatch(request, proxy.registry);
    if (mismatch) return mismatch;
    const listen = await bodyOf(request, LISTEN_METHOD);
    const response = await stateless.fetch(request);
    const isStream = response.headers.get('content-type')?.startsWith('text/event-stream');
    if (listen === undefined || !isStream || request.signal.aborted) return response;
    // The subscriptions live as long as the response stream.
    subscriptions.begin(request, listen, statelessClient(listen));
    request.signal.addEventListener('abort', () => subscriptions.end(request), { once: true });
    return response;
  };

  return {
    handle: async (request) => {
      if (await isLegacyRequest(request, undefined, { maxRequestBodySize })) return sessions.handle(request);
      return options.passThrough ? handlePassThrough(request) : stateless.fetch(request);
    },
    close: async () => {
      stopNotifying();
      subscriptions.close();
      endpoint.calls.close();
      await Promise.all([sessions.close(), stateless.close()]);
    },
  };
}

/** The client of a request in pass-through mode, with the capabilities that the request declares. */
function statelessClient(message: unknown): ConnectedClient {
  type Declaring = { readonly params?: { readonly _meta?: Readonly<Record<string, unknown>> } };
  const client = new ConnectedClient('modern', true, true);
  const declared = (message as Declaring).params?._meta?.[CLIENT_CAPABILITIES_META_KEY];
  if (isRecord(declared)) client.capabilities = declared as ClientCapabilities;
  return client;
}

/** A name in a path; the text itself if it is no valid encoding. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

function hasValidUrl({ url = '', headers: { host = '' } }: IncomingMessage): boolean {
  return url.startsWith('/') && /^[^\s/?#@\\]+$/.test(host) && URL.canParse(`http://${host}`);
}

/** For load balancers. Contains no server names because the endpoint needs no token. */
function healthOf({ registry: { servers } }: MCPProxy): Response {
  const ready = servers.filter(({ state }) => state === 'ready').length;
  return Response.json({ status: 'ok', servers: servers.length, ready });
}

const urlHost = (host: string): string => (host.includes(':') ? `[${host}]` : host);
