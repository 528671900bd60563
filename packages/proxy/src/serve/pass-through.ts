import { HubError, isTaskResult } from '@a2c/hub';
import { type CallToolResult, isRecord, raceSignal } from '@a2c/protocol';
import { ProtocolError, ProtocolErrorCode, type Tool } from '@modelcontextprotocol/server';
import { errorResult } from '../results/error-results.js';
import { ServerCall } from '../server-call.js';
import { displayName } from '../text/one-line.js';
import { quoted } from '../text/quoted.js';
import type { MCPRequest, ServerConnection, ToolboxCallOptions, ToolboxServer, ToolboxTool } from '../toolbox.js';
import { askClient } from '../tools/consent.js';
import { openingUrls } from '../tools/required-urls.js';
import type { RequestContext } from './call-dispatch.js';
import { namingMissingCapability } from './client-capabilities.js';
import type { ConnectedClient } from './connected-client.js';
import { type Exposed, exposedTools, exposedToolsFor, formerTool } from './exposed-names.js';
import { mayHaveExtensions, sendToExtensions } from './extension-methods.js';
import { ANY_RESULT, CONNECTION_META_PREFIX, LenientServer, RELATED_TASK } from './lenient-server.js';
import { notifyClient } from './notifications.js';
import { RequestRunner } from './request-runner.js';
import { isNotFound, readFailure, toProtocolError } from './rpc-error.js';
import type { ClientConnection, Endpoint } from './server-factory.js';
import { ResourceSubscriptions } from './subscriptions.js';
import { declaredByServers, ownTasks, TASK_METHODS } from './tasks.js';

type Params = Readonly<Record<string, unknown>>;

type Work = (params: Params, options: ToolboxCallOptions) => Promise<object>;

/** The SDK types the result of each method; these results are the servers' own and pass unchanged. */
type SetHandler = (
  method: string,
  handler: (request: MCPRequest, ctx: RequestContext) => Promise<Record<string, unknown>>,
) => void;

/** The MCP server with the tools, resources and prompts of all servers, as if they were one server. */
export function passThroughServer(endpoint: Endpoint, connection: ClientConnection): LenientServer {
  const { proxy, resources, prompts, tasks } = endpoint;
  const { era } = connection.client;
  const { name, version } = proxy.options;
  const declared = declaredByServers(proxy.registry.servers, era);
  const server = new LenientServer(
    { name, version },
    {
      capabilities: {
        tools: { listChanged: true },
        resources: { listChanged: true, subscribe: true },
        prompts: { listChanged: true },
        completions: {},
        logging: {},
        ...declared,
      },
      ...instructionsOf(proxy.registry.servers),
    },
  );
  const runner = new RequestRunner(server, connection.client, endpoint);
  const setHandler = server.setRequestHandler.bind(server) as SetHandler;
  const run = async (params: Params, ctx: RequestContext, work: Work) => {
    const { _meta, inputResponses: _inputs, requestState: _state, ...forwarded } = params;
    const meta = forwardedMeta(_meta);
    const result = await runner.run(ctx, forwarded, (options) => {
      options.meta = meta;
      const answered = namingMissingCapability(options, (observed) => work(forwarded, observed));
      return answered.catch((error) => Promise.reject(toProtocolError(error)));
    });
    return { ...result };
  };
  const handle = (method: string, work: Work) => setHandler(method, ({ params = {} }, ctx) => run(params, ctx, work));
  /** For requests that a server may refuse until a person has opened a URL. */
  const handleOpening = (method: string, work: Work) =>
    handle(method, (params, options) => openingUrls(toolbox, options, () => work(params, options)));
  const handleList = (method: string, list: (options: ToolboxCallOptions) => Promise<object>) =>
    handle(method, async ({ cursor }, options) => {
      rejectCursor(cursor);
      await proxy.registry.started(options.signal);
      await prepare(options);
      return list(options);
    });
  const { toolbox } = proxy;
  /** Finds out what this client sees, which may be less than others do. */
  const prepare = async ({ client, signal }: ToolboxCallOptions) => {
    if (!client || !toolbox.prepareClient) return;
    const prepared = toolbox.prepareClient(client, proxy.options.limits.clientListMs);
    await (signal ? raceSignal(prepared, signal) : prepared);
  };
  const findTool = async (name: unknown, options: ToolboxCallOptions) => {
    const isNamed = (exposed: Exposed<ToolboxTool>) => exposed.name === name;
    const tool = await find(() => exposedTools(proxy.registry).find(isNamed), options);
    if (tool) return tool;
    await prepare(options);
    return exposedToolsFor(proxy.registry, toolbox, options.client).find(isNamed) ?? formerTool(proxy.registry, name);
  };
  /** Finds an item; if there is none, again when all servers have started. */
  const find = async <T>(item: () => Promise<T | undefined> | T | undefined, options: ToolboxCallOptions) => {
    const found = await item();
    if (found !== undefined) return found;
    await proxy.registry.started(options.signal);
    return item();
  };

  handle('tools/list', async ({ cursor }, options) => {
    rejectCursor(cursor);
    await proxy.registry.listed(options.signal);
    await prepare(options);
    const exposed = exposedToolsFor(proxy.registry, toolbox, options.client);
    await resources.uris.showAll(toolbox.servers());
    const shown = exposed.map(({ name, server: owner, item: { autoApply: _, ...tool } }) => ({
      ...resources.uris.inTool(owner, tool as ToolboxTool),
      name,
    }));
    return { tools: shown as Tool[] };
  });
  const call: Work = async ({ name, arguments: args, task }, options) => {
    const tool = await findTool(name, options);
    if (!tool) throw new ProtocolError(ProtocolErrorCode.InvalidParams, `Unknown tool: ${displayName(String(name))}`);
    const consent = askClient(options, proxy.options);
    const toolCall = new ServerCall(tool.server, tool.item.name, isRecord(args) ? args : {}, options, consent);
    toolCall.isUnchecked = true;
    if (isRecord(task)) toolCall.task = task;
    let connection: ServerConnection | undefined;
    const onSent = (sentOver: ServerConnection) => {
      connection = sentOver;
    };
    toolCall.onSent = onSent;
    const result = await proxy.executor.callLoggedIn(toolCall).catch(resultForModel);
    if (!isTaskResult(result)) {
      return server.toolResult(await resources.inResult(tool.server, result, options), tool.item.outputSchema);
    }
    return tasks.add(result, { ...tool, connection }, options.client as ConnectedClient | undefined);
  };
  server.handleCalls(({ params }, ctx) => run(params, ctx, call));
  for (const method of era === 'legacy' && !declared.tasks ? [] : TASK_METHODS[era]) {
    server.setRequestHandler(method, { params: ANY_RESULT }, (params, ctx) =>
      run(params as Params, ctx, (forwarded, options) => {
        // The SDK takes the responses out of every request.
        const { inputResponses } = ctx.mcpReq;
        const sent = { ...forwarded, ...(inputResponses && { inputResponses }) };
        return tasks.send({ method, params: sent }, options);
      }),
    );
  }
  if (declared.tasks?.list !== undefined) {
    const list = (options: ToolboxCallOptions) => tasks.list(options, proxy.options.limits.listPages);
    handleList('tasks/list', async (options) => ({ tasks: await list(options) }));
  }

  const subscriptions = new ResourceSubscriptions(endpoint);
  handleList('resources/list', async (options) => ({ resources: await resources.list(options) }));
  handleList('resources/templates/list', async (options) => ({
    resourceTemplates: await resources.templates(options),
  }));
  handleOpening('resources/read', async (params, options) => {
    // A server that is starting may list it.
    if (!resources.uris.resource(String(params.uri), options.client)) await proxy.registry.started(options.signal);
    return resources.read(params, options).catch((error) => {
      throw isNotFound(error) ? readFailure(error, toolbox, connection.client) : error;
    });
  });
  handle('resources/subscribe', async ({ uri }, options) => {
    await subscriptions.add(String(uri), options);
    return {};
  });
  handle('resources/unsubscribe', async ({ uri }) => {
    subscriptions.remove(String(uri));
    return {};
  });

  const findPrompt = async (name: unknown, options: ToolboxCallOptions) => {
    const found = await find(() => prompts.find(String(name), options), options);
    if (!found) throw new ProtocolError(ProtocolErrorCode.InvalidParams, `Unknown prompt: ${name}`);
    return found;
  };
  handleList('prompts/list', async (options) => ({
    prompts: (await prompts.list(options)).map(({ name, item }) => ({ ...item, name })),
  }));
  handleOpening('prompts/get', async (params, options) => {
    const prompt = await findPrompt(params.name, options);
    const forwarded = { ...params, name: prompt.item.name };
    return proxy.toolbox.request(prompt.server, { method: 'prompts/get', params: forwarded }, options);
  });
  handle('completion/complete', async (params, options) => {
    const method = 'completion/complete';
    const ref = isRecord(params.ref) ? params.ref : {};
    if (ref.type !== 'ref/prompt') {
      return resources.complete(ref.uri, { method, params }, options);
    }
    const prompt = await findPrompt(ref.name, options);
    const forwarded = { ...params, ref: { ...ref, name: prompt.item.name } };
    return proxy.toolbox.request(prompt.server, { method, params: forwarded }, options);
  });

  if (era === 'legacy') {
    handle('logging/setLevel', async ({ level }) => {
      connection.client.logLevel = String(level);
      proxy.toolbox.clientChanged?.(connection.client, 'logLevel');
      return {};
    });
  }

  // Without it the SDK answers an unknown method with HTTP status 404, as MCP requires.
  if (proxy.registry.servers.some((each) => mayHaveExtensions(each))) {
    server.fallbackRequestHandler = ({ method, params = {} }, ctx) =>
      run(params as Params, ctx, async (forwarded, options) => {
        await proxy.registry.started(options.signal);
        return sendToExtensions(toolbox, { method, params: forwarded }, options, proxy.options.limits.listPages);
      });
  }

  if (connection.isLasting) {
    const stop = notifyClient(server, endpoint, subscriptions, connection);
    server.onclose = () => {
      stop();
      tasks.release(connection.client);
      subscriptions.close();
    };
  }
  return server;
}

/**
 * The instructions of all servers; those of the only one unchanged. Those of several are quoted line by line, so that
 * none can contain the heading of another server.
 */
function instructionsOf(servers: readonly ToolboxServer[]): { readonly instructions?: string } {
  const instructed = servers.filter(({ instructions }) => instructions);
  if (instructed.length === 0) return {};
  if (servers.length === 1) return { instructions: instructed[0]?.instructions ?? '' };
  const texts = instructed.map(({ name, instructions = '' }) => `# ${displayName(name)}\n\n${quoted(instructions)}`);
  return { instructions: [QUOTED_BELOW, ...texts].join('\n\n') };
}

const QUOTED_BELOW = 'The instructions of each MCP server are quoted below its name.';

/** `_meta` of a client request for the server, without the keys that belong to the connection to this client. */
function forwardedMeta(meta: unknown): Record<string, unknown> | undefined {
  if (!isRecord(meta)) return undefined;
  const kept = Object.entries(meta).filter(
    ([key]) => key !== 'progressToken' && (key === RELATED_TASK || !key.startsWith(CONNECTION_META_PREFIX)),
  );
  return kept.length === 0 ? undefined : ownTasks({ _meta: Object.fromEntries(kept) })._meta;
}

/** Every list has one page, so no cursor was given out. */
function rejectCursor(cursor: unknown): void {
  if (cursor !== undefined) throw new ProtocolError(ProtocolErrorCode.InvalidParams, 'Invalid cursor');
}

/** Failures that a model can correct, or has to know, are results; all others are JSON-RPC errors. */
function resultForModel(error: unknown): CallToolResult {
  if (!(error instanceof HubError)) throw error;
  if (error.kind === 'invalid-arguments' || error.kind.startsWith('consent-')) return errorResult(error.message);
  throw error;
}
