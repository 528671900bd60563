import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { verifies } from '@a2c/requirements';
import { Client, type ClientCapabilities } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { describe, expect } from 'vitest';
import { A2C } from './conformance-suite.js';
import { atEnd, DOORS, enter } from './doors.js';
import { type Fixture, fixture, text } from './fixture.js';
import { proxyOver } from './hub-over.js';
import { EVERYTHING, everything } from './real-servers.js';

const passThrough = { serve: { passThrough: true } };
const HTTP = DOORS.filter(({ door }) => door === 'http');

/** Clients that can do nothing, some things, and everything. */
const KINDS: readonly ClientCapabilities[] = [
  {},
  { elicitation: { form: {} }, roots: { listChanged: true } },
  { elicitation: { form: {}, url: {} }, sampling: {}, roots: {} },
];

const listsOf = async (client: Client) => ({
  tools: (await client.listTools()).tools.map(({ execution: _, ...tool }) => tool),
  resources: (await client.listResources()).resources,
  prompts: (await client.listPrompts()).prompts,
});

/** What a client with these capabilities sees without a proxy. */
async function directLists(capabilities: ClientCapabilities): Promise<unknown> {
  const client = new Client({ name: 'direct', version: '1' }, { capabilities });
  atEnd(() => client.close());
  if (capabilities.roots) client.setRequestHandler('roots/list', () => ({ roots: [] }));
  await client.connect(new StdioClientTransport({ command: process.execPath, args: [EVERYTHING], stderr: 'ignore' }));
  return listsOf(client);
}

/** A server of 2025 that shows `ask` to clients that can be asked, and `guess` to others. `who` shows what it knows. */
function chooser(): Fixture {
  const tool = (name: string) => ({ name, inputSchema: { type: 'object' as const } });
  return fixture(
    'chooser',
    {},
    {
      more: (server) => {
        server.setRequestHandler('tools/list', () => ({
          tools: [tool('who'), tool(server.getClientCapabilities()?.elicitation ? 'ask' : 'guess')],
        }));
        server.setRequestHandler('tools/call', () => text(JSON.stringify(server.getClientCapabilities())));
      },
    },
  );
}

verifies('BRIDGE-CLIENT-07', 'each client sees what the server lists to a client with its capabilities', async () => {
  const proxy = await proxyOver(everything());
  const direct = await Promise.all(KINDS.map(directLists));
  for (const door of HTTP) {
    const seen = KINDS.map(async (capabilities) => {
      const client = await enter(proxy, door, { ...passThrough, capabilities });
      if (capabilities.roots) client.setRequestHandler('roots/list', () => ({ roots: [] }));
      return listsOf(client);
    });
    expect(await Promise.all(seen)).toEqual(direct);
  }
});

describe.each(HTTP)('for clients of $generation on $door', (door) => {
  verifies('BRIDGE-CLIENT-07', 'a tool that only less able clients see is called for them', async () => {
    const proxy = await proxyOver(chooser());
    const able = await enter(proxy, door, { ...passThrough, capabilities: { elicitation: { form: {} } } });
    const unable = await enter(proxy, door, passThrough);
    const names = async (client: Client) => (await client.listTools()).tools.map(({ name }) => name);
    expect(await names(able)).toEqual(['who', 'ask']);
    expect(await names(unable)).toEqual(['who', 'guess']);
    expect(await unable.callTool({ name: 'guess' })).toMatchObject(text('{}'));
  });

  verifies('BRIDGE-CLIENT-07', 'a server is not offered tasks of the client, which it could not reach', async () => {
    const proxy = await proxyOver(chooser());
    const capabilities = { elicitation: { form: {} }, tasks: { requests: { elicitation: { create: {} } } } };
    const client = await enter(proxy, door, { ...passThrough, capabilities });
    const { content } = await client.callTool({ name: 'ask' });
    const declared = JSON.parse((content[0] as { text: string }).text);
    expect(declared).toHaveProperty('elicitation');
    expect(declared).not.toHaveProperty('tasks');
  });
});

verifies(
  'BRIDGE-CLIENT-07',
  'a server with the same lists for all is connected to once more, to find out',
  async () => {
    const made = fixture('same', { one: { run: () => text('1') } });
    const proxy = await proxyOver(made);
    for (const door of HTTP) {
      for (const capabilities of KINDS) {
        const client = await enter(proxy, door, { ...passThrough, capabilities });
        await client.listTools();
        await client.listTools();
      }
    }
    expect(made.connections).toBe(2);
  },
);

verifies(
  'BRIDGE-CLIENT-07',
  'clients that cannot be asked share a connection that declares what they can do',
  async () => {
    const made = chooser();
    const proxy = await proxyOver(made);
    const [door] = HTTP;
    for (let each = 0; each < 3; each++) {
      const client = await enter(proxy, door as (typeof DOORS)[number], passThrough);
      await client.listTools();
      expect(await client.callTool({ name: 'who' })).toMatchObject(text('{}'));
    }
    expect(made.connections).toBe(2);
  },
);

verifies(
  'BRIDGE-CLIENT-07',
  'neither cached nor approved tools of another client are shown in place of its own',
  async () => {
    const home = await mkdtemp(join(tmpdir(), 'a2c-views-'));
    atEnd(() => rm(home, { recursive: true }));
    const config = join(home, 'mcp.json');
    await writeFile(config, JSON.stringify({ mcpServers: { chooser: await chooser().entry() } }));
    const listed = async (capabilities: ClientCapabilities) => {
      const client = new Client({ name: 'next', version: '1' }, { capabilities });
      await using _closed = { [Symbol.asyncDispose]: () => client.close() };
      const env = { ...(process.env as Record<string, string>), A2C_HOME: home };
      const args = [A2C, 'proxy', '--pass-through', '--config', config];
      await client.connect(new StdioClientTransport({ command: process.execPath, args, env, stderr: 'ignore' }));
      return (await client.listTools()).tools.map(({ name, description }) => ({ name, description }));
    };
    const [who, ask, guess] = ['who', 'ask', 'guess'].map((name) => ({ name, description: undefined }));
    expect(await listed({})).toEqual([who, guess]);
    expect(await listed({ elicitation: {} })).toEqual([who, ask]);
    expect(await listed({})).toEqual([who, guess]);
  },
);
