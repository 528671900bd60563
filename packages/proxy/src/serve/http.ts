import { once } from 'node:events';
import { createServer, type IncomingMessage, type OutgoingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { MCPProxy } from '../mcp-proxy.js';
import { displayName } from '../text/one-line.js';
import { PARSE_ERROR, parseMessage } from './client-message.js';
import { accessCheck, answerPreflight, assertProtected, type HttpAccess } from './http-access.js';
import { RequestBodies } from './http-body.js';
import { sendJson } from './http-reply.js';
import type { McpHandler } from './mcp-handler.js';
import type { ServeOptions } from './server-factory.js';
import { limitUnsent } from './unsent.js';

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
  const rejectionOf = accessCheck(access);
  const { limits } = proxy.options;
  const bodies = new RequestBodies(limits);
  const { mcpHandler } = await import('./mcp-handler.js'); // Not loaded by a proxy on stdio.
  const whole = mcpHandler(proxy, options);
  const named = new Map(Object.entries(toolsets).map(([name, part]) => [name, mcpHandler(part, options)]));

  /** The handler that the path or the header of a request names, or why there is none. */
  const chosen = (pathname: string, header: string | undefined): McpHandler | string => {
    const [path, inPath] = [pathname.slice(0, MCP_PATH.length), pathname.slice(MCP_PATH.length + 1)];
    if (path !== MCP_PATH || (pathname !== MCP_PATH && pathname[MCP_PATH.length] !== '/')) {
      return `MCP is served at ${MCP_PATH}`;
    }
    const name = inPath === '' ? header : decoded(inPath);
    if (name === undefined) return whole;
    const others = named.size === 0 ? 'there are no toolsets' : `there are ${[...named.keys()].join(', ')}`;
    return named.get(name) ?? `there is no toolset "${displayName(name)}": ${others}`;
  };

  const handle = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    if (answerPreflight(request, response, access)) return;
    const pathname = pathOf(request);
    const rejection = rejectionOf(request.headers);
    // Without a token, but not for pages of other hosts.
    if (pathname === HEALTH_PATH && rejection?.status !== 403) return sendJson(response, 200, healthOf(proxy));
    if (rejection) return sendError(response, rejection.status, rejection, rejection.headers);
    const handler = chosen(pathname, request.headers[TOOLSET_HEADER] as string | undefined);
    if (typeof handler === 'string') return sendJson(response, 404, { error: handler });
    if (request.method !== 'POST') return handler.handle(request, response);
    const body = await bodies.read(request, response);
    if (body === 'too-large') return sendError(response, 413, tooLarge(limits.bodyBytes), { connection: 'close' });
    if (body === 'too-slow') return sendError(response, 408, TOO_SLOW, { connection: 'close' });
    if (body === 'too-many') return sendError(response, 503, TOO_MANY, { connection: 'close', 'retry-after': '1' });
    const parsed = parseMessage(body, limits);
    if ('value' in parsed) return handler.handle(request, response, parsed.value);
    // The SDK rejects a request without a body as it does other invalid JSON.
    if (parsed.code === PARSE_ERROR) return handler.handle(request, response);
    const { code, problem: message, id } = parsed;
    return sendError(response, id === null ? 400 : 200, { code, message, id });
  };

  const server = createServer((request, response) => {
    if (isPipelined(response)) request.socket.destroy();
    // The `Request` of the Fetch standard does not exist for this method.
    else if (request.method === 'TRACE') response.writeHead(405, { allow: 'GET, POST, DELETE' }).end();
    else if (hasValidUrl(request)) handle(request, response).catch((error: Error) => fail(error, response, onError));
    else response.writeHead(400).end('the URL or the Host header of the request is invalid\n');
  });
  limitUnsent(server, limits.unsentBytes);
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

interface RpcError {
  readonly code: number;
  readonly message: string;
  readonly id?: unknown;
}

function sendError(
  response: ServerResponse,
  status: number,
  { code, message, id = null }: RpcError,
  headers?: OutgoingHttpHeaders,
): void {
  sendJson(response, status, { jsonrpc: '2.0', error: { code, message }, id }, headers);
}

const tooLarge = (bytes: number): RpcError => ({
  code: -32_000,
  message: `Payload Too Large: Request body must not exceed ${bytes} bytes`,
});

const TOO_SLOW: RpcError = { code: -32_000, message: 'The body of the request came too slowly' };

const TOO_MANY: RpcError = {
  code: -32_000,
  message: 'Too many large requests have no answer yet: send this one again when one of them has',
};

function fail(error: Error, response: ServerResponse, onError: (error: Error) => void): void {
  if (response.destroyed) return; // the client has disconnected
  onError(error);
  if (response.headersSent) response.end();
  else sendError(response, 500, { code: -32_603, message: 'Internal server error' });
}

/** The path without dot segments. */
function pathOf({ url = '' }: IncomingMessage): string {
  return url === MCP_PATH ? url : new URL(`http://localhost${url}`).pathname;
}

/** A name in a path; the text itself if it is no valid encoding. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/**
 * Whether a client sends a request before it has the response to the one before. Node would keep all of them, and
 * clients and proxies that are in use wait.
 */
const isPipelined = (response: ServerResponse): boolean => response.socket === null;

/** Clients send the same `Host` with each request. */
let validHost: string | undefined;

function hasValidUrl({ url = '', headers: { host = '' } }: IncomingMessage): boolean {
  if (host !== validHost) {
    if (!/^[^\s/?#@\\]+$/.test(host) || !URL.canParse(`http://${host}`)) return false;
    validHost = host;
  }
  return url.startsWith('/');
}

/** For load balancers. Contains no server names because the endpoint needs no token. */
function healthOf({ registry: { servers } }: MCPProxy): object {
  const ready = servers.filter(({ state }) => state === 'ready').length;
  return { status: 'ok', servers: servers.length, ready };
}

const urlHost = (host: string): string => (host.includes(':') ? `[${host}]` : host);
