import { createHash, timingSafeEqual } from 'node:crypto';
import {
  hostHeaderValidationResponse,
  localhostAllowedHostnames,
  localhostAllowedOrigins,
  originValidationResponse,
} from '@modelcontextprotocol/server';
import type { HttpOptions } from './http.js';
import { rpcErrorResponse } from './rpc-error.js';

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

/** Checks `Host`, `Origin` and token. Returns the error response, or undefined if the request is accepted. */
export function rejectUnauthorized(request: Request, access: HttpAccess): Response | undefined {
  return checkHost(request, access) ?? checkOrigin(request, access) ?? checkToken(request, access.token);
}

/**
 * Against DNS rebinding. A server on all addresses does not know its names; there the token, which is then required,
 * protects it.
 */
function checkHost(request: Request, { host, allowedHosts }: HttpAccess): Response | undefined {
  if (ANY_ADDRESS.test(host) && allowedHosts === undefined) return undefined;
  const names = [host, ...(allowedHosts ?? [])].map(normaliseHost);
  return hostHeaderValidationResponse(request, [...localhostAllowedHostnames(), ...names]);
}

/** The host as URLs write it: lower case, IPv6 in brackets. */
function normaliseHost(host: string): string {
  const bracketed = host.includes(':') && !host.startsWith('[') ? `[${host}]` : host;
  return URL.canParse(`http://${bracketed}`) ? new URL(`http://${bracketed}`).hostname : host;
}

function checkOrigin(request: Request, { allowedOrigins = [] }: HttpAccess): Response | undefined {
  return originValidationResponse(request, [...localhostAllowedOrigins(), ...allowedOrigins]);
}

function checkToken(request: Request, token: string | undefined): Response | undefined {
  if (token === undefined) return undefined;
  const given = /^Bearer (.+)$/i.exec(request.headers.get('authorization') ?? '')?.[1];
  if (given !== undefined && timingSafeEqual(digest(given), digest(token))) return undefined;
  const response = rpcErrorResponse(401, -32001, 'A bearer token is required');
  response.headers.set('www-authenticate', 'Bearer');
  return response;
}

/** Digests have equal lengths, so the time of the comparison reveals nothing. */
function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}

const REQUEST_HEADERS =
  'a2c-toolset, authorization, content-type, accept, last-event-id, mcp-session-id, mcp-protocol-version, mcp-method, mcp-name';
const RESPONSE_HEADERS = 'mcp-session-id, mcp-protocol-version, www-authenticate';

/** Answers a CORS preflight request of an allowed origin. Browsers send it without the token. */
export function answerPreflight(request: Request, access: HttpAccess): Response | undefined {
  if (request.method !== 'OPTIONS' || !hasAllowedOrigin(request, access)) return undefined;
  const requested = request.headers.get('access-control-request-headers') ?? '';
  const parameters = requested.split(',').filter((name) => name.trim().toLowerCase().startsWith('mcp-param-'));
  const headers = {
    'access-control-allow-methods': 'POST, GET, DELETE',
    'access-control-allow-headers': [REQUEST_HEADERS, ...parameters].join(', '),
    'access-control-max-age': '600',
  };
  return addCorsHeaders(request, new Response(null, { status: 204, headers }), access);
}

/** Lets a page of an allowed origin read the response. */
export function addCorsHeaders(request: Request, response: Response, access: HttpAccess): Response {
  if (!hasAllowedOrigin(request, access)) return response;
  const readable = new Response(response.body, response);
  readable.headers.set('access-control-allow-origin', request.headers.get('origin') as string);
  readable.headers.set('access-control-expose-headers', RESPONSE_HEADERS);
  readable.headers.append('vary', 'origin');
  return readable;
}

/**
 * Only origins that were named. Pages on localhost may call the server, like other local programs, but not read the
 * response.
 */
function hasAllowedOrigin(request: Request, { allowedOrigins }: HttpAccess): boolean {
  if (!allowedOrigins || !request.headers.has('origin')) return false;
  return originValidationResponse(request, [...allowedOrigins]) === undefined;
}
