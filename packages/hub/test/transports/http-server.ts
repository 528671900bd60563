import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';

export interface Message {
  readonly id?: number | string;
  readonly method?: string;
}

export interface Seen extends Pick<IncomingMessage, 'method' | 'url' | 'headers'> {
  readonly rpc: string | undefined;
}

export interface Script {
  /** The answer to a tool call. */
  readonly onCall?: (response: ServerResponse, message: Message) => void;
  readonly onGet?: (response: ServerResponse, request: IncomingMessage) => void;
  readonly onDelete?: (response: ServerResponse) => void;
  /** Called first; returns true if it has answered the request. */
  readonly before?: (request: IncomingMessage, response: ServerResponse) => boolean;
  readonly session?: string;
}

export interface ScriptedServer {
  readonly url: string;
  readonly port: number;
  readonly seen: readonly Seen[];
}

/** A legacy server whose answers a test defines. */
export async function serve(script: Script): Promise<ScriptedServer> {
  const seen: Seen[] = [];
  const server = createServer(async (request, response) => {
    const { method, url, headers } = request;
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const body = Buffer.concat(chunks).toString();
    const message = method === 'POST' && body !== '' ? (JSON.parse(body) as Message) : undefined;
    seen.push({ method, url, headers, rpc: message?.method });
    if (script.before?.(request, response)) return;
    if (method === 'GET') (script.onGet ?? refuse)(response, request);
    else if (method === 'DELETE') (script.onDelete ?? refuse)(response);
    else if (message?.method === 'initialize') {
      if (script.session) response.setHeader('mcp-session-id', script.session);
      const serverInfo = { name: 'scripted', version: '1' };
      json(response, message, { protocolVersion: '2025-11-25', capabilities: { tools: {} }, serverInfo });
    } else if (message?.id === undefined) response.writeHead(202).end();
    else (script.onCall ?? json)(response, message);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}/mcp`, port, seen };
}

const refuse = (response: ServerResponse) => void response.writeHead(405).end();

export function json(response: ServerResponse, { id }: Message, result: object = {}): void {
  response.setHeader('content-type', 'application/json').end(JSON.stringify({ jsonrpc: '2.0', id, result }));
}

/** Sends the headers of an event stream and its first bytes. */
export function stream(response: ServerResponse, bytes = ': hello\n\n'): void {
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  response.write(bytes);
}

export const said = (text: string) => ({ content: [{ type: 'text', text }] });
