import type { SseTransport as SseConfig } from '@a2c/config';
import { SSEClientTransport } from '@modelcontextprotocol/client';
import { HttpBaseTransport, type HttpTransportOptions } from './http-base-transport.js';
import { placeOf, type Route, routeFrom, routeTo } from './route.js';

/** A session the server does not know any more cannot be used again. */
const SESSION_GONE = [404, 410];

/** The protocol of 2024-11-05. Its stream is the connection: when that ends, a new one is a new session. */
export class SseTransport extends HttpBaseTransport<SSEClientTransport> {
  readonly #startMs: number;
  readonly #route: Route;
  #failStart: ((error: Error) => void) | undefined;

  constructor({ url, http_headers }: SseConfig, options: HttpTransportOptions) {
    const route = routeTo(url);
    super(options, (fetch) => {
      return new SSEClientTransport(route.url, {
        fetch: async (address, init) => {
          const response = await fetch(routeFrom(route, address), init).catch((error: Error) => {
            if (init?.method !== 'POST') this.#failStart?.(error);
            throw error;
          });
          if (init?.method === 'POST' && SESSION_GONE.includes(response.status)) {
            setImmediate(() => this.lose(`${placeOf(route)} no longer knows the session`));
          }
          return response;
        },
        requestInit: { headers: http_headers },
        redirectPolicy: 'follow',
      });
    });
    this.#route = route;
    const { timeout } = options.timeouts;
    this.#startMs = timeout === null ? options.limits.connectTimeoutMs : timeout * 1_000;
  }

  /** Settles when the server has said where to post; a failure ends the attempts of the SDK too. */
  override async start(): Promise<void> {
    let timer: NodeJS.Timeout | undefined;
    const failed = new Promise<never>((_, reject) => {
      this.#failStart = reject;
      const late = `${placeOf(this.#route)} did not say where to post within ${this.#startMs} ms`;
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
