import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { declaredVersion, errorAnswer, judgeVersion, SMCPError, type VersionPolicy } from '@a2c/protocol';
import type { AddressOf } from './client-address.js';
import { KeyedBuckets } from './rate-limit.js';

interface Refusal {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: object;
}

export interface GateOptions {
  readonly versionPolicy: VersionPolicy;
  readonly origins: readonly string[] | undefined;
  readonly handshakesPerSecond: number;
  readonly connectionsPerAddress: number;
  readonly addressOf: AddressOf;
  readonly connectionsOf: (address: string) => number;
  readonly isDraining: () => boolean;
  readonly onRefused: (request: IncomingMessage, reason: string) => void;
}

type EngineMiddleware = (request: IncomingMessage, response: ServerResponse, next: () => void) => void;

/**
 * Judges new connections before Socket.IO spends anything on them: the same for polling and for websocket upgrades. A
 * refusal is always an HTTP answer with a body; on an upgrade it is written to the raw socket, because Engine.IO would
 * only hang up.
 */
export function gate(options: GateOptions): EngineMiddleware {
  const handshakes = new KeyedBuckets(options.handshakesPerSecond);
  return (request, response, next) => {
    const url = new URL(request.url ?? '/', 'http://gate');
    // Only the first request of a connection has no session id; an empty one is none to Engine.IO either.
    if (url.searchParams.get('sid')) return next();
    const refusal = judge(options, handshakes, request, Object.fromEntries(url.searchParams));
    if (!refusal) return next();
    options.onRefused(request, JSON.stringify(refusal.body));
    if (request.headers.upgrade === undefined) {
      response.writeHead(refusal.status, refusal.headers).end(JSON.stringify(refusal.body));
    } else {
      hangUp(request.socket, httpText(refusal));
    }
  };
}

/** Nobody else listens to this socket any more: its errors are ours, and so is its end if the peer does not end it. */
function hangUp(socket: Socket, text: string): void {
  socket.on('error', () => socket.destroy());
  socket.end(text);
  setTimeout(() => socket.destroy(), HANG_UP_MS).unref();
}

const HANG_UP_MS = 1_000;

function judge(
  options: GateOptions,
  handshakes: KeyedBuckets,
  request: IncomingMessage,
  query: Record<string, string>,
): Refusal | undefined {
  if (options.isDraining()) return errorRefusal(503, new SMCPError('Unavailable', 'this node is shutting down'));
  if (!isOriginAllowed(request, options.origins)) {
    return errorRefusal(403, new SMCPError('Forbidden', 'web pages of this origin may not connect'));
  }
  const address = options.addressOf(request);
  const wait = handshakes.take(address);
  if (wait > 0) return tooMany('too many connection attempts from this address', wait);
  if (options.connectionsOf(address) >= options.connectionsPerAddress) {
    return tooMany('too many connections from this address', 60);
  }
  // What is said in `auth` or in the join is judged when it arrives.
  const verdict = judgeVersion(declaredVersion({ query }), options.versionPolicy);
  return verdict.ok ? undefined : verdict.refusal;
}

function isOriginAllowed({ headers }: IncomingMessage, origins: readonly string[] | undefined): boolean {
  const { origin, host } = headers;
  if (origin === undefined) return true; // not a browser
  if (origins?.includes(origin) || origins?.includes('*')) return true;
  return URL.canParse(origin) && new URL(origin).host === host;
}

function tooMany(what: string, seconds: number): Refusal {
  const retryAfter = Math.ceil(seconds);
  const refusal = errorRefusal(429, new SMCPError('TooManyRequests', what, { details: { retry_after: retryAfter } }));
  return { ...refusal, headers: { ...refusal.headers, 'Retry-After': String(retryAfter) } };
}

function errorRefusal(status: number, error: SMCPError): Refusal {
  return { status, headers: { 'Content-Type': 'application/json' }, body: errorAnswer(error) };
}

function httpText({ status, headers, body }: Refusal): string {
  const text = JSON.stringify(body);
  const lines = Object.entries({ ...headers, 'Content-Length': Buffer.byteLength(text), Connection: 'close' });
  return `HTTP/1.1 ${status} Refused\r\n${lines.map(([name, value]) => `${name}: ${value}\r\n`).join('')}\r\n${text}`;
}
