import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type NodeIncomingMessageLike, toNodeHandler } from '@modelcontextprotocol/node';
import { createMcpHandler, isLegacyRequest } from '@modelcontextprotocol/server';
import type { MCPProxy } from '../mcp-proxy.js';
import { announceTo } from './announce.js';
import { preflight, readable } from './browsers.js';
import { refusedHeaders } from './exposed-tools.js';
import { type FaceOptions, faceOf } from './face.js';
import { assertGuarded, type GateOptions, refusalOf } from './gate.js';
import { LISTEN, Listened } from './listened.js';
import { bodyOf } from './request-body.js';
import { type SessionLimits, Sessions } from './sessions.js';

export const MCP_PATH = '/mcp';
const HEALTH_PATH = '/healthz';

const LIMITS: SessionLimits = {
  maxSessions: 1_000,
  sessionIdleMs: 4 * 60 * 60_000,
  maxBodyBytes: 16 * 1024 * 1024,
};

export interface HttpOptions extends FaceOptions, Partial<Omit<GateOptions, 'host'>>, Partial<SessionLimits> {
  /** Loopback unless told otherwise; anything else needs a token. */
  readonly host?: string;
  /** 0, the default, picks a free one. */
  readonly port?: number;
  readonly onError?: (error: Error) => void;
}

export interface HttpFace {
  readonly url: string;
  close(): Promise<void>;
}

/** Serves any number of clients of both generations of MCP at one address. */
export async function serveHttp(proxy: MCPProxy, options: HttpOptions = {}): Promise<HttpFace> {
  const { host = '127.0.0.1', port = 0, onError = () => {} } = options;
  const gate = { ...options, host };
  assertGuarded(gate);
  const limits = { ...LIMITS, ...options };
  const factory = faceOf(proxy, options, true);
  const sessions = new Sessions(factory, limits);
  const modern = createMcpHandler(factory, {
    legacy: 'reject',
    maxRequestBodySize: limits.maxBodyBytes,
    onerror: onError,
  });
  const stopAnnouncing = announceTo(modern.notify, proxy, options);
  const listened = new Listened(proxy);

  const answer = async (request: Request): Promise<Response> => {
    const { pathname } = new URL(request.url);
    if (pathname === HEALTH_PATH) return health(proxy);
    const refusal = refusalOf(request, gate);
    if (refusal) return refusal;
    if (pathname !== MCP_PATH) return Response.json({ error: `MCP is served at ${MCP_PATH}` }, { status: 404 });
    const isLegacy = await isLegacyRequest(request, undefined, { maxRequestBodySize: limits.maxBodyBytes });
    if (isLegacy) return sessions.handle(request);
    if (options.passThrough) {
      const contradiction = await refusedHeaders(request, proxy.registry);
      if (contradiction) return contradiction;
      return listen(request, await bodyOf(request, LISTEN));
    }
    return modern.fetch(request);
  };

  /** The answer is the listening, for as long as it lasts. */
  const listen = async (request: Request, asked: unknown): Promise<Response> => {
    const response = await modern.fetch(request);
    const isOpen = response.headers.get('content-type')?.startsWith('text/event-stream');
    if (asked === undefined || !isOpen || request.signal.aborted) return response;
    listened.begin(request, asked);
    request.signal.addEventListener('abort', () => listened.end(request), { once: true });
    return response;
  };

  const fetch = async (request: Request) => preflight(request, gate) ?? readable(request, await answer(request), gate);
  const handler = toNodeHandler({ fetch }, { onerror: onError, maxRequestBodySize: limits.maxBodyBytes });
  const server = createServer((request, response) => {
    if (isAddressed(request)) void handler(request as NodeIncomingMessageLike, response);
    else response.writeHead(400).end('the address of the request makes no sense\n');
  });
  server.listen(port, host);
  await once(server, 'listening');
  return {
    url: `http://${urlHost(host)}:${(server.address() as AddressInfo).port}${MCP_PATH}`,
    close: async () => {
      stopAnnouncing();
      listened.close();
      const closed = once(server, 'close');
      server.close();
      await Promise.all([sessions.close(), modern.close()]);
      server.closeAllConnections();
      await closed;
    },
  };
}

/** A path, and a host that could be one; from anything else no URL can be made. */
function isAddressed({ url = '', headers: { host = '' } }: IncomingMessage): boolean {
  return url.startsWith('/') && /^[^\s/?#@\\]+$/.test(host) && URL.canParse(`http://${host}`);
}

/** For load balancers and people: alive, and how many servers are. No names, because nobody has been asked for a token yet. */
function health({ registry: { servers } }: MCPProxy): Response {
  const ready = servers.filter(({ state }) => state === 'ready').length;
  return Response.json({ status: 'ok', servers: servers.length, ready });
}

const urlHost = (host: string): string => (host.includes(':') ? `[${host}]` : host);
