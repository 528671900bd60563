import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { isRecord } from '@a2c/protocol';
import { type JSONRPCRequest, WebStandardStreamableHTTPServerTransport } from '@modelcontextprotocol/server';
import type { ProxyLimits } from '../limits.js';
import { INVALID_REQUEST, NO_BATCHES } from './client-message.js';
import { HttpReply } from './http-reply.js';
import type { LenientServer } from './lenient-server.js';
import { rpcErrorResponse } from './rpc-error.js';
import type { ServerFactory } from './server-factory.js';

const SWEEP_INTERVAL_MS = 60_000;

interface Session {
  readonly server: LenientServer;
  readonly transport: WebStandardStreamableHTTPServerTransport;
  /** Of the client. */
  readonly address: string;
  lastUsed: number;
  /** It has had a request after `initialize`. */
  isUsed: boolean;
}

/**
 * The HTTP sessions of clients of MCP 2025-11-25 and older, one per client. Server requests and cancellations need a
 * session to find their client and their call.
 */
export class SessionStore {
  readonly #sessions = new Map<string, Session>();
  readonly #factory: ServerFactory;
  readonly #limits: ProxyLimits;
  readonly #sweeper: NodeJS.Timeout;

  constructor(factory: ServerFactory, limits: ProxyLimits) {
    this.#factory = factory;
    this.#limits = limits;
    this.#sweeper = setInterval(() => this.#sweep(), SWEEP_INTERVAL_MS).unref();
  }

  /** Dispatches a call. Returns false if the SDK has to handle the request. */
  take(message: JSONRPCRequest, { headers }: IncomingMessage, response: ServerResponse): boolean {
    const id = String(headers['mcp-session-id']);
    const session = this.#sessions.get(id);
    if (!session) return false;
    const { server } = session;
    const { 'mcp-protocol-version': version = server.getNegotiatedProtocolVersion() } = headers;
    if (version !== server.getNegotiatedProtocolVersion()) return false;
    session.lastUsed = performance.now();
    session.isUsed = true;
    return server.take(message, () => new HttpReply(response, { id: message.id, headers: { 'mcp-session-id': id } }));
  }

  /** Handles a request with the SDK. `body`: its parsed body; `address`: that of the client. */
  async handle(request: Request, body: unknown, address: string): Promise<Response> {
    const id = request.headers.get('mcp-session-id');
    if (id === null) return this.#open(request, body, address);
    const session = this.#sessions.get(id);
    if (!session) return rpcErrorResponse(404, -32001, 'Session not found');
    session.lastUsed = performance.now();
    session.isUsed ||= isRecord(body) && 'id' in body;
    const version = session.server.getNegotiatedProtocolVersion();
    // The SDK accepts batches in every version.
    const isUnsupported = Array.isArray(body) && (version ?? '') >= FIRST_WITHOUT_BATCHES;
    if (isUnsupported) return rpcErrorResponse(400, INVALID_REQUEST, NO_BATCHES);
    const response = await session.transport.handleRequest(request, { parsedBody: body });
    return request.method === 'GET' ? flushHeaders(response) : response;
  }

  async close(): Promise<void> {
    clearInterval(this.#sweeper);
    await Promise.all([...this.#sessions.values()].map(({ server }) => server.close()));
  }

  /**
   * Opens a session if the request is `initialize`. Any other request is answered by the transport, and nothing is
   * kept.
   */
  async #open(request: Request, body: unknown, address: string): Promise<Response> {
    if (this.#isFull && !this.#evictable(address))
      return rpcErrorResponse(503, -32000, 'Too many sessions, and all of them are busy');
    const server = await this.#factory({ era: 'legacy', address });
    const transport = new WebStandardStreamableHTTPServerTransport({
      sessionIdGenerator: randomUUID,
      maxRequestBodySize: this.#limits.bodyBytes,
      onsessioninitialized: (id) => {
        if (this.#isFull) void this.#evictable(address)?.server.close();
        this.#sessions.set(id, { server, transport, address, lastUsed: performance.now(), isUsed: false });
      },
    });
    transport.onclose = () => {
      if (transport.sessionId) this.#sessions.delete(transport.sessionId);
    };
    await server.connect(transport);
    const response = await transport.handleRequest(request, { parsedBody: body });
    if (transport.sessionId === undefined) await server.close();
    return response;
  }

  get #isFull(): boolean {
    return this.#sessions.size >= this.#limits.sessions;
  }

  /**
   * The session that makes room for a new one of an address, so that one client does not end those of others: an idle
   * one of the address with the most sessions, first one that was never used, and of these the one that has been idle
   * longest. An address with half of the places makes room alone, for others also with busy sessions.
   */
  #evictable(address: string): Session | undefined {
    const sessions = [...this.#sessions.values()];
    const counts = new Map<string, number>();
    for (const { address } of sessions) counts.set(address, (counts.get(address) ?? 0) + 1);
    const countOf = ({ address }: Session) => counts.get(address) ?? 0;
    const greedy = sessions.filter((session) => 2 * countOf(session) >= this.#limits.sessions);
    const mayEnd = (session: Session) => isIdle(session) || (greedy.length > 0 && session.address !== address);
    const [first] = (greedy.length > 0 ? greedy : sessions)
      .filter(mayEnd)
      .toSorted(
        (a, b) =>
          Number(isIdle(b)) - Number(isIdle(a)) ||
          countOf(b) - countOf(a) ||
          Number(a.isUsed) - Number(b.isUsed) ||
          a.lastUsed - b.lastUsed,
      );
    return first;
  }

  #sweep(): void {
    const limit = performance.now() - this.#limits.sessionIdleMs;
    for (const session of [...this.#sessions.values()])
      if (isIdle(session) && session.lastUsed < limit) void session.server.close();
  }
}

const isIdle = ({ server }: Session): boolean => server.pendingRequests === 0;

/** The first version of MCP without batches. */
const FIRST_WITHOUT_BATCHES = '2025-06-18';

/**
 * Node sends headers with the first byte of the body. A comment is that byte, so that the client sees the open stream
 * at once.
 */
function flushHeaders(response: Response): Response {
  if (!response.body) return response;
  const withComment = new TransformStream<Uint8Array, Uint8Array>({
    start: (controller) => controller.enqueue(new TextEncoder().encode(': open\n\n')),
  });
  return new Response(response.body.pipeThrough(withComment), response);
}
