import { HubError } from '@a2c/hub';
import { isRecord } from '@a2c/protocol';
import { ProtocolError, ProtocolErrorCode } from '@modelcontextprotocol/server';
import type { MCPRequest, Toolbox, ToolboxCallOptions, ToolboxServer } from '../toolbox.js';

type Fields = Readonly<Record<string, unknown>>;

/**
 * Sends a request that MCP itself does not define to the servers that declare extensions, such as `skills/list`. A list
 * is that of all of them; any other request is answered by the first server that has an answer.
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
  for (const server of serversWithExtensions(toolbox)) {
    try {
      const answer = isList
        ? await allPages((params) => toolbox.request(server, { ...request, params }, options), request, maxPages)
        : await toolbox.request(server, request, options);
      if (!isList) return answer;
      answers.push(answer);
    } catch (error) {
      if (options.signal?.aborted) throw error;
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

function serversWithExtensions(toolbox: Toolbox): readonly string[] {
  return toolbox
    .servers()
    .filter((server) => server.state === 'ready' && mayHaveExtensions(server))
    .map(({ name }) => name)
    .toSorted();
}

const isUnknownMethod = (error: unknown): boolean =>
  error instanceof HubError && error.code === ProtocolErrorCode.MethodNotFound;
