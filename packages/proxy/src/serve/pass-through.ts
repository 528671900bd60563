import { HubError } from '@a2c/hub';
import { type CallToolResult, isRecord } from '@a2c/protocol';
import { ProtocolError, ProtocolErrorCode, type ServerContext, type Tool } from '@modelcontextprotocol/server';
import { errorResult } from '../results/error-results.js';
import type { MCPRequest, ToolboxCallOptions } from '../toolbox.js';
import { askClient } from '../tools/consent.js';
import { exposedTools } from './exposed-names.js';
import { LenientServer } from './lenient-server.js';
import { notifyClient } from './notifications.js';
import { RequestRunner } from './request-runner.js';
import { toProtocolError } from './rpc-error.js';
import type { ClientConnection, Endpoint } from './server-factory.js';
import { ResourceSubscriptions } from './subscriptions.js';

type Params = Readonly<Record<string, unknown>>;

/** The SDK types the result of each method; these results are the servers' own and pass unchanged. */
type SetHandler = (
  method: string,
  handler: (request: MCPRequest, ctx: ServerContext) => Promise<Record<string, unknown>>,
) => void;

/** The MCP server with the tools, resources and prompts of all servers, as if they were one server. */
export function passThroughServer(endpoint: Endpoint, connection: ClientConnection): LenientServer {
  const { proxy, resources, prompts } = endpoint;
  const { name, version } = proxy.options;
  const server = new LenientServer(
    { name, version },
    {
      capabilities: {
        tools: { listChanged: true },
        resources: { listChanged: true, subscribe: true },
        prompts: { listChanged: true },
        completions: {},
        logging: {},
      },
    },
  );
  const runner = new RequestRunner(server, endpoint.calls);
  const setHandler = server.setRequestHandler.bind(server) as SetHandler;
  const handle = (method: string, work: (params: Params, options: ToolboxCallOptions) => Promise<object>) =>
    setHandler(method, async ({ params = {} }, ctx) => {
      // These three belong to this connection.
      const { _meta, inputResponses, requestState, ...forwarded } = params;
      const result = await runner.run(ctx, forwarded, (options) =>
        work(forwarded, options).catch((error) => Promise.reject(toProtocolError(error))),
      );
      return { ...result };
    });
  const handleList = (method: string, list: (options: ToolboxCallOptions) => Promise<object>) =>
    handle(method, async (_params, options) => {
      await proxy.registry.settled(undefined, options.signal);
      return list(options);
    });

  handleList('tools/list', async () => ({
    tools: exposedTools(proxy.registry).map(({ name, item: { autoApply: _, ...tool } }) => ({ ...tool, name }) as Tool),
  }));
  handle('tools/call', async ({ name, arguments: args }, options) => {
    const tool = exposedTools(proxy.registry).find((exposed) => exposed.name === name);
    if (!tool) throw new ProtocolError(ProtocolErrorCode.InvalidParams, `Unknown tool: ${name}`);
    const call = { server: tool.server, tool: tool.item.name, arguments: isRecord(args) ? args : {} };
    const result = await proxy.toolbox
      .call({ ...options, ...call, consent: askClient(options, proxy.options) })
      .catch(resultForModel);
    return server.toolResult(result, tool.item.outputSchema);
  });

  const subscriptions = new ResourceSubscriptions(endpoint);
  handleList('resources/list', async (options) => ({ resources: await resources.list(options) }));
  handleList('resources/templates/list', async (options) => ({
    resourceTemplates: await resources.templates(options),
  }));
  handle('resources/read', (params, options) => resources.read(params, options));
  handle('resources/subscribe', async ({ uri }, options) => {
    await subscriptions.add(String(uri), options);
    return {};
  });
  handle('resources/unsubscribe', async ({ uri }) => {
    subscriptions.remove(String(uri));
    return {};
  });

  const findPrompt = async (name: unknown, options: ToolboxCallOptions) => {
    const found = await prompts.find(String(name), options);
    if (!found) throw new ProtocolError(ProtocolErrorCode.InvalidParams, `Unknown prompt: ${name}`);
    return found;
  };
  handleList('prompts/list', async (options) => ({
    prompts: (await prompts.list(options)).map(({ name, item }) => ({ ...item, name })),
  }));
  handle('prompts/get', async (params, options) => {
    const prompt = await findPrompt(params.name, options);
    const forwarded = { ...params, name: prompt.item.name };
    return proxy.toolbox.request(prompt.server, { method: 'prompts/get', params: forwarded }, options);
  });
  handle('completion/complete', async (params, options) => {
    const method = 'completion/complete';
    const ref = isRecord(params.ref) ? params.ref : {};
    if (ref.type !== 'ref/prompt') {
      return (await resources.firstAnswer('completions', { method, params }, options)).result;
    }
    const prompt = await findPrompt(ref.name, options);
    const forwarded = { ...params, ref: { ...ref, name: prompt.item.name } };
    return proxy.toolbox.request(prompt.server, { method, params: forwarded }, options);
  });

  if (connection.isLasting) {
    const stop = notifyClient(server, proxy, subscriptions, connection);
    server.onclose = () => {
      stop();
      subscriptions.close();
    };
  }
  return server;
}

/** Failures that a model can correct, or has to know, are results; all others are JSON-RPC errors. */
function resultForModel(error: unknown): CallToolResult {
  if (!(error instanceof HubError)) throw error;
  if (error.kind === 'invalid-arguments' || error.kind.startsWith('consent-')) return errorResult(error.message);
  throw error;
}
