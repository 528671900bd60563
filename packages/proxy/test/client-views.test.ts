import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { verifies } from '@a2c/requirements';
import { Client, type ClientCapabilities } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { describe, expect } from 'vitest';
import { A2C } from './conformance-suite.js';
import { atEnd, DOORS, enter, STREAM_OPEN } from './doors.js';
import { type Fixture, fixture, text } from './fixture.js';
import { proxyOver } from './hub-over.js';
import { Moment } from './moment.js';
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

/** A server of 2025 whose tool `enable` adds one item to each list, on the connection of the call. */
function switcher(): Fixture {
  const tool = (name: string) => ({ name, inputSchema: { type: 'object' as const } });
  const changes = { listChanged: true };
  return fixture(
    'switcher',
    {},
    {
      capabilities: { tools: changes, prompts: changes, resources: changes },
      more: (server) => {
        let isOn = false;
        const added = <T>(item: T) => (isOn ? [item] : []);
        server.setRequestHandler('tools/list', () => ({ tools: [tool('enable'), ...added(tool('hidden'))] }));
        server.setRequestHandler('prompts/list', () => ({ prompts: added({ name: 'prompt' }) }));
        server.setRequestHandler('resources/list', () => ({ resources: added({ name: 'r', uri: 'test://r' }) }));
        server.setRequestHandler('resources/templates/list', () => ({
          resourceTemplates: added({ name: 't', uriTemplate: 'test://{t}' }),
        }));
        server.setRequestHandler('tools/call', async ({ params: { name } }) => {
          if (name === 'hidden') return text(isOn ? 'hidden ran' : 'hidden is disabled');
          isOn = true;
          await server.sendToolListChanged();
          await server.sendPromptListChanged();
          await server.sendResourceListChanged();
          return text('enabled');
        });
      },
    },
  );
}

/** The names in all lists of a client. */
async function namesOf(client: Client): Promise<readonly string[]> {
  const { tools } = await client.listTools();
  const { prompts } = await client.listPrompts();
  const { resources } = await client.listResources();
  const { resourceTemplates } = await client.listResourceTemplates();
  return [...tools, ...prompts, ...resources, ...resourceTemplates].map(({ name }) => name);
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
  const OFF = ['enable'];
  const ON = ['enable', 'hidden', 'prompt', 'r', 't'];
  const able = { capabilities: { elicitation: { form: {} } } };

  verifies('BRIDGE-CLIENT-10', 'a client sees what its call has changed on its own connection', async () => {
    const proxy = await proxyOver(switcher());
    const changer = await enter(proxy, door, { ...passThrough, ...able });
    const other = await enter(proxy, door, passThrough);
    expect([await namesOf(changer), await namesOf(other)]).toEqual([OFF, OFF]);
    await changer.callTool({ name: 'enable' });
    expect([await namesOf(changer), await namesOf(other)]).toEqual([ON, OFF]);
    expect(await changer.callTool({ name: 'hidden' })).toMatchObject(text('hidden ran'));
  });

  verifies('BRIDGE-CLIENT-10', 'a client does not see what others have changed on the shared connection', async () => {
    const proxy = await proxyOver(switcher());
    const changer = await enter(proxy, door, passThrough);
    const other = await enter(proxy, door, { ...passThrough, ...able });
    expect([await namesOf(changer), await namesOf(other)]).toEqual([OFF, OFF]);
    await changer.callTool({ name: 'enable' });
    // The hub lists the tools for all clients after the notification.
    await expect.poll(() => namesOf(changer), { timeout: 60_000 }).toEqual(ON);
    expect(await namesOf(other)).toEqual(OFF);
    expect(await changer.callTool({ name: 'hidden' })).toMatchObject(text('hidden ran'));
  });

  verifies('BRIDGE-CLIENT-10', 'exec calls a tool that only the connection of the client has', async () => {
    const proxy = await proxyOver(switcher());
    const client = await enter(proxy, door, able);
    const exec = (tool_name: string) =>
      client.callTool({ name: 'exec', arguments: { server_name: 'switcher', tool_name, arguments: {} } });
    expect(await exec('hidden')).toMatchObject({ isError: true });
    await exec('enable');
    expect(await exec('hidden')).toMatchObject(text('hidden ran'));
  });

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

verifies('BRIDGE-CLIENT-11', 'a listening client of 2026 gets the updates that its calls cause', async () => {
  const uri = 'test://counter';
  const counter = fixture(
    'counter',
    {},
    {
      capabilities: { resources: { subscribe: true } },
      more: (server) => {
        const subscribed = new Set<string>();
        const tool = { name: 'touch', inputSchema: { type: 'object' as const } };
        server.setRequestHandler('tools/list', () => ({ tools: [tool] }));
        server.setRequestHandler('resources/list', () => ({ resources: [{ name: 'counter', uri }] }));
        server.setRequestHandler('resources/subscribe', ({ params }) => {
          subscribed.add(params.uri);
          return {};
        });
        server.setRequestHandler('tools/call', async () => {
          for (const each of subscribed) await server.sendResourceUpdated({ uri: each });
          return text(String(subscribed.size));
        });
      },
    },
  );
  const proxy = await proxyOver(counter);
  const door = { door: 'http', generation: '2026-07-28' } as const;
  const client = await enter(proxy, door, { ...passThrough, capabilities: { elicitation: { form: {} } } });
  const updated = new Moment();
  client.setNotificationHandler('notifications/resources/updated', () => updated.happen());
  await client.listen({ resourceSubscriptions: [uri] });
  const touch = async () => (await client.callTool({ name: 'touch' })).content;
  await expect.poll(touch, { timeout: 60_000 }).toEqual(text('1').content);
  await updated.promise;
});

verifies('BRIDGE-CLIENT-10', 'a change on the connection of one client is announced to it alone', async () => {
  const proxy = await proxyOver(switcher());
  const [door] = HTTP;
  const join = async () => {
    const [opened, announced] = [new Moment(), new Moment()];
    const onWire = (sent: string) => sent === STREAM_OPEN && opened.happen();
    const capabilities = { roots: {} };
    const client = await enter(proxy, door as (typeof DOORS)[number], { ...passThrough, capabilities, onWire });
    let count = 0;
    client.setNotificationHandler('notifications/tools/list_changed', () => {
      count++;
      announced.happen();
    });
    await opened.promise;
    await client.listTools();
    return { client, announced, count: () => count };
  };
  const [changer, other] = [await join(), await join()];
  await changer.client.callTool({ name: 'enable' });
  await changer.announced.promise;
  await other.client.callTool({ name: 'enable' });
  await other.announced.promise;
  expect([changer.count(), other.count()]).toEqual([1, 1]);
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
