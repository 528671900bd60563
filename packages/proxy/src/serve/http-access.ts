import { createHash, timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders, IncomingMessage, OutgoingHttpHeaders, ServerResponse } from 'node:http';
import {
  localhostAllowedHostnames,
  localhostAllowedOrigins,
  validateHostHeader,
  validateOriginHeader,
} from '@modelcontextprotocol/server';
import type { HttpOptions } from './http.js';

/** Which HTTP requests are accepted. */
export type HttpAccess = Pick<HttpOptions, 'token' | 'allowedHosts' | 'allowedOrigins'> & { readonly host: string };

const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|::1|\[::1\])$/i;
const ANY_ADDRESS = /^(0\.0\.0\.0|::|\[::\])$/;

/**
 * Checks that a server on the network has a token.
 *
 * @throws {Error} The token is missing or empty.
 */
export function assertProtected({ host, token }: HttpAccess): void {
  if (token === '') throw new Error('the token is empty: leave it out, or give one');
  if (!LOOPBACK.test(host) && token === undefined) {
    throw new Error(`listening on ${host} needs a token: everybody who can reach it could run every tool`);
  }
}

/** Why a request is rejected. */
export interface Rejection {
  readonly status: number;
  readonly code: number;
  readonly message: string;
  readonly headers?: OutgoingHttpHeaders;
}

/** Returns the check of `Host`, `Origin` and token. The check returns undefined if a request is accepted. */
export function accessCheck(access: HttpAccess): (headers: IncomingHttpHeaders) => Rejection | undefined {
  const hosts = acceptedHosts(access);
  const origins = [...localhostAllowedOrigins(), ...(access.allowedOrigins ?? [])];
  const token = access.token === undefined ? undefined : digest(access.token);
  /** Clients send the same `Host` with each request, and most send no `Origin`. */
  let acceptedHost: string | undefined;
  return ({ host, origin, authorization }) => {
    if (host === undefined || host !== acceptedHost || origin !== undefined) {
      const problem =
        (hosts && problemOf(validateHostHeader(host, hosts))) ?? problemOf(validateOriginHeader(origin, origins));
      if (problem !== undefined) return { status: 403, code: -32_000, message: problem };
      acceptedHost = host;
    }
    return token && !hasToken(authorization, token) ? UNAUTHORIZED : undefined;
  };
}

const problemOf = (result: { readonly ok: boolean; readonly message?: string }): string | undefined =>
  result.ok ? undefined : result.message;

/**
 * Against DNS rebinding. A server on all addresses does not know its names; there the token, which is then required,
 * protects it.
 */
function acceptedHosts({ host, allowedHosts }: HttpAccess): string[] | undefined {
  if (ANY_ADDRESS.test(host) && allowedHosts === undefined) return undefined;
  return [...localhostAllowedHostnames(), ...[host, ...(allowedHosts ?? [])].map(normaliseHost)];
}

/** The host as URLs write it: lower case, IPv6 in brackets. */
function normaliseHost(host: string): string {
  const bracketed = host.includes(':') && !host.startsWith('[') ? `[${host}]` : host;
  return URL.canParse(`http://${bracketed}`) ? new URL(`http://${bracketed}`).hostname : host;
}

const UNAUTHORIZED: Rejection = {
  status: 401,
  code: -32_001,
  message: 'A bearer token is required',
  headers: { 'www-authenticate': 'Bearer' },
};

function hasToken(authorization = '', expected: Buffer): boolean {
  const given = /^Bearer (.+)$/i.exec(authorization)?.[1];
  return given !== undefined && timingSafeEqual(digest(given), expected);
}

/** Digests have equal lengths, so the time of the comparison reveals nothing. */
function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}

const REQUEST_HEADERS =
  'a2c-toolset, authorization, content-type, accept, last-event-id, mcp-session-id, mcp-protocol-version, mcp-method, mcp-name';
const RESPONSE_HEADERS = 'mcp-session-id, mcp-protocol-version, www-authenticate';

/**
 * Lets a page of an allowed origin read the response, and answers a CORS preflight request, which browsers send without
 * the token. Returns true if the request is answered.
 */
export function answerPreflight(
  { method, headers }: IncomingMessage,
  response: ServerResponse,
  { allowedOrigins }: HttpAccess,
): boolean {
  const { origin } = headers;
  // Only origins that were named. Pages on localhost may call the server, like other local programs, but not read the
  // response.
  if (!allowedOrigins || !origin || !validateOriginHeader(origin, [...allowedOrigins]).ok) return false;
  response.setHeader('access-control-allow-origin', origin);
  response.setHeader('access-control-expose-headers', RESPONSE_HEADERS);
  response.setHeader('vary', 'origin');
  if (method !== 'OPTIONS') return false;
  const requested = String(headers['access-control-request-headers'] ?? '');
  const parameters = requested.split(',').filter((name) => name.trim().toLowerCase().startsWith('mcp-param-'));
  response.writeHead(204, {
    'access-control-allow-methods': 'POST, GET, DELETE',
    'access-control-allow-headers': [REQUEST_HEADERS, ...parameters].join(', '),
    'access-control-max-age': '600',
  });
  response.end();
  return true;
}
