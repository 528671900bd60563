import type { IncomingMessage } from 'node:http';
import type { TrustGuard } from '@a2c/config';
import { HttpClient, HttpRequestError } from './http-client.js';
import { type OutgoingRequest, redirectedHeaders } from './outgoing-request.js';
import { isSameOrigin, originOf, type Route, routeFrom } from './route.js';

const MAX_REDIRECTS = 5;
const REDIRECTS = [301, 302, 303, 307, 308];

/** A response, and the address it came from after redirects. */
export interface Answer {
  readonly answer: IncomingMessage;
  readonly route: Route;
}

/** Decides about every address, also after redirects. */
export type UrlGuard = Pick<TrustGuard, 'approveUrl'>;

/** An HTTP client that connects only to addresses that the trust guard approves, also after redirects. */
export class GuardedHttpClient {
  readonly #server: string;
  readonly #guard: UrlGuard;
  readonly #http: HttpClient;

  constructor(server: string, guard: UrlGuard, connectTimeoutMs: number) {
    this.#server = server;
    this.#guard = guard;
    this.#http = new HttpClient(connectTimeoutMs);
  }

  async send(route: Route, request: OutgoingRequest, headMs: number | undefined): Promise<Answer> {
    const { method, body, signal } = request;
    let current = route;
    let { headers } = request;
    for (let followed = 0; ; followed += 1) {
      const { addresses } = await this.#guard.approveUrl(current.text, this.#server, route.text);
      const answer = await this.#http.send(current, { method, headers, body, addresses, signal, headMs });
      const { statusCode = 0 } = answer;
      const { location } = answer.headers;
      if (location === undefined || !REDIRECTS.includes(statusCode)) return { answer, route: current };
      answer.destroy();
      if (followed === MAX_REDIRECTS) {
        throw new HttpRequestError(`${originOf(current)} redirects more than ${MAX_REDIRECTS} times`);
      }
      const next = redirected(current, location, method, statusCode);
      if (!isSameOrigin(current, next)) headers = redirectedHeaders(headers);
      current = next;
    }
  }

  destroy(): void {
    this.#http.destroy();
  }
}

function redirected(from: Route, location: string, method: string, status: number): Route {
  const place = originOf(from);
  if (!URL.canParse(location, from.url.href)) throw new HttpRequestError(`${place} redirects to an invalid URL`);
  const { protocol } = new URL(location, from.url);
  // Only a configuration may name a unix socket, not a server.
  if (!/^https?:$/.test(protocol)) throw new HttpRequestError(`${place} redirects to ${protocol}, which is not HTTP`);
  const to = routeFrom(from, location);
  if (from.url.protocol === 'https:' && protocol === 'http:') {
    throw new HttpRequestError(`${place} redirects from https to http: configure the https address`);
  }
  if (method !== 'GET' && status < 307) {
    throw new HttpRequestError(
      `${place} redirects a ${method} with ${status} to ${originOf(to)}: configure that address instead`,
    );
  }
  return to;
}
