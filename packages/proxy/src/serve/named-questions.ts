import { isRecord, META_KEYS, oneLine } from '@a2c/protocol';
import type { Registry } from '../registry.js';
import { cut } from '../text/one-line.js';
import type { ServerRequest, ServerRequestHandler } from '../toolbox.js';
import type { ConnectedClient } from './connected-client.js';
import { ownTasks, showTasks } from './tasks.js';

const MAX_NAME = 100;

type Params = Readonly<Record<string, unknown>>;

/**
 * The questions of servers name the server, because the client knows only the proxy. A client that uses a single server
 * directly gets them unchanged. Ids of tasks are those that the client knows.
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
  const { method, server, params = {} } = request;
  if (server === undefined) return request;
  const _meta = { ...(isRecord(params._meta) && params._meta), [META_KEYS.toolServer]: server };
  const name = `The MCP server "${cut(oneLine(server), MAX_NAME)}"`;
  if (method === 'elicitation/create') {
    return { ...request, params: { ...params, _meta, message: `${name} asks: ${String(params.message ?? '')}` } };
  }
  if (method !== 'sampling/createMessage') return request;
  return { ...request, params: { ...params, _meta, ...sampling(name, params) } };
}

/**
 * The messages are those of the server, as they are the task of the model. To the client, "this server" is the proxy
 * with all servers: a server gets no context, which could be that of another one.
 */
function sampling(name: string, { systemPrompt, includeContext }: Params): Params {
  const title = `${name} asks for this message.`;
  return {
    systemPrompt: typeof systemPrompt === 'string' ? `${title}\n\n${systemPrompt}` : title,
    ...(includeContext !== undefined && { includeContext: 'none' }),
  };
}
