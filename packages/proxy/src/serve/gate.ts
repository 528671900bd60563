import { createHash, timingSafeEqual } from 'node:crypto';
import {
  hostHeaderValidationResponse,
  localhostAllowedHostnames,
  localhostAllowedOrigins,
  originValidationResponse,
} from '@modelcontextprotocol/server';
import { rpcError } from './rpc-error.js';

export interface GateOptions {
  /** The address the server listens on. */
  readonly host: string;
  /** What clients must send as `Authorization: Bearer …`. */
  readonly token?: string;
  /** Names under which the server may be addressed, besides localhost and its own address. */
  readonly allowedHosts?: readonly string[];
  /** Hosts of web pages that may call, besides those on localhost. */
  readonly allowedOrigins?: readonly string[];
}

const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|::1|\[::1\])$/i;
const ANY_ADDRESS = /^(0\.0\.0\.0|::|\[::\])$/;

/** Refuses to open a door to the network that anybody could walk through. */
export function assertGuarded({ host, token }: GateOptions): void {
  if (token === '') throw new Error('the token is empty: leave it out, or give one');
  if (!LOOPBACK.test(host) && token === undefined) {
    throw new Error(`listening on ${host} needs a token: everybody who can reach it could run every tool`);
  }
}

/** The refusal a request deserves, or undefined. A page from elsewhere must not reach us through the user's browser. */
export function refusalOf(request: Request, options: GateOptions): Response | undefined {
  return refusedHost(request, options) ?? refusedOrigin(request, options) ?? refusedToken(request, options.token);
}

function refusedHost(request: Request, { host, allowedHosts }: GateOptions): Response | undefined {
  // Who listens everywhere does not know all names it has; the token, which is then required, does this gate's work.
  if (ANY_ADDRESS.test(host) && allowedHosts === undefined) return undefined;
  const names = [host, ...(allowedHosts ?? [])].map(asInUrls);
  return hostHeaderValidationResponse(request, [...localhostAllowedHostnames(), ...names]);
}

/** Brackets around IPv6, small letters: as it will come back in a request. */
function asInUrls(host: string): string {
  const bracketed = host.includes(':') && !host.startsWith('[') ? `[${host}]` : host;
  return URL.canParse(`http://${bracketed}`) ? new URL(`http://${bracketed}`).hostname : host;
}

function refusedOrigin(request: Request, { allowedOrigins = [] }: GateOptions): Response | undefined {
  return originValidationResponse(request, [...localhostAllowedOrigins(), ...allowedOrigins]);
}

function refusedToken(request: Request, token: string | undefined): Response | undefined {
  if (token === undefined) return undefined;
  const given = /^Bearer (.+)$/i.exec(request.headers.get('authorization') ?? '')?.[1];
  if (given !== undefined && timingSafeEqual(digest(given), digest(token))) return undefined;
  const refusal = rpcError(401, -32001, 'A bearer token is required');
  refusal.headers.set('www-authenticate', 'Bearer');
  return refusal;
}

/** Equal lengths, so that the comparison tells nothing by its time. */
function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
