import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { declaredVersion, errorAnswer, judgeVersion, SMCPError, type VersionPolicy } from '@a2c/protocol';
import type { HostCheck } from './allowed-hosts.js';
import type { ClientAddress } from './client-address.js';
import { HandshakeQueue } from './handshake-queue.js';
import { HandshakeRate } from './handshake-rate.js';
import { isRefused } from './request-limit.js';

interface Refusal {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: object;
  readonly error: SMCPError;
}

export interface HandshakeCheckOptions {
  readonly versionPolicy: VersionPolicy;
  readonly origins?: readonly string[] | undefined;
  readonly isHostAllowed: HostCheck;
  readonly handshakesPerSecond: number;
  readonly connectionsPerAddress: number;
  readonly addressOf: ClientAddress;
  readonly connectionsFrom: (address: string) => number;
  /** Ends a connection of this address that could have presented credentials and has not. False if there is none. */
  readonly makeRoom: (address: string) => boolean;
  /** Whether a request presents a certificate, or a header with a key or token. */
  readonly hasCredentials: (request: IncomingMessage) => boolean;
  /** Checks them. */
  readonly isMember: (request: IncomingMessage) => Promise<boolean>;
  readonly isDraining: () => boolean;
  readonly onRefused: (request: IncomingMessage, error: SMCPError) => void;
}

type EngineMiddleware = (request: IncomingMessage, response: ServerResponse, next: () => void) => void;

/** When a client may try again for which there was no place in the queue. */
const WAIT_SECONDS = 5;
/** How long a refused client has to close its socket. */
const CLOSE_TIMEOUT_MS = 1_000;

/**
 * Engine.IO middleware that checks new connections before Socket.IO allocates anything for them, the same for polling
 * and for WebSocket upgrades. A refusal is always an HTTP response with a body. On an upgrade it is written to the raw
 * socket, because Engine.IO would close it without a response.
 */
export function handshakeChecks(options: HandshakeCheckOptions): EngineMiddleware {
  const rate = new HandshakeRate(options.handshakesPerSecond);
  const queue = new HandshakeQueue(options.connectionsPerAddress);
  return (request, response, next) => {
    if (isRefused(request)) return;
    const { searchParams } = new URL(request.url ?? '/', 'http://localhost');
    const end = (refusal: Refusal | undefined) => {
      request.socket.off('error', destroySocket);
      if (isRefused(request)) return;
      if (refusal) refuse(options, request, response, refusal);
      else next();
    };
    // Only the first request of a connection has no session id; Engine.IO treats an empty one as missing.
    if (searchParams.get('sid')) {
      end(checkPage(options, request, searchParams));
      return;
    }
    const address = options.addressOf(request);
    const check = () => {
      const refusal = checkPage(options, request, searchParams) ?? checkOrigin(options, request);
      if (refusal) {
        end(refusal);
        return;
      }
      const admit = (wait: number) => end(checkPeer(options, address, wait, Object.fromEntries(searchParams)));
      const wait = rate.take(address);
      if (wait === 0 || !options.hasCredentials(request)) admit(wait);
      else void rate.takeAsMember(address, wait, () => options.isMember(request)).then(admit);
    };
    // Node has no listener for the errors of a socket that is upgraded, and Engine.IO adds its own later.
    request.socket.on('error', destroySocket);
    // Checked when it passes, so that the connections of one address are counted up to then.
    if (!queue.add(address, check)) end(tooMany('too many connections are waiting', WAIT_SECONDS));
  };
}

function destroySocket(this: Socket): void {
  this.destroy();
}

function refuse(
  { onRefused }: HandshakeCheckOptions,
  request: IncomingMessage,
  response: ServerResponse,
  refusal: Refusal,
): void {
  onRefused(request, refusal.error);
  if (request.headers.upgrade === undefined) {
    // A peer that ignores refusals cannot send thousands of requests over one socket.
    const headers = { ...refusal.headers, Connection: 'close' };
    response.writeHead(refusal.status, headers).end(JSON.stringify(refusal.body));
  } else {
    endSocket(request.socket, httpResponse(refusal));
  }
}

/** Sends the response and closes the socket, also if the peer resets it or keeps it open. */
function endSocket(socket: Socket, response: string): void {
  socket.on('error', () => socket.destroy());
  socket.end(response);
  setTimeout(() => socket.destroy(), CLOSE_TIMEOUT_MS).unref();
}

/** What a web page could send without an `Origin` header is checked in every request. */
function checkPage(
  { isHostAllowed }: HandshakeCheckOptions,
  { headers }: IncomingMessage,
  query: URLSearchParams,
): Refusal | undefined {
  if (!isHostAllowed(headers.host)) {
    const message = `the host "${(headers.host ?? '').slice(0, 100)}" is not served: connect to an address of this server, or allow the name (hosts, --allow-host)`;
    return errorRefusal(403, new SMCPError('Forbidden', message));
  }
  // JSONP would let any page send requests and read the answers.
  if (query.has('j')) return errorRefusal(403, new SMCPError('Forbidden', 'JSONP is not served'));
  return undefined;
}

/** Before anything is counted, so that a page cannot use up the limits of the programs on its machine. */
function checkOrigin({ isDraining, origins }: HandshakeCheckOptions, request: IncomingMessage): Refusal | undefined {
  if (isDraining()) return errorRefusal(503, new SMCPError('Unavailable', 'this node is shutting down'));
  if (isOriginAllowed(request, origins)) return undefined;
  return errorRefusal(403, new SMCPError('Forbidden', 'web pages of this origin may not connect'));
}

function checkPeer(
  options: HandshakeCheckOptions,
  address: string,
  wait: number,
  query: Record<string, string>,
): Refusal | undefined {
  if (wait > 0) return tooMany('too many connection attempts from this address', wait);
  if (options.connectionsFrom(address) >= options.connectionsPerAddress && !options.makeRoom(address)) {
    return tooMany('too many connections from this address', 60);
  }
  return checkVersion(options.versionPolicy, query);
}

/** Checks the version in the query. One that is declared in `auth` or in the join is checked when it arrives. */
function checkVersion(policy: VersionPolicy, query: Record<string, string>): Refusal | undefined {
  const verdict = judgeVersion(declaredVersion({ query }), policy);
  return verdict.ok ? undefined : { ...verdict.refusal, error: verdict.error };
}

function isOriginAllowed({ headers }: IncomingMessage, origins: readonly string[] | undefined): boolean {
  const { origin, host, 'sec-fetch-site': site } = headers;
  // Browsers send no `Origin` with a GET whose answer the page cannot read, and other programs send neither of the two.
  if (origin === undefined) return site === undefined || site === 'same-origin' || site === 'none';
  if (origins?.includes(origin) || origins?.includes('*')) return true;
  return URL.canParse(origin) && new URL(origin).host === host;
}

/** The error of a client that must wait this long. */
export function tooManyRequests(what: string, seconds: number): SMCPError {
  return new SMCPError('TooManyRequests', what, { details: { retry_after: Math.ceil(seconds) } });
}

function tooMany(what: string, seconds: number): Refusal {
  const error = tooManyRequests(what, seconds);
  const refusal = errorRefusal(429, error);
  return { ...refusal, headers: { ...refusal.headers, 'Retry-After': String(error.details.retry_after) } };
}

function errorRefusal(status: number, error: SMCPError): Refusal {
  return { status, headers: { 'Content-Type': 'application/json' }, body: errorAnswer(error), error };
}

function httpResponse({ status, headers, body }: Refusal): string {
  const text = JSON.stringify(body);
  const lines = Object.entries({ ...headers, 'Content-Length': Buffer.byteLength(text), Connection: 'close' });
  return `HTTP/1.1 ${status} Refused\r\n${lines.map(([name, value]) => `${name}: ${value}\r\n`).join('')}\r\n${text}`;
}
