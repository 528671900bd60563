import type { CallToolResult, McpRequestContext, ServerContext, Tool } from '@modelcontextprotocol/server';
import { isInputRequiredResult, ProtocolError, ProtocolErrorCode } from '@modelcontextprotocol/server';
import type { McpProxy } from '../mcp-proxy.js';
import { errorResult } from '../results/error-result.js';
import type { CallOptions, CallResult, McpRequest } from '../toolbox.js';
import { ToolboxError } from '../toolbox-error.js';
import { consentTo } from '../tools/consent.js';
import { exposeNames } from './exposed-names.js';
import { exposedTools } from './exposed-tools.js';
import { Followed, firstAnswer } from './followed.js';
import { gather, serversWith } from './gather.js';
import { LooseServer } from './loose.js';
import { outward } from './outward.js';
import { relayEvents } from './relay-events.js';
import { asProtocolError } from './rpc-error.js';
import { runFor } from './work.js';

/** The SDK types each method's result; ours are the servers' own, passed on as they are. */
type SetHandler = (
  method: string,
  handler: (request: McpRequest, ctx: ServerContext) => Promise<Readonly<Record<string, unknown>>>,
) => void;

/** The face that shows every server's own tools, resources and prompts, as if they were one server's. */
export function passThroughServer(proxy: McpProxy, context: McpRequestContext): LooseServer {
  const { name, version } = proxy.options;
  const server = new LooseServer(
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
  const run = <T>(ctx: ServerContext, work: (options: CallOptions) => Promise<T>) =>
    runFor(server, ctx, proxy.waitingRoom, (options) =>
      work(options).catch((error) => Promise.reject(asProtocolError(error))),
    );
  const setHandler = server.setRequestHandler.bind(server) as SetHandler;
  const handle = (method: string, handler: (params: Record<string, unknown>, ctx: ServerContext) => Promise<object>) =>
    setHandler(method, async ({ params }, ctx) => ({ ...(await handler({ ...params }, ctx)) }));

  const pass = new PassThrough(proxy);
  const followed = new Followed(proxy.toolbox);
  handle('tools/list', async () => ({
    tools: pass.tools().map(({ name, item: { autoApply: _, ...tool } }) => ({ ...tool, name }) as Tool),
  }));
  handle('tools/call', async (params, ctx) => {
    const result = await run(ctx, (options) => pass.callTool(String(params.name), asObject(params.arguments), options));
    if (isInputRequiredResult(result)) return result;
    const { outputSchema } = pass.tool(String(params.name)).item;
    return server.projectCallToolResult(outward(result as CallResult) as CallToolResult, outputSchema);
  });
  handle('resources/list', (_params, ctx) =>
    run(ctx, (options) => pass.list('resources', 'resources/list', 'resources', options)),
  );
  handle('resources/templates/list', (_params, ctx) =>
    run(ctx, (options) => pass.list('resources', 'resources/templates/list', 'resourceTemplates', options)),
  );
  handle('resources/read', (params, ctx) => run(ctx, (options) => pass.readResource(params, options)));
  handle('resources/subscribe', (params, ctx) =>
    run(ctx, async (options) => {
      await followed.add(String(params.uri), options);
      return {};
    }),
  );
  handle('resources/unsubscribe', async (params) => {
    followed.remove(String(params.uri));
    return {};
  });
  handle('prompts/list', (_params, ctx) => run(ctx, (options) => pass.prompts(options)));
  handle('prompts/get', (params, ctx) => run(ctx, (options) => pass.getPrompt(params, options)));
  handle('completion/complete', (params, ctx) => run(ctx, (options) => pass.complete(params, options)));
  relayEvents(server, proxy, followed, context);
  return server;
}

/** Whose is what: finds the server behind a name or an address, and asks it. */
class PassThrough {
  readonly #proxy: McpProxy;

  constructor(proxy: McpProxy) {
    this.#proxy = proxy;
  }

  tools() {
    return exposedTools(this.#proxy.registry);
  }

  tool(name: string) {
    const found = this.tools().find((tool) => tool.name === name);
    if (!found) throw new ProtocolError(ProtocolErrorCode.InvalidParams, `Unknown tool: ${name}`);
    return found;
  }

  async callTool(name: string, args: Record<string, unknown>, options: CallOptions): Promise<CallResult> {
    const { server, item } = this.tool(name);
    const refusal = await consentTo(item, server, args, options);
    if (refusal) return refusal;
    try {
      return await this.#proxy.toolbox.call({ ...options, server, tool: item.name, arguments: args });
    } catch (error) {
      // As a server says it: for the model, which can mend it.
      if (error instanceof ToolboxError && error.code === 'invalid-arguments') return errorResult(error.message);
      throw error;
    }
  }

  async list(capability: string, method: string, field: string, options: CallOptions) {
    const gathered = await gather(this.#proxy.toolbox, capability, method, field, options);
    return { [field]: gathered.flatMap(({ items }) => items) };
  }

  readResource(params: Record<string, unknown>, options: CallOptions) {
    return this.#first('resources', { method: 'resources/read', params }, options);
  }

  async prompts(options: CallOptions) {
    const exposed = await this.#exposedPrompts(options);
    return { prompts: exposed.map(({ name, item }) => ({ ...item, name })) };
  }

  async getPrompt(params: Record<string, unknown>, options: CallOptions) {
    const { server, item } = await this.#prompt(String(params.name), options);
    return this.#proxy.toolbox.request(
      server,
      { method: 'prompts/get', params: { ...params, name: item.name } },
      options,
    );
  }

  async complete(params: Record<string, unknown>, options: CallOptions) {
    const reference = asObject(params.ref);
    if (reference.type !== 'ref/prompt') {
      return this.#first('completions', { method: 'completion/complete', params }, options);
    }
    const { server, item } = await this.#prompt(String(reference.name), options);
    const asked = { ...params, ref: { ...reference, name: item.name } };
    return this.#proxy.toolbox.request(server, { method: 'completion/complete', params: asked }, options);
  }

  async #first(capability: string, request: McpRequest, options: CallOptions) {
    const { toolbox } = this.#proxy;
    return (await firstAnswer(toolbox, serversWith(toolbox, capability), request, options)).result;
  }

  async #exposedPrompts(options: CallOptions) {
    return exposeNames(await gather(this.#proxy.toolbox, 'prompts', 'prompts/list', 'prompts', options));
  }

  async #prompt(name: string, options: CallOptions) {
    const found = (await this.#exposedPrompts(options)).find((prompt) => prompt.name === name);
    if (!found) throw new ProtocolError(ProtocolErrorCode.InvalidParams, `Unknown prompt: ${name}`);
    return found;
  }
}

function asObject(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
}
