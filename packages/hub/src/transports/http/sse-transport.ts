import type { SseTransport as SseConfig } from '@a2c/config';
import { SSEClientTransport } from '@modelcontextprotocol/client';
import { HttpBaseTransport, type HttpTransportOptions } from './http-base-transport.js';
import { originOf, type Route, routeFrom, routeTo } from './route.js';

/** The server no longer knows the session. */
const SESSION_GONE = [404, 410];

/** HTTP with SSE, the transport of MCP 2024-11-05. The event stream is the session: when it ends, the session ends. */
export class SseTransport extends HttpBaseTransport<SSEClientTransport> {
  readonly #startMs: number;
  readonly #route: Route;
  #failStart: ((error: Error) => void) | undefined;

  constructor({ url, http_headers }: SseConfig, options: HttpTransportOptions) {
    const route = routeTo(url);
    super(options, route, (fetch, auth) => {
      return new SSEClientTransport(route.url, {
        fetch: async (address, init) => {
          const response = await fetch(routeFrom(route, address), init).catch((error: Error) => {
            if (init?.method !== 'POST') this.#failStart?.(error);
            throw error;
          });
          if (init?.method === 'POST' && SESSION_GONE.includes(response.status)) {
            setImmediate(() => this.lose(`${originOf(route)} no longer knows the session`));
          }
          return response;
        },
        requestInit: { headers: http_headers },
        redirectPolicy: 'follow',
        ...auth,
      });
    });
    this.#route = route;
    const { timeout } = options.timeouts;
    this.#startMs = timeout === null ? options.limits.connectTimeoutMs : timeout * 1_000;
  }

  /** Resolves when the server has sent the address for posts. A failure also ends the SDK's own attempts. */
  override async start(): Promise<void> {
    let timer: NodeJS.Timeout | undefined;
    const failed = new Promise<never>((_, reject) => {
      this.#failStart = reject;
      const late = `${originOf(this.#route)} did not send the address for posts within ${this.#startMs} ms`;
      timer = setTimeout(() => reject(new Error(late)), this.#startMs);
    });
    try {
      await Promise.race([super.start(), failed]);
    } catch (error) {
      this.lose((error as Error).message);
      throw error;
    } finally {
      clearTimeout(timer);
      this.#failStart = undefined;
    }
  }

  protected override onStreamEnded(reason: string): void {
    this.#failStart?.(new Error(reason));
    this.lose(reason);
  }
}
