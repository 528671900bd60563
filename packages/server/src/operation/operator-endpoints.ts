import type { IncomingMessage, ServerResponse } from 'node:http';
import type { SMCPServer } from '../server.js';

/**
 * Serves the endpoints for operators: `/healthz` (the process runs), `/readyz` (it accepts members), `/metrics` (for
 * Prometheus). {@link listen} does this already.
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
  const path = (request.url ?? '').split('?', 1)[0];
  if (path === '/healthz') respond(response, 200, { status: 'ok' });
  else if (path === '/readyz')
    respond(response, server.isReady ? 200 : 503, { status: server.isReady ? 'ready' : 'unavailable' });
  else if (path === '/metrics') void respondMetrics(server, response);
  else return false;
  return true;
}

function respond(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify(body));
}

async function respondMetrics({ metrics }: SMCPServer, response: ServerResponse): Promise<void> {
  try {
    const text = await metrics.text();
    response.writeHead(200, { 'Content-Type': metrics.contentType }).end(text);
  } catch {
    response.writeHead(500).end();
  }
}
