import {
  isInputRequiredResult,
  ProtocolError,
  ProtocolErrorCode,
  type CallToolResult as SdkToolResult,
  type Tool,
} from '@modelcontextprotocol/server';
import type { MCPProxy } from '../mcp-proxy.js';
import { errorResult } from '../results/error-result.js';
import type { CallOptions, CallToolResult } from '../toolbox.js';
import { EXEC, INSPECT, toolDefinitions } from '../tools/definitions.js';
import { readExecArguments } from '../tools/exec-arguments.js';
import type { ClientConnection } from './face.js';
import { LooseServer } from './loose.js';
import { outward } from './outward.js';
import { runFor } from './work.js';

const INSTRUCTIONS = 'Many MCP servers behind two tools: inspect shows their tools, exec runs one.';

/** Long enough to save a round trip, short enough for a new server to be seen soon by clients that do not listen. */
const LIST_TTL_MS = 10_000;

/** The face that shows a model two tools. One per connection, or per request of a stateless client; nothing is kept in it. */
export function twoToolServer(proxy: MCPProxy, { isLasting }: ClientConnection): LooseServer {
  const { name, version, structuredContent } = proxy.options;
  const server = new LooseServer(
    { name, version },
    {
      capabilities: { tools: { listChanged: true } },
      instructions: INSTRUCTIONS,
      cacheHints: { 'tools/list': { ttlMs: LIST_TTL_MS, cacheScope: 'private' } },
    },
  );

  server.setRequestHandler('tools/list', () => ({
    tools: toolDefinitions(proxy.registry.description, structuredContent) as unknown as Tool[],
  }));

  server.setRequestHandler('tools/call', async ({ params }, ctx) => {
    const given = params.arguments ?? {};
    const about = [params.name, given];
    const result = await runFor(server, ctx, proxy.waitingRoom, about, (options) =>
      callOf(proxy, params.name, given, options),
    );
    if (isInputRequiredResult(result)) return result;
    return server.projectCallToolResult(outward(result as CallToolResult) as SdkToolResult, undefined);
  });

  if (isLasting) server.onclose = proxy.registry.onChange(() => void server.sendToolListChanged().catch(() => {}));
  return server;
}

async function callOf(
  proxy: MCPProxy,
  tool: string,
  given: Readonly<Record<string, unknown>>,
  options: CallOptions,
): Promise<CallToolResult> {
  const { server_name: server } = given;
  if (typeof server === 'string') await proxy.registry.settled(server, options.signal);
  if (tool === INSPECT) return proxy.inspector.run(given);
  if (tool !== EXEC) throw new ProtocolError(ProtocolErrorCode.InvalidParams, unknownTool(proxy, tool));
  const asked = readExecArguments(given);
  if (typeof asked === 'string') return errorResult(`Invalid arguments for exec: ${asked}`);
  const { result } = await proxy.executor.execute(asked.server, asked.tool, asked.arguments, options);
  return result;
}

/** Models that remember a tool call it by its own name; they are told how it is called here. */
function unknownTool(proxy: MCPProxy, tool: string): string {
  const owner = proxy.registry.servers.find(({ tools }) => tools.some(({ name }) => name === tool));
  const hint = owner ? ` Call exec with server_name "${owner.name}" and tool_name "${tool}".` : '';
  return `Unknown tool "${tool}": there are ${INSPECT} and ${EXEC}.${hint}`;
}
