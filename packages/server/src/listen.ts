import { constants } from 'node:crypto';
import { once } from 'node:events';
import { unwatchFile, watchFile } from 'node:fs';
import {
  createServer as createHttpServer,
  type Server as HttpServer,
  type IncomingMessage,
  type ServerResponse,
} from 'node:http';
import { createServer as createHttpsServer, type Server as HttpsServer } from 'node:https';
import { type AddressInfo, isIP, type Socket } from 'node:net';
import type { SecureContextOptions } from 'node:tls';
import { createLogger, type Logger } from '@a2c/log';
import { isLoopback } from './access/allowed-hosts.js';
import { allowAnonymous } from './access/identity.js';
import { readKeyFile } from './access/key-files.js';
import { isRefused, limitRequests } from './access/request-limit.js';
import { limitSockets } from './access/socket-limit.js';
import { limitTlsHandshakes, type TlsHandshakeLimits, trackTlsHandshakes } from './access/tls-handshakes.js';
import { handleOperatorRequest } from './operation/operator-endpoints.js';
import { SERVER_LIMITS, type ServerLimits, type ServerOptions } from './options.js';
import { createServer, type SMCPServer } from './server.js';

/** PEM files for TLS. They are watched: changed files are used for new connections. */
export interface TlsFiles {
  /** The certificate chain. */
  readonly cert: string;
  /** The private key. */
  readonly key: string;
  /** Requires client certificates signed by this authority. */
  readonly clientCa?: string;
}

/** Options of {@link listen}. */
export interface ListenOptions extends Omit<ServerOptions, 'http'> {
  /** The address to listen on; `127.0.0.1` by default. */
  readonly host?: string;
  /** The port; 7000 by default, 0 picks a free one. */
  readonly port?: number;
  /** Serves HTTPS. */
  readonly tls?: TlsFiles;
  /** Handles further paths, such as those of the console. Returns false for others. */
  readonly onRequest?: (request: IncomingMessage, response: ServerResponse) => boolean;
  /** Allows a server without TLS or without authentication on an address that is not loopback. */
  readonly allowInsecure?: boolean;
}

/** A Server that listens on a port. */
export interface Listening {
  /** The URL that clients connect to, with the port that was picked. */
  readonly url: string;
  /** The attached signalling server. */
  readonly server: SMCPServer;
  /** Closes all connections at once. Call `server.drain()` first to let pending calls finish. */
  close(): Promise<void>;
}

/**
 * Starts a Server on a port of its own, with the endpoints for operators ({@link handleOperatorRequest}).
 *
 * @throws Error if the port is in use, a TLS file cannot be read, Redis cannot be reached, or the server would be
 * insecure
 * @example
 * ```ts
 * const { url, server, close } = await listen({
 *   host: '0.0.0.0',
 *   tls: { cert: 'cert.pem', key: 'key.pem' },
 *   authenticate: await authFile({ path: 'keys.json' }),
 * });
 * console.log(`ready ${url}`);
 * process.once('SIGTERM', async () => {
 *   await server.drain();
 *   await close();
 * });
 * ```
 */
export async function listen(options: ListenOptions): Promise<Listening> {
  const { host = '127.0.0.1', port = 7_000, tls } = options;
  const logger = options.logger ?? createLogger('a2c-server');
  refuseInsecure(options, host);
  const limits = { ...SERVER_LIMITS, ...options.limits };
  const handshakeTimeout = limits.tlsHandshakeTimeoutMs;
  const http = tls ? createHttpsServer({ ...secureOptions(tls), handshakeTimeout }) : createHttpServer();
  if (tls) limitTlsHandshakes(http as HttpsServer, handshakeLimits(limits, tls), options.trustedProxies);
  const closeTlsHandshakes = tls ? trackTlsHandshakes(http as HttpsServer) : () => {};
  limitSockets(http, limits.connectionsPerAddress, options.trustedProxies);
  http.on('request', (request, response) => {
    if (isRefused(request) || options.onRequest?.(request, response)) return;
    if (!handleOperatorRequest(server, request, response)) response.writeHead(404).end();
  });
  const server = await createServer({ ...options, logger, http });
  limitRequests(http); // after Socket.IO, which would call this listener for requests of other paths only
  const stopWatching = tls ? reloadCertificates(http as HttpsServer, tls, logger) : () => {};
  http.listen(port, host);
  await once(http, 'listening').catch(async (error: NodeJS.ErrnoException) => {
    stopWatching();
    await server.close();
    throw error.code === 'EADDRINUSE'
      ? new Error(`port ${port} is in use; choose another (--port), or 0 for a free one`, { cause: error })
      : error;
  });
  const url = urlOf(http, host, tls !== undefined);
  logger.info({ url }, 'server started');
  return {
    url,
    server,
    close: async () => {
      stopWatching();
      const closed = server.close();
      // Otherwise close() would wait for requests and handshakes that never finish, also of later connections.
      http.on('connection', (socket: Socket) => void socket.destroy());
      http.closeAllConnections();
      closeTlsHandshakes();
      await closed;
      logger.info({ url }, 'server stopped');
    },
  };
}

/** Without client certificates, a handshake costs little: many clients of one address may begin theirs at once. */
function handshakeLimits(limits: ServerLimits, { clientCa }: TlsFiles): TlsHandshakeLimits {
  return clientCa === undefined ? { ...limits, tlsHandshakesPerAddress: limits.tlsHandshakesPerProxy } : limits;
}

function refuseInsecure({ tls, authenticate, allowInsecure }: ListenOptions, host: string): void {
  if (allowInsecure || isLoopback(host)) return;
  const remedy = 'or allow it explicitly (allowInsecure, --insecure)';
  if (!tls) {
    throw new Error(`refusing to serve without TLS on ${host}: give a certificate (tls, --tls-cert), ${remedy}`);
  }
  if (authenticate === allowAnonymous) {
    throw new Error(
      `refusing to serve without authentication on ${host}: set up authentication (--api-key, --auth-file, --jwt-jwks), ${remedy}`,
    );
  }
}

function secureOptions({
  cert,
  key,
  clientCa,
}: TlsFiles): SecureContextOptions & { requestCert?: boolean; rejectUnauthorized?: boolean } {
  return {
    cert: readKeyFile(cert),
    key: readKeyFile(key),
    minVersion: 'TLSv1.2',
    // A renegotiation would be a handshake without the limits of a first one.
    secureOptions: constants.SSL_OP_NO_RENEGOTIATION,
    ...(clientCa !== undefined && { ca: readKeyFile(clientCa), requestCert: true, rejectUnauthorized: true }),
  };
}

/** Uses changed files for new connections. Files that do not fit are reported, and the current ones stay in use. */
function reloadCertificates(http: HttpsServer, files: TlsFiles, logger: Logger): () => void {
  const paths = [files.cert, files.key, ...(files.clientCa === undefined ? [] : [files.clientCa])];
  const reload = () => {
    try {
      http.setSecureContext(secureOptions(files));
      logger.info({ cert: files.cert }, 'certificates reloaded');
    } catch (error) {
      logger.error({ err: error }, 'cannot use the new certificates; the old ones stay');
    }
  };
  for (const path of paths) watchFile(path, { interval: 1_000, persistent: false }, reload);
  return () => {
    for (const path of paths) unwatchFile(path, reload);
  };
}

function urlOf(http: HttpServer | HttpsServer, host: string, secure: boolean): string {
  const { port } = http.address() as AddressInfo;
  return `${secure ? 'https' : 'http'}://${isIP(host) === 6 ? `[${host}]` : host}:${port}`;
}
