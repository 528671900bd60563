import { randomUUID } from 'node:crypto';
import { type Server, WebStandardStreamableHTTPServerTransport } from '@modelcontextprotocol/server';
import type { FaceFactory } from './face.js';
import { rpcError } from './rpc-error.js';
import { isBusy } from './work.js';

const SWEEP_INTERVAL_MS = 60_000;

export interface SessionLimits {
  /** More clients than this push out the one that has been silent longest. */
  readonly maxSessions: number;
  /** Clients that vanish without a word are forgotten after this time. */
  readonly sessionIdleMs: number;
  readonly maxBodyBytes: number;
}

interface Session {
  readonly server: Server;
  readonly transport: WebStandardStreamableHTTPServerTransport;
  lastUsed: number;
}

/**
 * Clients of the 2025 generation over HTTP. Each gets a session of its own: without one they could not be asked anything, and
 * their cancellations would not find the call.
 */
export class Sessions {
  readonly #sessions = new Map<string, Session>();
  readonly #factory: FaceFactory;
  readonly #limits: SessionLimits;
  readonly #sweeper: NodeJS.Timeout;

  constructor(factory: FaceFactory, limits: SessionLimits) {
    this.#factory = factory;
    this.#limits = limits;
    this.#sweeper = setInterval(() => this.#sweep(), SWEEP_INTERVAL_MS).unref();
  }

  async handle(request: Request): Promise<Response> {
    const id = request.headers.get('mcp-session-id');
    if (id === null) return this.#open(request);
    const session = this.#sessions.get(id);
    if (!session) return rpcError(404, -32001, 'Session not found');
    session.lastUsed = Date.now();
    const response = await session.transport.handleRequest(request);
    return request.method === 'GET' ? openAtOnce(response) : response;
  }

  async close(): Promise<void> {
    clearInterval(this.#sweeper);
    await Promise.all([...this.#sessions.values()].map(({ server }) => server.close()));
  }

  /** A new session if the request is `initialize`; anything else is answered by the transport and leaves nothing behind. */
  async #open(request: Request): Promise<Response> {
    if (this.#sessions.size >= this.#limits.maxSessions && this.#idle().length === 0)
      return rpcError(503, -32000, 'Too many sessions, and all of them are busy');
    const server = this.#factory({ era: 'legacy' });
    const transport = new WebStandardStreamableHTTPServerTransport({
      sessionIdGenerator: randomUUID,
      maxRequestBodySize: this.#limits.maxBodyBytes,
      onsessioninitialized: (id) => {
        this.#makeRoom();
        this.#sessions.set(id, { server, transport, lastUsed: Date.now() });
      },
    });
    transport.onclose = () => {
      if (transport.sessionId) this.#sessions.delete(transport.sessionId);
    };
    await server.connect(transport);
    const response = await transport.handleRequest(request);
    if (transport.sessionId === undefined) await server.close();
    return response;
  }

  #makeRoom(): void {
    const idle = this.#idle();
    if (this.#sessions.size < this.#limits.maxSessions || idle.length === 0) return;
    void idle.reduce((a, b) => (b.lastUsed < a.lastUsed ? b : a)).server.close();
  }

  /** Whoever waits for an answer should get it. */
  #idle(): readonly Session[] {
    return [...this.#sessions.values()].filter(({ server }) => !isBusy(server));
  }

  #sweep(): void {
    const limit = Date.now() - this.#limits.sessionIdleMs;
    for (const { server, lastUsed } of this.#sessions.values()) {
      if (lastUsed < limit && !isBusy(server)) void server.close();
    }
  }
}

/** Node sends headers with the first byte of a body. A comment is that byte, so that the client knows its stream to be open. */
function openAtOnce(response: Response): Response {
  if (!response.body) return response;
  const opening = new TransformStream<Uint8Array, Uint8Array>({
    start: (controller) => controller.enqueue(new TextEncoder().encode(': open\n\n')),
  });
  return new Response(response.body.pipeThrough(opening), response);
}
