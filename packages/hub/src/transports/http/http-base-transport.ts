import {
  type AuthProvider,
  type FetchLike,
  type JSONRPCMessage,
  SdkHttpError,
  type Transport,
  type TransportSendOptions,
} from '@modelcontextprotocol/client';
import { CLOSED_BY_CLIENT, NOT_READ, type ServerTransport, type TransportDiagnostics } from '../server-transport.js';
import { Inbox } from '../wire/inbox.js';
import { readMessages } from '../wire/read-messages.js';
import { isStub } from './event-stream.js';
import { type FetchOptions, MCPFetch } from './mcp-fetch.js';
import { isSameOrigin, originOf, type Route } from './route.js';

export type HttpTransportOptions = Omit<FetchOptions, 'events'>;
/** The option of the SDK's transports that adds the access token. */
export type AuthOptions = { readonly authProvider?: AuthProvider };
export type RoutedFetch = (route: Route, init?: RequestInit) => Promise<Response>;

/** Answers to requests of the server that are on their way. A server that takes none would fill the memory. */
const MAX_UNSENT_ANSWERS = 256;

/** Base class of the HTTP transports: wraps a transport of the SDK, with our own `fetch` and a single `onclose`. */
export abstract class HttpBaseTransport<Inner extends Transport> implements ServerTransport {
  onclose?: (() => void) | undefined;
  onerror?: ((error: Error) => void) | undefined;
  onmessage?: ((message: JSONRPCMessage) => void) | undefined;

  protected readonly inner: Inner;
  readonly #fetch: MCPFetch;
  readonly #inbox = new Inbox(
    (message) => this.onmessage?.(message),
    (error) => this.onerror?.(error),
  );
  #unsentAnswers = 0;
  #ended: string | null = null;
  #closing: Promise<void> | undefined;

  /** @param home The route that the login is for. */
  constructor(options: HttpTransportOptions, home: Route, build: (fetch: RoutedFetch, auth: AuthOptions) => Inner) {
    this.#fetch = new MCPFetch({
      ...options,
      events: {
        message: (message) => this.#inbox.push(message),
        delivered: () => this.#inbox.emptied(),
        // Later: the request that detected it fails first.
        unreachable: (error) => void setImmediate(() => this.lose(error.message)),
        streamEnded: (reason) => this.onStreamEnded(reason),
        reply: (message) => void this.send(message).catch((error: Error) => this.onerror?.(error)),
      },
    });
    const { login } = options;
    const routed: RoutedFetch = (route, init) => {
      const send = (_url: string | URL, sent?: RequestInit) => this.#fetch.fetch(route, sent);
      if (!login) return send(route.url, init);
      return isSameOrigin(route, home) ? login.wrap(send)(route.url, init) : withoutLogin(route, init, send);
    };
    this.inner = build(routed, login ? { authProvider: login } : {});
    this.inner.onmessage = (message: JSONRPCMessage) => {
      if (!isStub(message)) this.#inbox.push(message);
    };
    this.inner.onerror = (error) => this.onInnerError(error);
  }

  protected onStreamEnded(_reason: string): void {}

  protected onInnerError(error: Error): void {
    if (this.#ended === null) this.onerror?.(error);
  }

  async start(): Promise<void> {
    await this.inner.start();
  }

  async send(message: JSONRPCMessage, options?: TransportSendOptions): Promise<void> {
    if (this.#ended !== null) throw new Error(this.#ended);
    if ('method' in message) return this.inner.send(message, options).catch((error) => throwMarked(error, message));
    if (this.#unsentAnswers >= MAX_UNSENT_ANSWERS) throw new Error(NOT_READ);
    this.#unsentAnswers += 1;
    await this.inner.send(message, options).finally(() => {
      this.#unsentAnswers -= 1;
    });
  }

  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #close(): Promise<void> {
    if (this.#ended === null) await this.endSession();
    await this.#end(CLOSED_BY_CLIENT);
  }

  /** Called before the connection is closed, to end the session at the server. */
  protected async endSession(): Promise<void> {}

  /** Call this when the connection is lost. */
  protected lose(reason: string): void {
    void this.#end(reason);
  }

  async #end(how: string): Promise<void> {
    await this.#inbox.emptied();
    if (this.#ended !== null) return;
    this.#ended = how;
    await this.inner.close();
    this.#fetch.destroy();
    this.onclose?.();
  }

  get sessionId(): string | undefined {
    return this.inner.sessionId;
  }

  setProtocolVersion(version: string): void {
    this.inner.setProtocolVersion?.(version);
  }

  diagnostics(): TransportDiagnostics {
    return {
      pid: null,
      ended: this.#ended,
      stderr: '',
      junkLines: this.#fetch.junk,
      oversizedMessages: this.#fetch.oversized,
      stdoutLogError: null,
    };
  }
}

/** Marks an HTTP error whose body is the answer to the request. */
function throwMarked(error: unknown, request: JSONRPCMessage): never {
  if (error instanceof SdkHttpError && 'id' in request && typeof error.data.text === 'string') {
    const { messages } = readMessages(error.data.text);
    error.data.isAnswer = messages.some(
      (message) => !('method' in message) && String(message.id) === String(request.id),
    );
  }
  throw error;
}

/** Sends a request to an origin that the login is not for. */
async function withoutLogin(route: Route, init: RequestInit = {}, send: FetchLike): Promise<Response> {
  const headers = new Headers(init.headers);
  headers.delete('authorization');
  headers.delete('dpop');
  const response = await send(route.url, { ...init, headers });
  if (response.status !== 401) return response;
  // The SDK would log in again.
  throw new Error(
    `${originOf(route)} wants a login, but "sse_url" has another origin than the server; logins are sent to the server only`,
  );
}
