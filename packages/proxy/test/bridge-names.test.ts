import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { serveHttp } from '@a2c/proxy';
import { verifies } from '@a2c/requirements';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import type { Server } from '@modelcontextprotocol/server';
import { describe, expect } from 'vitest';
import { A2C } from './conformance-suite.js';
import { atEnd, DOORS, enter } from './doors.js';
import { type Fixture, fixture, text } from './fixture.js';
import { proxyOver, start } from './hub-over.js';
import { Moment } from './moment.js';

const passThrough = { serve: { passThrough: true } };
const echo = (name: string, hold?: () => Promise<unknown>) =>
  fixture(name, { foo: { run: () => text(`foo of ${name}`) } }, hold && { hold });
const namesOf = async (client: Client) => (await client.listTools()).tools.map(({ name }) => name);

verifies('BRIDGE-NAME-01', 'a name never stands for the tool of another server in the next run', async () => {
  const home = await mkdtemp(join(tmpdir(), 'a2c-names-'));
  atEnd(() => rm(home, { recursive: true }));
  const config = join(home, 'mcp.json');
  const broken = new Set<string>();
  const server = (name: string) => echo(name, async () => !broken.has(name));
  const mcpServers = { one: await server('one').entry(), two: await server('two').entry() };
  await writeFile(config, JSON.stringify({ mcpServers }));
  /** The names in a run in which some servers do not start. */
  const run = async (...names: string[]) => {
    broken.clear();
    for (const name of names) broken.add(name);
    const client = new Client({ name: 'next', version: '1' });
    await using _closed = { [Symbol.asyncDispose]: () => client.close() };
    const env = { ...(process.env as Record<string, string>), A2C_HOME: home };
    const args = [A2C, 'proxy', '--pass-through', '--config', config];
    await client.connect(new StdioClientTransport({ command: process.execPath, args, env, stderr: 'ignore' }));
    return await namesOf(client);
  };
  expect(await run()).toEqual(['one__foo', 'two__foo']);
  expect(await run('two')).toEqual(['one__foo']);
  expect(await run('one')).toEqual(['two__foo']);
});

verifies('BRIDGE-NAME-01', 'names stay while a server is away, and an earlier name still finds its tool', async () => {
  const held = new Moment();
  const [one, two] = [echo('one'), echo('two', () => held.promise)];
  const entries = { one: await one.entry(), two: await two.entry() };
  const { hub, proxy } = await start(entries, { limits: { startTimeoutMs: 0 } });
  await expect.poll(() => hub.status()[0]?.state).toBe('connected');
  const client = await enter(proxy, DOORS[0], passThrough);
  expect(await namesOf(client)).toEqual(['foo']);
  held.happen();
  await expect.poll(() => namesOf(client)).toEqual(['one__foo', 'two__foo']);
  expect(await client.callTool({ name: 'foo' })).toMatchObject(text('foo of one'));
  await hub.stopClient('two');
  expect(await namesOf(client)).toEqual(['one__foo']);
  await hub.startClient('two');
  await hub.stopClient('one');
  expect(await namesOf(client)).toEqual(['two__foo']);
});

/** A server with the same resources as others, and a tool that links to one and one with a user interface. */
function library(
  name: string,
  onConnection: (server: Server) => void = () => {},
  more: readonly string[] = [],
): Fixture {
  return fixture(
    name,
    {
      [`link_${name}`]: {
        run: ({ uri = 'demo://book' }) => ({
          content: [{ type: 'resource_link', uri: String(uri), name: 'book' }],
        }),
      },
      [`app_${name}`]: { _meta: { ui: { resourceUri: 'ui://app' } }, run: () => text(name) },
    },
    {
      capabilities: { resources: { subscribe: true } },
      more: (server) => {
        onConnection(server);
        const resources = ['demo://book', 'ui://app', ...more].map((uri) => ({ uri, name: uri }));
        server.setRequestHandler('resources/list', () => ({ resources }));
        server.setRequestHandler('resources/read', ({ params: { uri } }) => ({ contents: [{ uri, text: name }] }));
        server.setRequestHandler('resources/subscribe', () => ({}));
        server.setRequestHandler('resources/unsubscribe', () => ({}));
      },
    },
  );
}

describe.each(DOORS)('a client of $generation on $door', (door) => {
  verifies('BRIDGE-NAME-02', 'reaches the resources of two servers with the same URIs', async () => {
    const [zoo, ark] = [library('zoo'), library('ark')];
    const proxy = await proxyOver(zoo, ark);
    const client = await enter(proxy, door, passThrough);
    const { tools } = await client.listTools();
    const app = (name: string) => tools.find((tool) => tool.name === name)?._meta?.ui;
    const uris = (await client.listResources()).resources.map(({ uri }) => uri);
    expect(uris).toEqual(['demo://book', 'ui://app', 'demo://book#ark', 'ui://app#ark']);
    const read = async (uri: string) => (await client.readResource({ uri })).contents;
    expect(await read('demo://book')).toEqual([{ uri: 'demo://book', text: 'zoo' }]);
    expect(await read('demo://book#ark')).toEqual([{ uri: 'demo://book#ark', text: 'ark' }]);
    expect([app('app_zoo'), app('app_ark')]).toEqual([{ resourceUri: 'ui://app' }, { resourceUri: 'ui://app#ark' }]);
    expect(await read('ui://app#ark')).toMatchObject([{ text: 'ark' }]);
    const link = async (name: string) => (await client.callTool({ name })).content;
    expect(await link('link_ark')).toMatchObject([{ uri: 'demo://book#ark' }]);
    expect(await link('link_zoo')).toMatchObject([{ uri: 'demo://book' }]);
  });
});

/** Two servers that read any URI; only the second lists `demo://ark`. */
const libraries = () =>
  proxyOver(
    library('zoo'),
    library('ark', () => {}, ['demo://ark']),
  );

verifies('BRIDGE-NAME-02', 'a client that has listed nothing reads from the right server', async () => {
  const proxy = await libraries();
  for (const uri of ['demo://book#ark', 'demo://ark']) {
    const client = await enter(proxy, DOORS[0], passThrough);
    expect((await client.readResource({ uri })).contents).toEqual([{ uri, text: 'ark' }]);
  }
});

verifies('BRIDGE-NAME-02', 'a link in a result belongs to the server of the result, listed or not', async () => {
  const proxy = await libraries();
  const client = await enter(proxy, DOORS[0], passThrough);
  const followed = async (server: string, uri: string) => {
    const { content } = await client.callTool({ name: `link_${server}`, arguments: { uri } });
    const [link] = content as unknown as readonly { readonly uri: string }[];
    const { contents } = await client.readResource({ uri: link?.uri ?? '' });
    return [link?.uri, ...contents.map((part) => 'text' in part && part.text)];
  };
  expect(await followed('ark', 'demo://book')).toEqual(['demo://book#ark', 'ark']);
  expect(await followed('ark', 'demo://ark')).toEqual(['demo://ark', 'ark']);
  expect(await followed('zoo', 'demo://ark')).toEqual(['demo://ark#zoo', 'zoo']);
  expect(await followed('ark', 'demo://unlisted')).toEqual(['demo://unlisted', 'ark']);
  expect(await followed('zoo', 'demo://unlisted')).toEqual(['demo://unlisted#zoo', 'zoo']);
});

verifies('BRIDGE-NAME-02', 'inspect reads a link in a result of exec from the server of the result', async () => {
  const client = await enter(await libraries(), DOORS[0]);
  const followed = async (server: string, uri: string, named: object = {}) => {
    const args = { server_name: server, tool_name: `link_${server}`, arguments: { uri } };
    const { content } = await client.callTool({ name: 'exec', arguments: args });
    const [link] = content as unknown as readonly { readonly uri: string }[];
    const read = await client.callTool({ name: 'inspect', arguments: { uri: link?.uri, ...named } });
    return [link?.uri, read.content];
  };
  const words = (name: string) => text(name).content;
  expect(await followed('zoo', 'demo://book')).toEqual(['demo://book', words('zoo')]);
  expect(await followed('ark', 'demo://book')).toEqual(['demo://book#ark', words('ark')]);
  expect(await followed('ark', 'demo://book', { server_name: 'ark' })).toEqual(['demo://book#ark', words('ark')]);
  expect(await followed('ark', 'demo://unlisted')).toEqual(['demo://unlisted', words('ark')]);
  const args = { server_name: 'ark', uri: 'demo://book' };
  expect((await client.callTool({ name: 'inspect', arguments: args })).content).toEqual(words('ark'));
});

verifies('BRIDGE-NAME-02', 'updates name the resource as the client knows it, with their `_meta`', async () => {
  const servers: Server[] = [];
  const specs = ['zoo', 'ark'].map((name) => library(name, (server) => void servers.push(server)));
  const proxy = await proxyOver(...specs);
  const connected = [...servers];
  const client = await enter(proxy, DOORS[0], passThrough);
  const updates: unknown[] = [];
  client.setNotificationHandler('notifications/resources/updated', ({ params }) => void updates.push(params));
  await client.listResources();
  await client.subscribeResource({ uri: 'demo://book#ark' });
  for (const server of connected) {
    // The second key belongs to the connection between the proxy and the server.
    const _meta = { 'example.org/by': 'ann', 'io.modelcontextprotocol/subscriptionId': 'upstream' };
    await server.sendResourceUpdated({ uri: 'demo://book', _meta });
  }
  await expect.poll(() => updates).toEqual([{ uri: 'demo://book#ark', _meta: { 'example.org/by': 'ann' } }]);
});

verifies('BRIDGE-NAME-02', 'a shared URI is reported once', async () => {
  const proxy = await proxyOver(library('zoo'), library('ark'));
  const warnings: string[] = [];
  const endpoint = await serveHttp(proxy, { passThrough: true, onError: ({ message }) => void warnings.push(message) });
  atEnd(() => endpoint.close());
  const client = new Client({ name: 'test', version: '1' });
  atEnd(() => client.close());
  await client.connect(new StreamableHTTPClientTransport(new URL(endpoint.url)));
  await client.listResources();
  await client.listResources();
  expect(warnings).toEqual([
    'the servers "zoo" and "ark" have the resource demo://book: the second is demo://book#ark',
    'the servers "zoo" and "ark" have the resource ui://app: the second is ui://app#ark',
  ]);
});

/** A server that answers every read, or none, and lists templates. */
const reader = (name: string, templates: readonly string[], answer: () => Promise<string>) =>
  fixture(
    name,
    {},
    {
      capabilities: { resources: {}, completions: {} },
      more: (server) => {
        const resourceTemplates = templates.map((uriTemplate) => ({ uriTemplate, name: uriTemplate }));
        server.setRequestHandler('resources/list', () => ({ resources: [] }));
        server.setRequestHandler('resources/templates/list', () => ({ resourceTemplates }));
        server.setRequestHandler('resources/read', async ({ params: { uri } }) => ({
          contents: [{ uri, text: await answer() }],
        }));
        server.setRequestHandler('completion/complete', async () => ({ completion: { values: [await answer()] } }));
      },
    },
  );

const never = () => new Promise<string>(() => {});

/** Servers of which the first never answers, the second reads anything and the third has templates. */
async function readers(nextServerMs: number, answer: () => Promise<string>) {
  const templates = ['tt://{id}/{part}', 'files://{+path}.md', 'find://all{?text}'];
  const entries = {
    deaf: await reader('deaf', ['deaf://{id}'], never).entry(),
    any: await reader('any', [], async () => 'any').entry(),
    owner: await reader('owner', templates, answer).entry(),
  };
  const { proxy, started } = await start(entries, { limits: { nextServerMs } });
  await started;
  return proxy;
}

verifies('BRIDGE-NAME-03', 'an instance of a template is read from the server with the template', async () => {
  const proxy = await readers(600_000, async () => 'owner');
  const [client, model] = [await enter(proxy, DOORS[0], passThrough), await enter(proxy, DOORS[0])];
  for (const uri of ['tt://5/a', 'files://a/b.md', 'find://all', 'find://all?text=x']) {
    expect((await client.readResource({ uri })).contents).toEqual([{ uri, text: 'owner' }]);
    expect((await model.callTool({ name: 'inspect', arguments: { uri } })).content).toEqual(text('owner').content);
  }
  const ref = { type: 'ref/resource' as const, uri: 'tt://{id}/{part}' };
  const { completion } = await client.complete({ ref, argument: { name: 'id', value: '' } });
  expect(completion.values).toEqual(['owner']);
});

verifies('BRIDGE-NAME-03', 'a server that does not answer does not block the others', async () => {
  const client = await enter(await readers(10, never), DOORS[0], passThrough);
  for (const uri of ['tt://5', 'tt:///a', 'files://a.txt', 'find://al', 'other://1']) {
    expect((await client.readResource({ uri })).contents).toEqual([{ uri, text: 'any' }]);
  }
});
