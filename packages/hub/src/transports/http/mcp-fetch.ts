import type { IncomingMessage } from 'node:http';
import type { Readable } from 'node:stream';
import type { Timeouts, TrustGuard } from '@a2c/config';
import type { JSONRPCMessage } from '@modelcontextprotocol/client';
import type { TransportLimits } from '../server-transport.js';
import { failure, oversizedFailure, readMessages } from '../wire/incoming.js';
import { DialError, Dialer } from './dialer.js';
import { EventSieve, eventOf } from './event-sieve.js';
import { asRequest, type OutgoingRequest, redirectedHeaders } from './outgoing.js';
import { decompressed, readStart, readWhole } from './read-body.js';
import { isSameOrigin, placeOf, type Route, routeFrom } from './route.js';

const MAX_REDIRECTS = 5;
const REDIRECTS = [301, 302, 303, 307, 308];
/** What is read of an answer that is an error. */
const ERROR_BODY_BYTES = 16 * 1024;
const EVENT_STREAM = 'text/event-stream';

export interface FetchOptions {
  readonly server: string;
  readonly guard: TrustGuard;
  readonly limits: TransportLimits;
  readonly timeouts: Timeouts;
  /** Header values of the configuration, which an answer may quote and an error must not. */
  readonly secrets: readonly string[];
  readonly events: FetchEvents;
}

export interface FetchEvents {
  /** Nobody is there any more. */
  unreachable(error: DialError): void;
  /** An event stream that was asked for by GET has ended. */
  streamEnded(reason: string): void;
  /** An answer of the transport itself to a request of the far side. */
  reply(message: JSONRPCMessage): void;
}

/**
 * `fetch` for the SDK's transports, over `node:http`: every dial passes the guard, time and size have limits, and what comes
 * back is mended so that no request waits for an answer that cannot come.
 */
export class McpFetch {
  junk = 0;
  oversized = 0;
  readonly #options: FetchOptions;
  readonly #dialer: Dialer;

  constructor(options: FetchOptions) {
    this.#options = options;
    this.#dialer = new Dialer(options.limits.connectMs);
  }

  async fetch(route: Route, init: RequestInit = {}): Promise<Response> {
    const request = asRequest(init);
    try {
      const [answer, last] = await this.#follow(route, request);
      return await this.#respond(answer, last, request);
    } catch (error) {
      if (error instanceof DialError && error.unreachable) this.#options.events.unreachable(error);
      throw error;
    }
  }

  destroy(): void {
    this.#dialer.destroy();
  }

  async #follow(route: Route, request: OutgoingRequest): Promise<[IncomingMessage, Route]> {
    let current = route;
    let { headers } = request;
    for (let followed = 0; ; followed += 1) {
      const { addresses } = await this.#options.guard.approveUrl(current.text, this.#options.server);
      const { method, body, signal } = request;
      const headMs = method === 'POST' ? this.#timeoutMs : undefined;
      const answer = await this.#dialer.dial(current, { method, headers, body, addresses, signal, headMs });
      const { location } = answer.headers;
      if (location === undefined || !REDIRECTS.includes(answer.statusCode ?? 0)) return [answer, current];
      answer.destroy();
      const next = this.#redirected(current, location, answer.statusCode ?? 0, method, followed);
      if (!isSameOrigin(current, next)) headers = redirectedHeaders(headers);
      current = next;
    }
  }

  #redirected(from: Route, location: string, status: number, method: string, followed: number): Route {
    const place = placeOf(from);
    if (!URL.canParse(location, from.url.href)) throw new DialError(`${place} redirects to something that is no URL`);
    const { protocol } = new URL(location, from.url);
    // A configuration may name a socket; a server may not.
    if (!/^https?:$/.test(protocol)) throw new DialError(`${place} redirects to ${protocol}, which is not HTTP`);
    if (followed === MAX_REDIRECTS) throw new DialError(`${place} redirects more than ${MAX_REDIRECTS} times`);
    const to = routeFrom(from, location);
    if (from.url.protocol === 'https:' && to.url.protocol === 'http:') {
      throw new DialError(`${place} redirects from https to http: configure the address it should have been`);
    }
    if (method !== 'GET' && status < 307) {
      throw new DialError(
        `${place} redirects a ${method} with ${status} to ${placeOf(to)}: configure that address instead`,
      );
    }
    return to;
  }

  async #respond(answer: IncomingMessage, route: Route, request: OutgoingRequest): Promise<Response> {
    const status = answer.statusCode ?? 500;
    const ok = status >= 200 && status < 300;
    const type = answer.headers['content-type']?.split(';')[0]?.trim().toLowerCase() ?? '';
    const body = decompressed(answer);
    if (ok && type === EVENT_STREAM) return response(answer, this.#stream(body, answer, route, request));
    const timer = this.#boundBody(answer, route);
    try {
      if (!ok) return response(answer, await this.#errorText(body));
      const whole = await readWhole(body, this.#options.limits.messageBytes);
      const isJson = type === '' || type === 'application/json' || type.endsWith('+json');
      if (request.id === undefined || status === 202 || !isJson) return response(answer, whole ?? null);
      return response(answer, this.#mended(whole, request.id), 'application/json');
    } catch (error) {
      if (error instanceof DialError || (error as Error).name === 'AbortError') throw error;
      throw new DialError(`the answer of ${placeOf(route)} broke off (${codeOf(error)})`, { code: codeOf(error) });
    } finally {
      clearTimeout(timer);
    }
  }

  #boundBody(answer: IncomingMessage, route: Route): NodeJS.Timeout | undefined {
    const ms = this.#timeoutMs;
    if (ms === undefined) return undefined;
    const late = new DialError(`${placeOf(route)} did not finish its answer within ${ms} ms`, { code: 'ETIMEDOUT' });
    return setTimeout(() => answer.destroy(late), ms);
  }

  async #errorText(body: Readable): Promise<string> {
    const text = (await readStart(body, ERROR_BODY_BYTES)).toString();
    return this.#options.secrets.reduce((shown, secret) => shown.replaceAll(secret, '***'), text);
  }

  /** The answer to a request, whatever the server sent for one. */
  #mended(whole: Buffer | undefined, id: string | number): string {
    if (!whole) {
      this.oversized += 1;
      return JSON.stringify(oversizedFailure(id, this.#options.limits.messageBytes));
    }
    const text = whole.toString();
    const { messages, junk, untouched } = readMessages(text);
    this.junk += junk;
    const answered = messages.some((message) => answers(message, id));
    if (untouched && answered) return text;
    const missing = answered ? [] : [failure(id, 'the server sent no answer to the request')];
    return JSON.stringify([...messages, ...missing]);
  }

  #stream(
    body: Readable,
    answer: IncomingMessage,
    route: Route,
    { id, method, signal }: OutgoingRequest,
  ): ReadableStream<Uint8Array> {
    const { limits, timeouts, events } = this.#options;
    let open = id !== undefined;
    const sieve = new EventSieve(limits.messageBytes, {
      message: (message) => {
        if (id !== undefined && answers(message, id)) open = false;
      },
      junk: (count) => {
        this.junk += count;
      },
      oversized: (reply) => {
        this.oversized += 1;
        if (reply) events.reply(reply);
      },
    });
    const silence = new Silence(timeouts.sse_read_timeout, () => {
      answer.destroy(new Error(`nothing came for ${timeouts.sse_read_timeout} s`));
    });
    const ended = (why: string): Buffer | undefined => {
      silence.end();
      if (signal?.aborted) return undefined;
      if (method === 'GET') events.streamEnded(`the event stream of ${placeOf(route)} ${why}`);
      // The SDK takes up a stream whose events have ids; any other answer is not coming any more.
      if (!open || id === undefined || sieve.resumable) return undefined;
      return eventOf(failure(id, `the stream of ${placeOf(route)} ${why} before the answer came`));
    };
    return streamOf(sieved(body, sieve, silence, ended), () => answer.destroy());
  }

  get #timeoutMs(): number | undefined {
    const { timeout } = this.#options.timeouts;
    return timeout === null ? undefined : timeout * 1_000;
  }
}

async function* sieved(
  body: Readable,
  sieve: EventSieve,
  silence: Silence,
  ended: (why: string) => Buffer | undefined,
): AsyncGenerator<Buffer> {
  let why = 'ended';
  let thrown: unknown;
  try {
    for await (const chunk of body as AsyncIterable<Buffer>) {
      silence.broken();
      const out = sieve.push(chunk);
      if (out.length > 0) yield out;
    }
  } catch (error) {
    why = `broke off (${codeOf(error)})`;
    thrown = error;
  }
  const last = ended(why);
  if (last) yield last;
  else if (thrown !== undefined) throw new Error(`the stream ${why}`);
}

/** Measures how long nothing has come. */
class Silence {
  readonly #timer: NodeJS.Timeout | undefined;

  constructor(seconds: number | null, tooLong: () => void) {
    if (seconds !== null) this.#timer = setTimeout(tooLong, seconds * 1_000);
  }

  broken(): void {
    this.#timer?.refresh();
  }

  end(): void {
    clearTimeout(this.#timer);
  }
}

/** Pulled, so that a reader that is slow slows the server. */
function streamOf(chunks: AsyncGenerator<Buffer>, cancel: () => void): ReadableStream<Uint8Array> {
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const { done, value } = await chunks.next();
        if (done) controller.close();
        else controller.enqueue(value);
      },
      cancel,
    },
    { highWaterMark: 0 },
  );
}

function response(answer: IncomingMessage, body: Buffer | string | ReadableStream | null, type?: string): Response {
  const headers = new Headers();
  for (const [name, values] of Object.entries(answer.headersDistinct)) {
    for (const value of values ?? []) headers.append(name, value);
  }
  headers.delete('content-encoding');
  headers.delete('content-length');
  if (type !== undefined) headers.set('content-type', type);
  const status = Math.min(Math.max(answer.statusCode ?? 500, 200), 599);
  const bodyless = status === 204 || status === 205 || status === 304;
  return new Response(bodyless ? null : body, { status, statusText: plain(answer.statusMessage ?? ''), headers });
}

function plain(text: string): string {
  return /^[\t\x20-\x7e]*$/.test(text) ? text : '';
}

function answers(message: JSONRPCMessage, id: string | number): boolean {
  return !('method' in message) && 'id' in message && message.id === id;
}

function codeOf(error: unknown): string {
  const { code, message } = error as NodeJS.ErrnoException;
  return code ?? message;
}
