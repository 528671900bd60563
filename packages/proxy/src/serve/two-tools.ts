import { callerOf } from '@a2c/hub';
import type { CallToolResult } from '@a2c/protocol';
import {
  type CallToolRequest,
  CLIENT_INFO_META_KEY,
  isInputRequiredResult,
  ProtocolError,
  ProtocolErrorCode,
  type Tool,
} from '@modelcontextprotocol/server';
import { RUN } from '../code/run-definition.js';
import type { MCPProxy, ProxyTools } from '../mcp-proxy.js';
import type { Registry } from '../registry.js';
import { errorResult } from '../results/error-results.js';
import { displayName } from '../text/one-line.js';
import type { ToolboxServer } from '../toolbox.js';
import type { ContentSources } from '../tools/contents.js';
import {
  EVERY_SERVER,
  EXEC,
  INSPECT,
  QUERY,
  readContentRequest,
  readExecArguments,
  readSkillRequest,
  toolDefinitions,
} from '../tools/definitions.js';
import { searchText } from '../tools/inspect.js';
import { openingUrls } from '../tools/required-urls.js';
import type { RequestContext } from './call-dispatch.js';
import { definitionOf, directTools, isDirect } from './direct-tools.js';
import { LenientServer } from './lenient-server.js';
import { notifyOfOpenedUrls } from './notifications.js';
import type { RequestOptions } from './request-options.js';
import { RequestRunner } from './request-runner.js';
import type { ClientConnection, Endpoint } from './server-factory.js';

const INSTRUCTIONS = 'Many MCP servers behind two tools: inspect shows their tools, exec runs one.';

const CODE_INSTRUCTIONS = ' run executes code that calls many.';

/** Saves clients a round trip; a client without notifications sees a new server after this time. */
const LIST_TTL_MS = 10_000;

/** The MCP server with the tools `inspect` and `exec`, and `run` in code mode. */
export function twoToolServer(endpoint: Endpoint, { isLasting, client }: ClientConnection): LenientServer {
  const { proxy } = endpoint;
  const { name, version } = proxy.options;
  const server = new LenientServer(
    { name, version },
    {
      capabilities: { tools: { listChanged: true } },
      instructions: `${INSTRUCTIONS}${proxy.codeRunner.isOffered ? CODE_INSTRUCTIONS : ''}`,
      cacheHints: { 'tools/list': { ttlMs: LIST_TTL_MS, cacheScope: 'private' } },
    },
  );
  const runner = new RequestRunner(server, client, endpoint);
  /** The tools as this client sees them. Newer clients declare their name with each request. */
  const toolsOf = (ctx: RequestContext): ProxyTools => {
    const envelope = ctx.mcpReq.envelope as Readonly<Record<string, unknown>> | undefined;
    const declared = envelope ? envelope[CLIENT_INFO_META_KEY] : server.getClientVersion();
    const { name } = (declared ?? {}) as { readonly name?: string };
    return proxy.toolsFor(name);
  };

  server.setRequestHandler('tools/list', async (_request, ctx) => {
    await proxy.registry.firstSettled(ctx.mcpReq.signal);
    const direct = directTools(proxy).map(({ name: shown, item }) => definitionOf(item, shown));
    const definitions = toolDefinitions({
      catalogue: proxy.registry.description,
      withOutputSchema: toolsOf(ctx).hasStructure,
      withQuery: proxy.options.queryTool,
      withSkills: proxy.toolbox.skills?.areOffered ?? false,
      code: proxy.codeRunner.isOffered ? (proxy.registry.hasComputers ? 'computers' : 'servers') : undefined,
    });
    return { tools: (isDirect(proxy) ? direct : [...definitions, ...direct]) as unknown as Tool[] };
  });

  server.handleCalls(
    ({ params }, ctx) => {
      const { name: tool, arguments: given = {} } = params as CallToolRequest['params'];
      return runner.run(ctx, [tool, given], (options) => callTool(endpoint, toolsOf(ctx), tool, given, options));
    },
    (result) => (isInputRequiredResult(result) ? result : server.toolResult(result as CallToolResult)),
  );

  if (isLasting) {
    // A send that fails means that the client has disconnected.
    const notify = () => void server.sendToolListChanged().catch(() => {});
    const { registry, options } = proxy;
    const isListingTools = options.mode === 'auto' || options.pinned.length > 0;
    const { skills } = proxy.toolbox;
    const stops = [
      ...(skills ? [skills.onChange(notify)] : []),
      registry.on('descriptionChanged', notify),
      ...(isListingTools ? [registry.on('toolsChanged', notify)] : []),
      notifyOfOpenedUrls(server, proxy.toolbox, client),
    ];
    server.onclose = () => {
      for (const stop of stops) stop();
    };
  }
  return server;
}

function callTool(
  endpoint: Endpoint,
  tools: ProxyTools,
  tool: string,
  given: Readonly<Record<string, unknown>>,
  options: RequestOptions,
): Promise<CallToolResult> {
  const { server_name: server } = given;
  // Nothing to wait for before the most frequent call: one promise less.
  const isExec = tool === EXEC && typeof server === 'string' && endpoint.proxy.registry.isSettled(server);
  return isExec ? exec(endpoint, tools, given, options) : callAnyTool(endpoint, tools, tool, given, options);
}

function exec(
  { resources }: Endpoint,
  { executor }: ProxyTools,
  given: Readonly<Record<string, unknown>>,
  options: RequestOptions,
): Promise<CallToolResult> {
  const args = readExecArguments(given);
  if (typeof args === 'string') return Promise.resolve(errorResult(`Invalid arguments for ${EXEC}: ${args}`));
  // A function that is assigned directly is created in the old generation of the heap.
  const showLinks: RequestOptions['showLinks'] = (owner, result) => resources.inResult(owner, result, options);
  options.showLinks = showLinks;
  return executor.show(args.server, args.tool, args.arguments, options);
}

async function callAnyTool(
  endpoint: Endpoint,
  tools: ProxyTools,
  tool: string,
  given: Readonly<Record<string, unknown>>,
  options: RequestOptions,
): Promise<CallToolResult> {
  const { proxy, prompts, resources } = endpoint;
  const { inspector, executor, contents, skills, codeRunner } = tools;
  const skillRequest = tool === INSPECT ? readSkillRequest(given) : undefined;
  if (skillRequest) return skills.run(skillRequest, options);
  const { registry } = proxy;
  const inspect = async (asked: Readonly<Record<string, unknown>>) => {
    await proxy.turns.take(callerOf(options));
    return inspector.run(asked);
  };
  const { server_name: server } = given;
  if (typeof server === 'string' && !registry.isSettled(server)) await registry.settled(server, options.signal);
  const content = tool === INSPECT ? readContentRequest(given) : undefined;
  if (content) {
    const sources: ContentSources = {
      read: (uri, from) => openingUrls(proxy.toolbox, options, () => resources.read({ uri }, options, from)),
      promptOwners: (name) => prompts.ownersOf(name, options),
    };
    if (content.server !== undefined) return contents.run(content, sources, options);
    await registry.started(options.signal);
    const result = await contents.run(content, sources, options);
    const isFound = !result.isError && (content.kind === 'read' || content.kind === 'prompt');
    return isFound ? result : namingMissing(registry, () => true, result);
  }
  if (tool === INSPECT) {
    const isSearch = isText(given.query) || isText(given.tool_name);
    const isOverAll = isSearch && (!isText(server) || server === EVERY_SERVER);
    if (isOverAll) await registry.listed(options.signal);
    if (typeof given.query === 'string') await registry.prepareSearch(searchText(given.query), options.signal);
    const result = await inspect(given);
    return isOverAll ? namingMissing(registry, ({ tools }) => tools.length === 0, result) : result;
  }
  if (tool === EXEC) return exec(endpoint, tools, given, options);
  const showLinks: RequestOptions['showLinks'] = (owner, result) => resources.inResult(owner, result, options);
  options.showLinks = showLinks;
  const direct = directTools(proxy).find(({ name }) => name === tool);
  if (direct) return executor.show(direct.server, direct.item.name, given, options);
  if (tool === RUN && codeRunner.isEnabled) return codeRunner.run(given, options);
  if (tool !== QUERY || !proxy.options.queryTool)
    throw new ProtocolError(ProtocolErrorCode.InvalidParams, unknownTool(proxy, tool));
  const args = readExecArguments(given);
  if (typeof args === 'string') return errorResult(`Invalid arguments for ${tool}: ${args}`);
  const found = proxy.registry.getTool(args.server, args.tool);
  // A tool that is not listed may write.
  if (!found) return inspect({ server_name: args.server, tool_name: args.tool });
  if (found.annotations?.readOnlyHint !== true) {
    return errorResult(`The tool "${args.tool}" does not declare that it only reads. Call it with exec.`);
  }
  return executor.show(args.server, args.tool, args.arguments, options);
}

const isText = (value: unknown): value is string => typeof value === 'string' && value !== '';

/** An answer about all servers names those that are still starting: what they have is not in it. */
function namingMissing(
  { servers }: Registry,
  isMissing: (server: ToolboxServer) => boolean,
  result: CallToolResult,
): CallToolResult {
  const missing = servers.filter((server) => server.state === 'starting' && isMissing(server));
  if (missing.length === 0) return result;
  const names = missing.map(({ name }) => displayName(name)).join(', ');
  const text = `Still starting, not included: ${names}. Try again later.`;
  return { ...result, content: [...result.content, { type: 'text', text }] };
}

/** Models that remember a tool call it by its own name; the message shows how to call it here. */
function unknownTool(proxy: MCPProxy, tool: string): string {
  const owner = proxy.registry.servers.find(({ tools }) => tools.some(({ name }) => name === tool));
  const hint = owner ? ` Call exec with server_name "${owner.name}" and tool_name "${tool}".` : '';
  const names = proxy.codeRunner.isEnabled ? `${INSPECT}, ${EXEC} and ${RUN}` : `${INSPECT} and ${EXEC}`;
  return `Unknown tool "${displayName(tool)}": there are ${names}.${hint}`;
}
