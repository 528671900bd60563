import { InMemoryTransport } from '@modelcontextprotocol/client';
import {
  type CallToolResult,
  Server,
  type ServerContext,
  type ServerOptions,
  type Tool,
} from '@modelcontextprotocol/server';
import type { ServerSpec } from './client-toolbox.js';

export interface FixtureTool extends Partial<Omit<Tool, 'name'>> {
  readonly run: (args: Record<string, unknown>, ctx: ServerContext) => Promise<CallToolResult> | CallToolResult;
}

export const text = (words: string): CallToolResult => ({ content: [{ type: 'text', text: words }] });

/** A server in this process, made of the SDK's own parts, for behaviour that no public server shows on demand. */
export function fixture(
  name: string,
  tools: Record<string, FixtureTool>,
  more: (server: Server) => void = () => {},
  options: ServerOptions = {},
): ServerSpec & { readonly server: Server } {
  const server = new Server(
    { name, version: '1.0.0' },
    { ...options, capabilities: { tools: {}, ...options.capabilities } },
  );
  const listed = Object.entries(tools).map(([tool, { run: _, ...rest }]) => ({
    description: `The tool ${tool}`,
    inputSchema: { type: 'object' },
    ...rest,
    name: tool,
  }));
  server.setRequestHandler('tools/list', () => ({ tools: listed as Tool[] }));
  server.setRequestHandler('tools/call', async ({ params }, ctx) => {
    const tool = tools[params.name];
    return tool ? tool.run(params.arguments ?? {}, ctx) : { ...text(`no tool ${params.name}`), isError: true };
  });
  more(server);
  return {
    name,
    server,
    transport: () => {
      const [ours, theirs] = InMemoryTransport.createLinkedPair();
      void server.connect(theirs);
      return ours;
    },
  };
}
