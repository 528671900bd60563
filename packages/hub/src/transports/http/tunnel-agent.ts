import { Agent as HttpAgent, request as httpRequest } from 'node:http';
import { type AgentOptions, Agent as HttpsAgent, request as httpsRequest } from 'node:https';
import { isIPv6 } from 'node:net';
import type { Duplex } from 'node:stream';
import { type ConnectionOptions, connect } from 'node:tls';
import { type HttpProxy, proxyFor } from './proxy-settings.js';

/** Options of a connection: those of the request, and the addresses that it may use. */
interface TunnelOptions extends ConnectionOptions {
  readonly addresses?: readonly string[] | null;
}

const HTTPS_PORT = 443;
const HTTP_PORT = 80;

type Callback = (error: Error | null, socket?: Duplex) => void;

/** HTTPS connections, through a tunnel of the proxy if the environment names one. TLS ends at the server. */
export class TunnelAgent extends HttpsAgent {
  readonly #timeoutMs: number;

  constructor(options: AgentOptions, timeoutMs: number) {
    super(options);
    this.#timeoutMs = timeoutMs;
  }

  override createConnection(options: TunnelOptions, callback: Callback): Duplex | null | undefined {
    const { host = '', port: given, addresses } = options;
    const port = given ?? HTTPS_PORT;
    const proxy = proxyFor(new URL(`https://${bracketed(host)}:${port}`));
    if (!proxy) return super.createConnection(options as never, callback as never);
    // An approved address is named instead of the host: the proxy must not look up another one.
    const target = `${bracketed(addresses?.[0] ?? host)}:${port}`;
    openTunnel(proxy, target, this.#timeoutMs).then(
      (socket) => callback(null, connect({ ...options, socket, servername: options.servername ?? host } as never)),
      (error: Error) => callback(error),
    );
    return undefined;
  }
}

/** Plain connections through a tunnel of one proxy, for protocols that are more than single HTTP requests. */
class PlainTunnelAgent extends HttpAgent {
  readonly #proxy: HttpProxy;
  readonly #timeoutMs: number;

  constructor(proxy: HttpProxy, timeoutMs: number) {
    super({ keepAlive: true });
    this.#proxy = proxy;
    this.#timeoutMs = timeoutMs;
  }

  override createConnection({ host, port }: TunnelOptions, callback: Callback): undefined {
    const target = `${bracketed(host ?? '')}:${port ?? HTTP_PORT}`;
    openTunnel(this.#proxy, target, this.#timeoutMs).then((socket) => callback(null, socket), callback);
  }
}

/**
 * The agent for connections to an origin through the proxy of the environment; undefined for direct connections. It
 * serves HTTP requests and websockets.
 */
export function proxyAgent(origin: string, timeoutMs: number): HttpAgent | undefined {
  const url = new URL(origin.replace(/^ws/, 'http'));
  const proxy = proxyFor(url);
  if (!proxy) return undefined;
  return url.protocol === 'https:'
    ? new TunnelAgent({ keepAlive: true }, timeoutMs)
    : new PlainTunnelAgent(proxy, timeoutMs);
}

function openTunnel({ url, headers }: HttpProxy, target: string, timeoutMs: number): Promise<Duplex> {
  return new Promise((resolve, reject) => {
    const send = url.protocol === 'https:' ? httpsRequest : httpRequest;
    const request = send({
      host: url.hostname,
      port: url.port || (url.protocol === 'https:' ? 443 : 80),
      method: 'CONNECT',
      path: target,
      headers: { host: target, ...headers },
      agent: false,
      timeout: timeoutMs,
    });
    const refuse = (reason: string) => reject(new Error(`the proxy ${url.host} ${reason}`));
    request.once('connect', (response, socket) => {
      if (response.statusCode === 200) return resolve(socket);
      socket.destroy();
      refuse(`refused the connection to ${target} (HTTP ${response.statusCode})`);
    });
    request.once('timeout', () => request.destroy(new Error('timeout')));
    request.once('error', (error: NodeJS.ErrnoException) => refuse(`cannot be used: ${error.code ?? error.message}`));
    request.end();
  });
}

function bracketed(host: string): string {
  return isIPv6(host) ? `[${host}]` : host;
}
