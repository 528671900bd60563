import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { declaredVersion, errorAnswer, judgeVersion, SMCPError, type VersionPolicy } from '@a2c/protocol';
import type { HostCheck } from './allowed-hosts.js';
import type { ClientAddress } from './client-address.js';
import { HandshakeQueue } from './handshake-queue.js';
import { KeyedBuckets } from './rate-limit.js';
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
  const handshakeRate = new KeyedBuckets(options.handshakesPerSecond);
  const queue = new HandshakeQueue(options.connectionsPerAddress);
  return (request, response, next) => {
    if (isRefused(request)) return;
    const { searchParams } = new URL(request.url ?? '/', 'http://localhost');
    // Only the first request of a connection has no session id; Engine.IO treats an empty one as missing.
    const isFirst = !searchParams.get('sid');
    const check = () => {
      const refusal =
        checkPage(options, request, searchParams) ??
        (isFirst ? checkPeer(options, handshakeRate, request) : undefined) ??
        (isFirst ? checkVersion(options.versionPolicy, Object.fromEntries(searchParams)) : undefined);
      if (refusal) refuse(options, request, response, refusal);
      else next();
    };
    // Checked when it passes, so that the connections of one address are counted up to then.
    if (!isFirst) check();
    else if (!queue.add(options.addressOf(request), check)) {
      refuse(options, request, response, tooMany('too many connections are waiting', WAIT_SECONDS));
    }
  };
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

function checkPeer(
  options: HandshakeCheckOptions,
  handshakeRate: KeyedBuckets,
  request: IncomingMessage,
): Refusal | undefined {
  if (options.isDraining()) return errorRefusal(503, new SMCPError('Unavailable', 'this node is shutting down'));
  if (!isOriginAllowed(request, options.origins)) {
    return errorRefusal(403, new SMCPError('Forbidden', 'web pages of this origin may not connect'));
  }
  const address = options.addressOf(request);
  const wait = handshakeRate.take(address);
  if (wait > 0) return tooMany('too many connection attempts from this address', wait);
  if (options.connectionsFrom(address) >= options.connectionsPerAddress) {
    return tooMany('too many connections from this address', 60);
  }
  return undefined;
}

/** Checks the version in the query. One that is declared in `auth` or in the join is checked when it arrives. */
function checkVersion(policy: VersionPolicy, query: Record<string, string>): Refusal | undefined {
  const verdict = judgeVersion(declaredVersion({ query }), policy);
  return verdict.ok ? undefined : { ...verdict.refusal, error: verdict.error };
}

function isOriginAllowed({ headers }: IncomingMessage, origins: readonly string[] | undefined): boolean {
  const { origin, host } = headers;
  if (origin === undefined) return true; // not a browser
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
