import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';

/** An MCP server over HTTP without resources. Its tools answer with a status: `answers_401`, `answers_403`. */
export async function guardedServer(): Promise<string> {
  const server = createServer(async (request, response) => {
    const json = (status: number, body?: object) => {
      response.writeHead(status, { 'content-type': 'application/json' }).end(body && JSON.stringify(body));
    };
    if (request.method !== 'POST') return json(405);
    const { id, method, params } = JSON.parse(await bodyOf(request));
    if (id === undefined) return json(202);
    if (method === 'tools/call') return json(Number(params.name.slice('answers_'.length)));
    const result = answerTo(method, params);
    json(200, { jsonrpc: '2.0', id, ...(result ? { result } : { error: { code: -32601, message: 'unknown' } }) });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`;
}

function answerTo(method: string, params: { protocolVersion?: string }): object | undefined {
  if (method === 'initialize') {
    const serverInfo = { name: 'guarded', version: '1' };
    return { protocolVersion: params.protocolVersion, capabilities: { tools: {} }, serverInfo };
  }
  if (method === 'ping') return {};
  if (method !== 'tools/list') return undefined;
  const tools = ['answers_401', 'answers_403'].map((name) => ({ name, inputSchema: { type: 'object' } }));
  return { tools };
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  let text = '';
  for await (const part of request) text += part;
  return text;
}
