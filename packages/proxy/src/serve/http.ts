import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type NodeIncomingMessageLike, toNodeHandler } from '@modelcontextprotocol/node';
import { createMcpHandler, isLegacyRequest } from '@modelcontextprotocol/server';
import type { MCPProxy } from '../mcp-proxy.js';
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
  const { host = '127.0.0.1', port = 0, onError = () => {} } = options;
  const access: HttpAccess = { ...options, host };
  assertProtected(access);
  const { limits } = proxy.options;
  const maxRequestBodySize = limits.bodyBytes;
  const endpoint = createEndpoint(proxy);
  const factory = serverFactory(endpoint, options);
  const sessions = new SessionStore(factory, limits);
  const stateless = createMcpHandler(factory, { legacy: 'reject', maxRequestBodySize, onerror: onError });
  const stopNotifying = notifyStatelessClients(stateless.notify, proxy, options);
  const subscriptions = new ListenSubscriptions(endpoint);

  const handle = async (request: Request): Promise<Response> => {
    const { pathname } = new URL(request.url);
    if (pathname === HEALTH_PATH) return healthOf(proxy);
    const rejection = rejectUnauthorized(request, access);
    if (rejection) return rejection;
    if (pathname !== MCP_PATH) return Response.json({ error: `MCP is served at ${MCP_PATH}` }, { status: 404 });
    if (await isLegacyRequest(request, undefined, { maxRequestBodySize })) return sessions.handle(request);
    return options.passThrough ? handlePassThrough(request) : stateless.fetch(request);
  };

  const handlePassThrough = async (request: Request): Promise<Response> => {
    const mismatch = await rejectMismatch(request, proxy.registry);
    if (mismatch) return mismatch;
    const listen = await bodyOf(request, LISTEN_METHOD);
    const response = await stateless.fetch(request);
    const isStream = response.headers.get('content-type')?.startsWith('text/event-stream');
    if (listen === undefined || !isStream || request.signal.aborted) return response;
    // The subscriptions live as long as the response stream.
    subscriptions.begin(request, listen);
    request.signal.addEventListener('abort', () => subscriptions.end(request), { once: true });
    return response;
  };

  const fetch = async (request: Request) =>
    answerPreflight(request, access) ?? addCorsHeaders(request, await handle(request), access);
  const handler = toNodeHandler({ fetch }, { onerror: onError, maxRequestBodySize });
  const server = createServer((request, response) => {
    if (hasValidUrl(request)) void handler(request as NodeIncomingMessageLike, response);
    else response.writeHead(400).end('the URL or the Host header of the request is invalid\n');
  });
  server.listen(port, host);
  await once(server, 'listening');
  return {
    url: `http://${urlHost(host)}:${(server.address() as AddressInfo).port}${MCP_PATH}`,
    close: async () => {
      stopNotifying();
      subscriptions.close();
      endpoint.calls.close();
      const closed = once(server, 'close');
      server.close();
      await Promise.all([sessions.close(), stateless.close()]);
      server.closeAllConnections();
      await closed;
    },
  };
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
