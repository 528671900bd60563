import type { IncomingMessage } from 'node:http';
import type { Readable } from 'node:stream';
import type { Timeouts, TrustGuard } from '@a2c/config';
import type { ServerLogin } from '@a2c/login';
import type { JSONRPCMessage } from '@modelcontextprotocol/client';
import type { TransportLimits } from '../server-transport.js';
import { failure, oversizedFailure, readMessages } from '../wire/read-messages.js';
import { codeOf, EventFilter, eventOf, filteredStream } from './event-stream.js';
import { type Answer, GuardedHttpClient } from './guarded-http-client.js';
import { HttpRequestError } from './http-client.js';
import { type OutgoingRequest, toOutgoingRequest } from './outgoing-request.js';
import { decompressed, encodingOf, parsedResponse, readStart, readText, toResponse } from './response.js';
import { originOf, type Route } from './route.js';

/** How much of an error response is read. HTML pages are cut further. */
const ERROR_BODY_BYTES = 16 * 1024;
const ERROR_PAGE_LENGTH = 500;
const EVENT_STREAM = 'text/event-stream';

export interface FetchOptions {
  readonly server: string;
  readonly guard: TrustGuard;
  readonly limits: TransportLimits;
  readonly timeouts: Timeouts;
  /** Configured header values. They are removed from error responses. */
  readonly secrets: readonly string[];
  readonly login: ServerLogin | undefined;
  readonly events: FetchEvents;
}

export interface FetchEvents {
  /** A message of an event stream. The SDK gets only a stub of it. */
  message(message: JSONRPCMessage): void;
  /** Resolves when all messages so far are delivered. */
  delivered(): Promise<void>;
  /** No connection to the server is possible. */
  unreachable(error: HttpRequestError): void;
  /** The event stream of a GET request has ended. */
  streamEnded(reason: string): void;
  /** The transport itself answers a server request. */
  reply(message: JSONRPCMessage): void;
}

/**
 * `fetch` for the SDK's transports, over `node:http`. The trust guard approves every connection, time and size are
 * limited, and invalid responses are repaired or replaced by an error, so that no request waits for an answer that
 * cannot come.
 */
export class MCPFetch {
  junk = 0;
  oversized = 0;
  readonly #options: FetchOptions;
  readonly #http: GuardedHttpClient;

  constructor(options: FetchOptions) {
    this.#options = options;
    this.#http = new GuardedHttpClient(options.server, options.guard, options.limits.connectTimeoutMs);
  }

  async fetch(route: Route, init: RequestInit = {}): Promise<Response> {
    const request = toOutgoingRequest(init);
    try {
      const headMs = request.isBounded ? this.#timeoutMs : undefined;
      return await this.#respond(await this.#http.send(route, request, headMs), request);
    } catch (error) {
      if (error instanceof HttpRequestError && error.unreachable) this.#options.events.unreachable(error);
      throw error;
    }
  }

  destroy(): void {
    this.#http.destroy();
  }

  async #respond({ answer, route }: Answer, request: OutgoingRequest): Promise<Response> {
    const status = answer.statusCode ?? 500;
    const ok = status >= 200 && status < 300;
    const type = answer.headers['content-type']?.split(';')[0]?.trim().toLowerCase() ?? '';
    if (ok && type === EVENT_STREAM) return toResponse(answer, this.#stream({ answer, route }, request));
    const body = decompressed(answer);
    const timer = request.isBounded ? this.#boundBody(answer, route) : undefined;
    try {
      if (!ok) return toResponse(answer, await this.#errorText(body));
      const text = await readText(body, this.#options.limits.messageBytes);
      const isJson = type === '' || type === 'application/json' || type.endsWith('+json');
      if (request.id === undefined || status === 202 || !isJson) return toResponse(answer, text ?? null);
      return parsedResponse(answer, this.#messagesIn(text, request.id));
    } catch (error) {
      if (error instanceof HttpRequestError || (error as Error).name === 'AbortError') throw error;
      throw new HttpRequestError(`the answer of ${originOf(route)} broke off (${codeOf(error)})`, {
        code: codeOf(error),
      });
    } finally {
      clearTimeout(timer);
    }
  }

  #boundBody(answer: IncomingMessage, route: Route): NodeJS.Timeout | undefined {
    const ms = this.#timeoutMs;
    if (ms === undefined) return undefined;
    const late = new HttpRequestError(`${originOf(route)} did not finish its answer within ${ms} ms`, {
      code: 'ETIMEDOUT',
    });
    return setTimeout(() => answer.destroy(late), ms);
  }

  async #errorText(body: Readable): Promise<string> {
    const read = (await readStart(body, ERROR_BODY_BYTES)).toString();
    const text = read.startsWith('{') ? read : read.slice(0, ERROR_PAGE_LENGTH);
    const { secrets, login } = this.#options;
    return secrets.reduce((shown, secret) => shown.replaceAll(secret, '***'), login?.redact(text) ?? text);
  }

  /** Returns messages that answer the request, whatever the server sent. */
  #messagesIn(text: string | undefined, id: string | number): readonly JSONRPCMessage[] {
    if (text === undefined) {
      this.oversized += 1;
      return [oversizedFailure(id, this.#options.limits.messageBytes)];
    }
    const { messages, junk } = readMessages(text);
    this.junk += junk;
    if (messages.some((message) => answers(message, id))) return messages;
    return [...messages, failure(id, 'the server sent no answer to the request')];
  }

  #stream({ answer, route }: Answer, { id, method, signal }: OutgoingRequest): ReadableStream<Uint8Array> {
    // A stream has no end, so a few bytes of it could be work without end.
    if (encodingOf(answer) !== 'identity') {
      answer.destroy();
      throw new HttpRequestError(`the event stream of ${originOf(route)} is compressed, which was not requested`);
    }
    const { limits, timeouts, events } = this.#options;
    let open = id !== undefined;
    const filter = new EventFilter(limits.messageBytes, {
      message: (message) => {
        if (id !== undefined && answers(message, id)) open = false;
        events.message(message);
      },
      junk: (count) => {
        this.junk += count;
      },
      oversized: (reply) => {
        this.oversized += 1;
        if (reply) events.reply(reply);
      },
    });
    const ended = (why: string): Buffer | undefined => {
      if (signal?.aborted) return undefined;
      if (method === 'GET') events.streamEnded(`the event stream of ${originOf(route)} ${why}`);
      // The SDK resumes a stream whose events have ids. Otherwise the answer cannot come any more.
      if (!open || id === undefined || filter.resumable) return undefined;
      return eventOf(failure(id, `the stream of ${originOf(route)} ${why} before the answer came`));
    };
    return filteredStream({
      body: answer,
      filter,
      // The answer to a request may take as long as its deadline.
      silenceLimit: id === undefined ? timeouts.sse_read_timeout : null,
      delivered: () => events.delivered(),
      ended,
      destroy: (error) => void answer.destroy(error),
    });
  }

  get #timeoutMs(): number | undefined {
    const { timeout } = this.#options.timeouts;
    return timeout === null ? undefined : timeout * 1_000;
  }
}

function answers(message: JSONRPCMessage, id: string | number): boolean {
  return !('method' in message) && 'id' in message && message.id === id;
}
