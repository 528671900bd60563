import { oneLine } from '@a2c/protocol';
import type { Registry } from '../registry.js';
import { cut } from '../text/one-line.js';
import type { ServerRequest, ServerRequestHandler } from '../toolbox.js';
import type { ConnectedClient } from './connected-client.js';
import { ownTasks, showTasks } from './tasks.js';

const MAX_NAME = 100;

/**
 * The questions of servers begin with the name of the server, because the client knows only the proxy. A client that
 * uses a single server directly gets its questions without it. Ids of tasks are those that the client knows.
 */
export function withServerNames(
  handler: ServerRequestHandler,
  { isDirect }: Pick<ConnectedClient, 'isDirect'>,
  { servers }: Pick<Registry, 'servers'>,
): ServerRequestHandler {
  const isOnly = isDirect && servers.length === 1;
  return async (request) => {
    const { server, params } = request;
    const shown = server !== undefined && params ? { ...request, params: showTasks(server, params) } : request;
    return ownTasks(await handler(isOnly ? shown : named(shown)));
  };
}

function named(request: ServerRequest): ServerRequest {
  const { method, server, params } = request;
  if (method !== 'elicitation/create' || server === undefined) return request;
  const title = `The MCP server "${cut(oneLine(server), MAX_NAME)}" asks:`;
  return { ...request, params: { ...params, message: `${title} ${String(params?.message ?? '')}` } };
}
