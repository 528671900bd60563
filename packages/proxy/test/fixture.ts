import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  type CallToolResult,
  type InputRequiredResult,
  Server,
  type ServerContext,
  type ServerOptions,
  type Tool,
} from '@modelcontextprotocol/server';
import { StdioServerTransport, serveStdio } from '@modelcontextprotocol/server/stdio';
import { atEnd } from './doors.js';
import type { ServerSpec } from './hub-over.js';

type Answer = CallToolResult | InputRequiredResult;

export interface FixtureTool extends Partial<Omit<Tool, 'name'>> {
  readonly run: (args: Record<string, unknown>, ctx: ServerContext) => Promise<Answer> | Answer;
}

export interface FixtureOptions extends ServerOptions {
  /** Adds further request handlers. */
  readonly more?: (server: Server) => void;
  /** Supports both generations of MCP; otherwise only the older one. */
  readonly modern?: boolean;
  /** Awaited before the server reads from a connection, with its number. False: the connection is closed. */
  readonly hold?: (connection: number) => Promise<unknown>;
}

export interface Fixture extends ServerSpec {
  /** The server of the latest connection. */
  readonly server: Server;
  /** How often somebody connected. */
  readonly connections: number;
}

export const text = (words: string): CallToolResult => ({ content: [{ type: 'text', text: words }] });

/** An MCP server on a unix socket, for behaviour that no public server has. */
export function fixture(
  name: string,
  tools: Record<string, FixtureTool>,
  { more = () => {}, modern = false, hold = async () => {}, ...options }: FixtureOptions = {},
): Fixture {
  let server: Server | undefined;
  let connections = 0;
  const make = () => {
    server = new Server(
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
    return server;
  };
  return {
    name,
    get server() {
      if (!server) throw new Error(`no connection to ${name} yet`);
      return server;
    },
    get connections() {
      return connections;
    },
    entry: async () => {
      const unix_path = await listening(async (socket) => {
        connections += 1;
        const isWanted = await hold(connections);
        if (isWanted === false) {
          socket.destroy();
          return;
        }
        const transport = new StdioServerTransport(socket, socket);
        if (modern) serveStdio(make, { transport });
        else {
          const made = make();
          made.onclose = () => socket.destroy();
          void made.connect(transport);
        }
      });
      return { type: 'unix', unix_path };
    },
  };
}

/** Listens on a unix socket until the end of the test and returns its path. */
async function listening(onConnection: (socket: Socket) => unknown): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'a2c-fixture-'));
  const path = join(folder, 'socket');
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => {}); // the peer disconnected first
    onConnection(socket);
  });
  await new Promise<void>((resolve) => server.listen(path, resolve));
  atEnd(async () => {
    for (const socket of sockets) socket.destroy();
    await new Promise((resolve) => server.close(resolve));
    rmSync(folder, { recursive: true });
  });
  return path;
}
