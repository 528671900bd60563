import {
  ProtocolError,
  ProtocolErrorCode,
  type CallToolResult as SdkToolResult,
  type ServerContext,
  type Tool,
} from '@modelcontextprotocol/server';
import type { MCPProxy } from '../mcp-proxy.js';
import { errorResult } from '../results/error-result.js';
import type { CallOptions, CallToolResult, MCPRequest } from '../toolbox.js';
import { ToolboxError } from '../toolbox-error.js';
import { consentTo } from '../tools/consent.js';
import { exposedTools } from './exposed-tools.js';
import type { ClientConnection } from './face.js';
import { Followed } from './followed.js';
import { LooseServer } from './loose.js';
import { outward } from './outward.js';
import { relayEvents } from './relay-events.js';
import { asProtocolError } from './rpc-error.js';
import { runFor } from './work.js';

/** The SDK types each method's result; ours are the servers' own, passed on as they are. */
type SetHandler = (
  method: string,
  handler: (request: MCPRequest, ctx: ServerContext) => Promise<Readonly<Record<string, unknown>>>,
) => void;

/** The face that shows every server's own tools, resources and prompts, as if they were one server's. */
export function passThroughServer(proxy: MCPProxy, connection: ClientConnection): LooseServer {
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
  const setHandler = server.setRequestHandler.bind(server) as SetHandler;
  const handle = (method: string, work: (params: Record<string, unknown>, options: CallOptions) => Promise<object>) =>
    setHandler(method, async ({ params = {} }, ctx) => {
      // The rest belongs to this connection, and to the turns of this request.
      const { _meta, inputResponses, requestState, ...asked } = params;
      const result = await runFor(server, ctx, proxy.waitingRoom, asked, (options) =>
        work(asked, options).catch((error) => Promise.reject(asProtocolError(error))),
      );
      return { ...result };
    });

  const pass = new PassThrough(proxy);
  const followed = new Followed(proxy);
  handle('tools/list', async (_params, { signal }) => {
    await proxy.registry.settled(undefined, signal);
    return { tools: pass.tools().map(({ name, item: { autoApply: _, ...tool } }) => ({ ...tool, name }) as Tool) };
  });
  handle('tools/call', async (params, options) => {
    const { outputSchema } = pass.tool(String(params.name)).item;
    const result = await pass.callTool(String(params.name), asObject(params.arguments), options);
    return server.projectCallToolResult(outward(result) as SdkToolResult, outputSchema);
  });
  handle('resources/list', async (_params, options) => {
    await proxy.registry.settled(undefined, options.signal);
    return { resources: await proxy.resources.list(options) };
  });
  handle('resources/templates/list', async (_params, options) => {
    await proxy.registry.settled(undefined, options.signal);
    return { resourceTemplates: await proxy.resources.templates(options) };
  });
  handle('resources/read', (params, options) => proxy.resources.read(params, options));
  handle('resources/subscribe', async (params, options) => {
    await followed.add(String(params.uri), options);
    return {};
  });
  handle('resources/unsubscribe', async (params) => {
    followed.remove(String(params.uri));
    return {};
  });
  handle('prompts/list', (_params, options) => pass.prompts(options));
  handle('prompts/get', (params, options) => pass.getPrompt(params, options));
  handle('completion/complete', (params, options) => pass.complete(params, options));
  relayEvents(server, proxy, followed, connection);
  return server;
}

/** Whose is what: finds the server behind a name or an address, and asks it. */
class PassThrough {
  readonly #proxy: MCPProxy;

  constructor(proxy: MCPProxy) {
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

  async callTool(name: string, args: Record<string, unknown>, options: CallOptions): Promise<CallToolResult> {
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

  async prompts(options: CallOptions) {
    await this.#proxy.registry.settled(undefined, options.signal);
    const exposed = await this.#proxy.prompts.list(options);
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
      return (await this.#proxy.resources.firstAnswer('completions', request, options)).result;
    }
    const { server, item } = await this.#prompt(String(reference.name), options);
    const asked = { ...params, ref: { ...reference, name: item.name } };
    return this.#proxy.toolbox.request(server, { method: 'completion/complete', params: asked }, options);
  }

  async #prompt(name: string, options: CallOptions) {
    const found = await this.#proxy.prompts.find(name, options);
    if (!found) throw new ProtocolError(ProtocolErrorCode.InvalidParams, `Unknown prompt: ${name}`);
    return found;
  }
}

function asObject(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
}
