import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type NodeIncomingMessageLike, toNodeHandler } from '@modelcontextprotocol/node';
import { createMcpHandler, McpServer } from '@modelcontextprotocol/server';
import type { AuthorizationServer } from './authorization-server.js';

export interface NotesServerOptions {
  /** What the protected resource metadata says instead. */
  readonly metadata?: Readonly<Record<string, unknown>>;
  /** The address of the metadata in the challenge. */
  readonly metadataUrl?: string;
}

/** A running MCP server whose tools need a login: `read` with `notes:read`, `write` with `notes:write`. */
export interface NotesServer {
  readonly url: string;
  /** The requests to MCP, with the status of their answers. */
  readonly requests: { readonly status: number; readonly token: string | null }[];
  /** When false, every token is rejected. */
  isOpen: boolean;
  close(): Promise<void>;
}

const METADATA = '/.well-known/oauth-protected-resource/mcp';

export async function startNotesServer(
  authorization: AuthorizationServer,
  { metadata = {}, metadataUrl }: NotesServerOptions = {},
): Promise<NotesServer> {
  const server = createServer();
  // On a busy machine clients may pause longer than the default, and find their connection closed.
  server.keepAliveTimeout = 120_000;
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const url = `${origin}/mcp`;
  const state: NotesServer = {
    url,
    requests: [],
    isOpen: true,
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  const mcp = toNodeHandler(createMcpHandler(createNotes));
  const challenge = `Bearer resource_metadata="${metadataUrl ?? `${origin}${METADATA}`}", scope="notes:read"`;
  const refuse = (response: ServerResponse, status: number, header: string) => {
    response.writeHead(status, { 'www-authenticate': header, 'content-type': 'application/json' }).end('{}');
  };
  const { AccessToken, ClientCredentials } = authorization.provider;
  const find = async (token: string) => (await AccessToken.find(token)) ?? (await ClientCredentials.find(token));
  server.on('request', async (request, response) => {
    if (request.url === METADATA) {
      const document = { resource: url, authorization_servers: [authorization.issuer], ...metadata };
      response.setHeader('content-type', 'application/json');
      response.end(JSON.stringify(document));
      return;
    }
    if (request.url !== '/mcp') return void response.writeHead(404).end();
    const token = request.headers.authorization?.replace(/^(Bearer|DPoP) /, '') ?? null;
    response.once('finish', () => state.requests.push({ status: response.statusCode, token }));
    const found = token === null ? undefined : await find(token);
    if (!state.isOpen || !found || ![found.aud].flat().includes(url)) return refuse(response, 401, challenge);
    const body = await bodyOf(request);
    const needed = body.includes('"name":"write"') ? 'notes:write' : 'notes:read';
    if (!found.scope?.split(' ').includes(needed)) {
      const missing = `Bearer error="insufficient_scope", scope="${needed}", resource_metadata="${origin}${METADATA}"`;
      return refuse(response, 403, missing);
    }
    await mcp(request as NodeIncomingMessageLike, response, body === '' ? undefined : JSON.parse(body));
  });
  return state;
}

function createNotes(): McpServer {
  const server = new McpServer({ name: 'notes', version: '1.0.0' });
  const text = (value: string) => ({ content: [{ type: 'text' as const, text: value }] });
  server.registerTool('read', { description: 'Read a note' }, async () => text('a note'));
  server.registerTool('write', { description: 'Write a note' }, async () => text('written'));
  return server;
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
}
