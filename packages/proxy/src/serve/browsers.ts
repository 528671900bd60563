import { originValidationResponse } from '@modelcontextprotocol/server';
import type { GateOptions } from './gate.js';

const SENT =
  'authorization, content-type, accept, last-event-id, mcp-session-id, mcp-protocol-version, mcp-method, mcp-name';
const READ = 'mcp-session-id, mcp-protocol-version, www-authenticate';

/** A browser asks before it sends what a page wants to send elsewhere. It asks without token, and learns nothing but the yes. */
export function preflight(request: Request, gate: GateOptions): Response | undefined {
  if (request.method !== 'OPTIONS' || !isAllowed(request, gate)) return undefined;
  const asked = request.headers.get('access-control-request-headers') ?? '';
  const parameters = asked.split(',').filter((name) => name.trim().toLowerCase().startsWith('mcp-param-'));
  const headers = {
    'access-control-allow-methods': 'POST, GET, DELETE',
    'access-control-allow-headers': [SENT, ...parameters].join(', '),
    'access-control-max-age': '600',
  };
  return readable(request, new Response(null, { status: 204, headers }), gate);
}

/** Lets a page of an allowed origin read the answer. */
export function readable(request: Request, response: Response, gate: GateOptions): Response {
  if (!isAllowed(request, gate)) return response;
  const opened = new Response(response.body, response);
  opened.headers.set('access-control-allow-origin', request.headers.get('origin') as string);
  opened.headers.set('access-control-expose-headers', READ);
  opened.headers.append('vary', 'origin');
  return opened;
}

/** Those that were named; pages on this machine may call, as other programs here, but have to be named to read. */
function isAllowed(request: Request, { allowedOrigins }: GateOptions): boolean {
  if (!allowedOrigins || !request.headers.has('origin')) return false;
  return originValidationResponse(request, [...allowedOrigins]) === undefined;
}
