import type { IncomingMessage, ServerResponse } from 'node:http';
import { errorAnswer, SMCPError } from '@a2c/protocol';
import type { SMCPServer } from '../server.js';

/** The paths of the endpoints. */
export const OPERATOR_PATHS = {
  health: '/healthz',
  readiness: '/readyz',
  metrics: '/metrics',
  sessions: '/operator/sessions',
} as const;

/**
 * Serves the endpoints for operators. {@link listen} does this already.
 *
 * - `/healthz`: the process runs.
 * - `/readyz`: it accepts members.
 * - `/metrics`: for Prometheus; with the operator right, or for everyone with `publicMetrics`.
 * - `GET /operator/sessions` and `DELETE /operator/sessions/<sid>`: list and end sessions, with the operator right.
 *
 * @returns false if the request is for another path; then nothing was written to the response
 * @example
 * ```ts
 * http.on('request', (request, response) => {
 *   if (!handleOperatorRequest(server, request, response)) app(request, response);
 * });
 * ```
 */
export function handleOperatorRequest(server: SMCPServer, request: IncomingMessage, response: ServerResponse): boolean {
  const path = (request.url ?? '').split('?', 1)[0] as string;
  const { health, readiness, metrics, sessions } = OPERATOR_PATHS;
  if (path === health) respond(response, 200, { status: 'ok' });
  else if (path === readiness)
    respond(response, server.isReady ? 200 : 503, { status: server.isReady ? 'ready' : 'unavailable' });
  else if (path === metrics) void answer(response, () => respondMetrics(server, request, response));
  else if (path === sessions || path.startsWith(`${sessions}/`)) {
    const sid = decodeSegment(path.slice(sessions.length + 1));
    void answer(response, () => respondSessions(server, request, response, sid));
  } else return false;
  return true;
}

/** Turns an error into an HTTP response. The text of an internal error is not sent. */
async function answer(response: ServerResponse, respondTo: () => Promise<void>): Promise<void> {
  try {
    await respondTo();
  } catch (thrown) {
    const error = SMCPError.from(thrown);
    if (error.code === 401) response.setHeader('WWW-Authenticate', 'Bearer');
    if (error.code === 429) response.setHeader('Retry-After', String(error.details.retry_after));
    respond(response, error.code >= 400 && error.code < 600 ? error.code : 500, errorAnswer(error));
  }
}

async function respondMetrics(server: SMCPServer, request: IncomingMessage, response: ServerResponse): Promise<void> {
  if (!server.publicMetrics) await server.authenticateOperator(request);
  const text = await server.metrics.text();
  response.writeHead(200, { 'Content-Type': server.metrics.contentType }).end(text);
}

async function respondSessions(
  server: SMCPServer,
  request: IncomingMessage,
  response: ServerResponse,
  sid: string,
): Promise<void> {
  const { subject } = await server.authenticateOperator(request);
  if (request.method === 'GET' && sid === '') return respond(response, 200, { sessions: server.sessions() });
  if (request.method !== 'DELETE' || sid === '') {
    response.setHeader('Allow', sid === '' ? 'GET' : 'DELETE');
    return respond(response, 405, { error: 'method not allowed' });
  }
  if (!server.kick(sid, subject)) throw new SMCPError('NotFound', `no session "${sid}" on this node`);
  respond(response, 200, { kicked: sid });
}

function decodeSegment(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text; // malformed escapes match no session
  }
}

function respond(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify(body));
}
