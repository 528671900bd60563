import { HubError } from '@a2c/hub';
import { isRecord } from '@a2c/protocol';
import { ProtocolError, ProtocolErrorCode } from '@modelcontextprotocol/server';
import type { MCPRequest, Toolbox, ToolboxCallOptions, ToolboxServer } from '../toolbox.js';

type Fields = Readonly<Record<string, unknown>>;

/**
 * Sends a request that MCP itself does not define to the servers that declare extensions, such as `skills/list`. A list
 * is that of all of them. Any other request goes to one server: the first in the configuration that declares the
 * extension of the method. Another one is tried only if the server does not know the method or refuses the parameters,
 * so that no request takes effect twice.
 */
export async function sendToExtensions(
  toolbox: Toolbox,
  request: MCPRequest,
  options: ToolboxCallOptions,
  maxPages: number,
): Promise<Fields> {
  const isList = request.method.endsWith('/list');
  const answers: Fields[] = [];
  let failure: unknown;
  for (const server of serversFor(toolbox, request.method)) {
    try {
      if (!isList) return await toolbox.request(server, request, options);
      answers.push(
        await allPages((params) => toolbox.request(server, { ...request, params }, options), request, maxPages),
      );
    } catch (error) {
      if (options.signal?.aborted || !(isList || isRefusal(error))) throw error;
      // A server that knows the method says best what is wrong.
      if (failure === undefined || !isUnknownMethod(error)) failure = error;
    }
  }
  if (answers.length > 0) return answers.reduce(joined);
  throw failure ?? new ProtocolError(ProtocolErrorCode.MethodNotFound, 'Method not found');
}

async function allPages(
  send: (params: Fields) => Promise<Fields>,
  { params = {} }: MCPRequest,
  maxPages: number,
): Promise<Fields> {
  let { nextCursor, ...all } = await send(params);
  for (let page = 1; page < maxPages && typeof nextCursor === 'string'; page++) {
    const { nextCursor: next, ...more } = await send({ ...params, cursor: nextCursor });
    all = joined(all, more);
    nextCursor = next;
  }
  return all;
}

/** Two answers as one: their lists one after the other. */
function joined(one: Fields, other: Fields): Fields {
  const fields = Object.entries(other).map(([name, value]) => {
    const before = one[name];
    return [name, Array.isArray(before) && Array.isArray(value) ? [...before, ...value] : (before ?? value)];
  });
  return { ...one, ...Object.fromEntries(fields) };
}

/** Whether a server declares extensions, or has not said yet. */
export function mayHaveExtensions({ state, capabilities }: ToolboxServer): boolean {
  return state === 'starting' || isRecord(capabilities?.extensions);
}

/** The servers with extensions in the order of the configuration, first those that declare the one of the method. */
function serversFor(toolbox: Toolbox, method: string): readonly string[] {
  const servers = toolbox.servers().filter((server) => server.state === 'ready' && mayHaveExtensions(server));
  const declares = ({ capabilities }: ToolboxServer) =>
    Object.keys(capabilities?.extensions ?? {}).some((extension) => isMethodOf(extension, method));
  const [declaring, others] = [servers.filter(declares), servers.filter((server) => !declares(server))];
  return [...declaring, ...others].map(({ name }) => name);
}

/** `io.modelcontextprotocol/skills` has the methods `skills/…`, and those that begin with its whole name. */
function isMethodOf(extension: string, method: string): boolean {
  const name = extension.slice(extension.lastIndexOf('/') + 1);
  return method.startsWith(`${name}/`) || method.startsWith(`${extension}/`);
}

/** The server did nothing. */
const isRefusal = (error: unknown): boolean =>
  isUnknownMethod(error) || (error instanceof HubError && REFUSALS.includes(error.code ?? 0));

const REFUSALS: readonly number[] = [ProtocolErrorCode.InvalidParams, ProtocolErrorCode.ResourceNotFound];

const isUnknownMethod = (error: unknown): boolean =>
  error instanceof HubError && error.code === ProtocolErrorCode.MethodNotFound;
