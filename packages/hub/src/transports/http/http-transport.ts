import type { StreamableHttpTransport as HttpConfig } from '@a2c/config';
import { withTimeout } from '@a2c/protocol';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { HttpBaseTransport, type HttpTransportOptions } from './http-base-transport.js';
import { routeTo } from './route.js';

/** The error of the SDK after its last attempt to resume the event stream. It has no code. */
const GIVEN_UP = /^Maximum reconnection attempts/;

/** Streamable HTTP: messages are posted to `url`; server messages are read from `sse_url`, or `url` without it. */
export class HttpTransport extends HttpBaseTransport<StreamableHTTPClientTransport> {
  /** Makes the SDK cancel a request of the modern generation by aborting its POST. */
  readonly hasPerRequestStream = true;
  readonly #terminate: boolean;
  readonly #timeoutMs: number;

  constructor({ url, sse_url, http_headers, terminate_on_close }: HttpConfig, options: HttpTransportOptions) {
    const posts = routeTo(url);
    const stream = routeTo(sse_url ?? url);
    super(options, posts, (fetch, auth) => {
      return new StreamableHTTPClientTransport(posts.url, {
        fetch: (_url, init) => fetch(init?.method === 'GET' ? stream : posts, init),
        requestInit: { headers: http_headers },
        redirectPolicy: 'follow',
        ...auth,
      });
    });
    this.#terminate = terminate_on_close;
    this.#timeoutMs = options.limits.stopGraceMs;
  }

  protected override onInnerError(error: Error): void {
    super.onInnerError(error);
    if (GIVEN_UP.test(error.message)) this.lose('the event stream was lost and could not be resumed');
  }

  /** Best effort: a server that is slow or cannot end sessions keeps it. */
  protected override async endSession(): Promise<void> {
    if (!this.#terminate || this.inner.sessionId === undefined) return;
    this.inner.onerror = () => {};
    const late = () => new Error('the server did not end the session in time');
    await withTimeout(this.inner.terminateSession(), { ms: this.#timeoutMs, onTimeout: late }).catch(() => {});
  }
}
