import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { toNodeHandler } from '@modelcontextprotocol/node';
import { createMcpHandler, fromJsonSchema, McpServer } from '@modelcontextprotocol/server';
import { onTestFinished } from 'vitest';

/** Any number of MCP servers in one process: each path is one, with so many tools. Returns the address. */
export async function serveMany(tools: number): Promise<string> {
  const handlers = new Map<string, ReturnType<typeof toNodeHandler>>();
  const handlerOf = (name: string) => {
    const handler = handlers.get(name) ?? toNodeHandler(createMcpHandler(() => createNamed(name, tools)));
    handlers.set(name, handler);
    return handler;
  };
  const http = createServer((request, response) => {
    void handlerOf((request.url ?? '').slice(1))(request as never, response);
  }).listen(0, '127.0.0.1');
  await once(http, 'listening');
  onTestFinished(() => {
    http.close();
    http.closeAllConnections();
  });
  return `http://127.0.0.1:${(http.address() as AddressInfo).port}`;
}

function createNamed(name: string, tools: number): McpServer {
  const server = new McpServer({ name, version: '1.0.0' });
  const inputSchema = fromJsonSchema({ type: 'object', properties: { text: { type: 'string' } } } as never);
  for (let each = 0; each < tools; each++) {
    const description = `Does what tool ${each} of server ${name} does.`;
    server.registerTool(`t${name}_${each}`, { description, inputSchema }, () => ({ content: [] }));
  }
  return server;
}
