import { setTimeout as wait } from 'node:timers/promises';
import type { StreamableHttpTransport as HttpConfig } from '@a2c/config';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { HttpBaseTransport, type HttpTransportOptions } from './http-base-transport.js';
import { routeTo } from './route.js';

/** What the SDK says when it gives up on the server's event stream. */
const GIVEN_UP = /^Maximum reconnection attempts/;

/** Streamable HTTP: messages are posted to `url`, and the server's own are read from `sse_url` or there. */
export class HttpTransport extends HttpBaseTransport<StreamableHTTPClientTransport> {
  /** The SDK cancels a request of the newer generation by ending its post. */
  readonly hasPerRequestStream = true;
  readonly #terminate: boolean;
  readonly #farewellMs: number;

  constructor({ url, sse_url, http_headers, terminate_on_close }: HttpConfig, options: HttpTransportOptions) {
    const posts = routeTo(url);
    const stream = routeTo(sse_url ?? url);
    super(options, (fetch) => {
      return new StreamableHTTPClientTransport(posts.url, {
        fetch: (_url, init) => fetch(init?.method === 'GET' ? stream : posts, init),
        requestInit: { headers: http_headers },
        redirectPolicy: 'follow',
      });
    });
    this.#terminate = terminate_on_close;
    this.#farewellMs = options.limits.stopGraceMs;
  }

  protected override onInnerError(error: Error): void {
    super.onInnerError(error);
    if (GIVEN_UP.test(error.message)) this.lose('the event stream was lost and could not be taken up again');
  }

  /** Best effort: a server that is slow or does not know how to forget keeps its session. */
  protected override async farewell(): Promise<void> {
    if (!this.#terminate || this.inner.sessionId === undefined) return;
    const timeout = new AbortController();
    this.inner.onerror = () => {};
    await Promise.race([
      this.inner.terminateSession().catch(() => {}),
      wait(this.#farewellMs, undefined, { signal: timeout.signal }).catch(() => {}),
    ]);
    timeout.abort();
  }
}
