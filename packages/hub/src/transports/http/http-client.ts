import { setMaxListeners } from 'node:events';
import { type ClientRequest, request as httpRequest, type IncomingMessage } from 'node:http';
import { request as httpsRequest, type RequestOptions } from 'node:https';
import { isIPv6, type LookupFunction } from 'node:net';
import { BufferedAgent } from './buffered-agent.js';
import { proxyFor } from './proxy-settings.js';
import { originOf, type Route } from './route.js';
import { TunnelAgent } from './tunnel-agent.js';

/** Common servers close idle connections after five seconds; close them earlier to avoid writing to a closing one. */
const IDLE_SOCKET_MS = 4_000;

export interface HttpRequestOptions {
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | undefined;
  /** Connect only to these addresses; null: resolve the host name. */
  readonly addresses: readonly string[] | null;
  readonly signal: AbortSignal | undefined;
  /** Time limit for the response headers; undefined: no limit. */
  readonly headMs: number | undefined;
}

/** A request without a response. `unreachable`: no connection was possible; the next request would fail too. */
export class HttpRequestError extends Error {
  override readonly name = 'HttpRequestError';
  readonly code: string | undefined;
  readonly unreachable: boolean;

  constructor(message: string, { code, unreachable = false }: { code?: string; unreachable?: boolean } = {}) {
    super(message);
    this.code = code;
    this.unreachable = unreachable;
  }

  /** The server is reachable but did not answer in time. */
  get isLate(): boolean {
    return this.code === 'ETIMEDOUT' && !this.unreachable;
  }
}

/** Sends HTTP requests over keep-alive connections of its own, through the proxy of the environment if it has one. */
export class HttpClient {
  readonly #connectTimeoutMs: number;
  readonly #http = new BufferedAgent({ keepAlive: true, timeout: IDLE_SOCKET_MS });
  readonly #https: TunnelAgent;

  constructor(connectTimeoutMs: number) {
    this.#connectTimeoutMs = connectTimeoutMs;
    this.#https = new TunnelAgent({ keepAlive: true, timeout: IDLE_SOCKET_MS }, connectTimeoutMs);
  }

  /** Resolves with the response headers. Aborting also destroys the body. Never settles after `destroy`. */
  send(route: Route, options: HttpRequestOptions): Promise<IncomingMessage> {
    const { signal, headMs, body } = options;
    return new Promise((resolve, reject) => {
      if (signal?.aborted) {
        reject(abortError());
        return;
      }
      const request = this.#request(route, options);
      // Without an error argument: an idle socket has no listener for it.
      const onAbort = () => request.destroy();
      if (signal) {
        // The SDK uses one signal for all requests of a connection. Each request removes its own listener.
        setMaxListeners(0, signal);
        signal.addEventListener('abort', onAbort, { once: true });
      }
      const onLate = () =>
        request.destroy(
          new HttpRequestError(`${originOf(route)} did not answer within ${headMs} ms`, { code: 'ETIMEDOUT' }),
        );
      const timer = headMs === undefined ? undefined : setTimeout(onLate, headMs);
      this.#boundConnecting(request, route);
      request.once('response', (response) => {
        clearTimeout(timer);
        // The body may fail before it is read. The reader gets the error then.
        response.on('error', () => {});
        resolve(response);
      });
      request.on('error', (error) => reject(signal?.aborted ? abortError() : described(error, route)));
      request.once('close', () => {
        clearTimeout(timer);
        signal?.removeEventListener('abort', onAbort);
      });
      request.end(body);
    });
  }

  /** Closes all connections, in use or idle. */
  destroy(): void {
    this.#http.destroy();
    this.#https.destroy();
  }

  #request({ url, socketPath }: Route, { method, headers, addresses }: HttpRequestOptions): ClientRequest {
    const common = {
      method,
      headers,
      ...(addresses ? { lookup: pinned(addresses) } : {}),
      ...(socketPath === null ? {} : { socketPath }),
    };
    if (url.protocol === 'https:') {
      return httpsRequest(url, { ...common, addresses, agent: this.#https } as RequestOptions);
    }
    const proxy = socketPath === null ? proxyFor(url) : undefined;
    if (!proxy) return httpRequest(url, { ...common, agent: this.#http });
    // An approved address is named instead of the host: the proxy must not look up another one.
    const [address] = addresses ?? [];
    const target = new URL(url);
    if (address !== undefined) target.hostname = isIPv6(address) ? `[${address}]` : address;
    const send = proxy.url.protocol === 'https:' ? httpsRequest : httpRequest;
    return send({
      host: proxy.url.hostname,
      port: proxy.url.port || (proxy.url.protocol === 'https:' ? 443 : 80),
      path: target.href,
      method,
      headers: { ...headers, host: url.host, ...proxy.headers },
    });
  }

  #boundConnecting(request: ClientRequest, route: Route): void {
    request.once('socket', (socket) => {
      if (!socket.connecting) return;
      const late = new HttpRequestError(
        `${originOf(route)} did not open a connection within ${this.#connectTimeoutMs} ms`,
        {
          code: 'ETIMEDOUT',
          unreachable: true,
        },
      );
      const timer = setTimeout(() => request.destroy(late), this.#connectTimeoutMs);
      const opened = route.url.protocol === 'https:' ? 'secureConnect' : 'connect';
      socket.once(opened, () => clearTimeout(timer));
      request.once('close', () => clearTimeout(timer));
    });
  }
}

/** A lookup that returns only the approved addresses. TLS still checks the host name. */
function pinned(addresses: readonly string[]): LookupFunction {
  const answers = addresses.map((address) => ({ address, family: isIPv6(address) ? 6 : 4 }));
  return (_host, options, callback) => {
    const [first] = answers;
    if (options.all || !first) callback(null, answers);
    else callback(null, first.address, first.family);
  };
}

const UNREACHABLE: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'the connection is refused; is the server running?',
  ENOENT: 'there is no such socket; is the server running?',
  ENOTFOUND: 'the host is not known',
  EAI_AGAIN: 'the host cannot be looked up at present',
  EHOSTUNREACH: 'the host cannot be reached',
  ENETUNREACH: 'there is no network',
  EACCES: 'this user may not open it',
};

const CERTIFICATE = 'its certificate is not trusted; name the authority in NODE_EXTRA_CA_CERTS if you trust it';
const NO_TLS = 'the server there does not use TLS; use http:// instead of https://';
const FAILED: Readonly<Record<string, string>> = {
  ECONNRESET: 'the server closed the connection without an answer; check the address, and use https:// if it uses TLS',
  EPROTO: NO_TLS,
  ERR_SSL_WRONG_VERSION_NUMBER: NO_TLS,
  ERR_SSL_PACKET_LENGTH_TOO_LONG: NO_TLS,
  CERT_HAS_EXPIRED: 'its certificate has expired',
  ERR_TLS_CERT_ALTNAME_INVALID: 'its certificate is for another host',
  DEPTH_ZERO_SELF_SIGNED_CERT: CERTIFICATE,
  SELF_SIGNED_CERT_IN_CHAIN: CERTIFICATE,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: CERTIFICATE,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: CERTIFICATE,
};

/** Describes an error without the path of the URL and the contents of a certificate. */
function described(error: NodeJS.ErrnoException, route: Route): Error {
  if (error instanceof HttpRequestError) return error;
  const { code } = error;
  const known = UNREACHABLE[code ?? ''];
  const reason =
    known ?? FAILED[code ?? ''] ?? (code === undefined ? error.message : `the connection failed (${code})`);
  return new HttpRequestError(`cannot reach ${originOf(route)}: ${reason}`, {
    ...(code === undefined ? {} : { code }),
    unreachable: known !== undefined,
  });
}

function abortError(): Error {
  return new DOMException('the request was aborted', 'AbortError');
}
