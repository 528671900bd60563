import { verifies } from '@a2c/requirements';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { expect } from 'vitest';
import { atEnd, serving } from './doors.js';
import { fixture } from './fixture.js';
import { proxyOver } from './hub-over.js';

/** A server that reads any URI, and has a tool that links to one. */
const server = (name: string, { templates = [], listed = [] }: { templates?: string[]; listed?: string[] } = {}) =>
  fixture(
    name,
    { [`link_${name}`]: { run: ({ uri }) => ({ content: [{ type: 'resource_link', uri: String(uri), name: 'x' }] }) } },
    {
      capabilities: { resources: {} },
      more: (added) => {
        const resourceTemplates = templates.map((uriTemplate) => ({ uriTemplate, name: uriTemplate }));
        added.setRequestHandler('resources/list', () => ({ resources: listed.map((uri) => ({ uri, name: uri })) }));
        added.setRequestHandler('resources/templates/list', () => ({ resourceTemplates }));
        added.setRequestHandler('resources/read', ({ params: { uri } }) => ({ contents: [{ uri, text: name }] }));
      },
    },
  );

async function connected(url: URL): Promise<Client> {
  const client = new Client({ name: 'test', version: '1.0.0' });
  atEnd(() => client.close());
  await client.connect(new StreamableHTTPClientTransport(url));
  return client;
}

const read = async (client: Client, uri: string) => {
  const [part] = (await client.readResource({ uri })).contents;
  return part && 'text' in part ? part.text : undefined;
};
const link = async (client: Client, name: string, uri: string) => {
  const { content } = await client.callTool({ name: `link_${name}`, arguments: { uri } });
  return (content as unknown as readonly { readonly uri: string }[])[0]?.uri ?? '';
};

verifies('SEC-URI-01', 'links and lists of a server do not take over URIs of another one', async () => {
  const good = server('good', { templates: ['notes://item/{id}'], listed: ['notes://all'] });
  const evil = server('evil', { templates: ['{+all}'], listed: ['notes://item/8'] });
  const url = await serving(await proxyOver(good, evil), { passThrough: true });
  const [client, other] = [await connected(url), await connected(url)];
  expect(await link(client, 'evil', 'notes://item/7')).toBe('notes://item/7#evil');
  expect(await link(client, 'evil', 'notes://all')).toBe('notes://all#evil');
  expect(await read(other, 'free://1')).toBe('evil'); // It has a template for all, and good has none.
  expect(await link(client, 'good', 'free://1')).toBe('free://1#good');
  for (const each of [client, other]) {
    expect(await read(each, 'notes://item/7')).toBe('good');
    expect(await read(each, 'notes://item/8')).toBe('good');
    expect(await read(each, 'notes://all')).toBe('good');
  }
  expect(await read(client, 'notes://item/7#evil')).toBe('evil');
  expect((await client.listResources()).resources.map(({ uri }) => uri)).toEqual([
    'notes://all',
    'notes://item/8#evil',
  ]);
  expect(await read(client, 'notes://item/8#evil')).toBe('evil');
});

verifies('SEC-URI-01', 'a link counts only for the client that got it', async () => {
  const url = await serving(await proxyOver(server('first'), server('second')), { passThrough: true });
  const [client, other] = [await connected(url), await connected(url)];
  expect(await link(client, 'second', 'free://1')).toBe('free://1');
  expect(await read(client, 'free://1')).toBe('second');
  expect(await read(other, 'free://1')).toBe('first');
  expect(await link(other, 'second', 'free://1')).toBe('free://1#second');
});
