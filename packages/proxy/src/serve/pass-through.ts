import type { CallToolResult, McpRequestContext, ServerContext, Tool } from '@modelcontextprotocol/server';
import { isInputRequiredResult, ProtocolError, ProtocolErrorCode } from '@modelcontextprotocol/server';
import type { McpProxy } from '../mcp-proxy.js';
import type { CallOptions, CallResult, McpRequest, ToolboxServer } from '../toolbox.js';
import { consentTo } from '../tools/consent.js';
import { exposeNames } from './exposed-names.js';
import { exposedTools } from './exposed-tools.js';
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
  for (const method of ['resources/read', 'resources/subscribe', 'resources/unsubscribe']) {
    handle(method, (params, ctx) => run(ctx, (options) => pass.aboutResource({ method, params }, options)));
  }
  handle('prompts/list', (_params, ctx) => run(ctx, (options) => pass.prompts(options)));
  handle('prompts/get', (params, ctx) => run(ctx, (options) => pass.getPrompt(params, options)));
  handle('completion/complete', (params, ctx) => run(ctx, (options) => pass.complete(params, options)));
  relayEvents(server, proxy, context);
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
    const refusal = await consentTo(item, server, args, options.ask);
    return refusal ?? this.#proxy.toolbox.call({ ...options, server, tool: item.name, arguments: args });
  }

  async list(capability: string, method: string, field: string, options: CallOptions) {
    const gathered = await gather(this.#proxy.toolbox, capability, method, field, options);
    return { [field]: gathered.flatMap(({ items }) => items) };
  }

  aboutResource(request: McpRequest, options: CallOptions) {
    return this.#first(serversWith(this.#proxy.toolbox, 'resources'), request, options);
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
      const request = { method: 'completion/complete', params };
      return this.#first(serversWith(this.#proxy.toolbox, 'completions'), request, options);
    }
    const { server, item } = await this.#prompt(String(reference.name), options);
    const asked = { ...params, ref: { ...reference, name: item.name } };
    return this.#proxy.toolbox.request(server, { method: 'completion/complete', params: asked }, options);
  }

  /** Addresses have no owner in the request: the servers are asked in turn, and the first that knows it answers. */
  async #first(servers: readonly ToolboxServer[], request: McpRequest, options: CallOptions) {
    let failure: unknown = new ProtocolError(ProtocolErrorCode.InvalidParams, 'No server knows this resource');
    for (const { name } of servers) {
      try {
        return await this.#proxy.toolbox.request(name, request, options);
      } catch (error) {
        if (options.signal?.aborted) throw error;
        failure = error;
      }
    }
    throw failure;
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
