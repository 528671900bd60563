import { verifies } from '@a2c/requirements';
import { Client, ProtocolError, ProtocolErrorCode, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { expect } from 'vitest';
import { SharedUris } from '../src/serve/shared-uris.js';
import { atEnd, serving } from './doors.js';
import { fixture } from './fixture.js';
import { proxyOver, start } from './hub-over.js';
import { Moment } from './moment.js';

interface ServerOptions {
  readonly templates?: readonly string[];
  readonly listed?: readonly string[];
  /** Receives what is completed. */
  readonly onComplete?: (typed: string) => void;
  /** The user interface of its tool. */
  readonly app?: string;
  readonly onSubscribe?: (subscription: string) => void;
  readonly answered?: () => Promise<unknown>;
  /** Awaited before it starts. */
  readonly hold?: () => Promise<unknown>;
}

/** A server that reads any URI, and has a tool that links to one. */
const server = (
  name: string,
  {
    templates = [],
    listed = [],
    onComplete,
    app,
    onSubscribe = () => {},
    answered = async () => {},
    hold,
  }: ServerOptions = {},
) =>
  fixture(
    name,
    {
      [`link_${name}`]: {
        ...(app !== undefined && { _meta: { ui: { resourceUri: app } } }),
        run: ({ uri }) => ({ content: [{ type: 'resource_link', uri: String(uri), name: 'x' }] }),
      },
    },
    {
      capabilities: { resources: { subscribe: true }, ...(onComplete && { completions: {} }) },
      ...(hold && { hold }),
      more: (added) => {
        const resourceTemplates = templates.map((uriTemplate) => ({ uriTemplate, name: uriTemplate }));
        added.setRequestHandler('resources/list', () => ({ resources: listed.map((uri) => ({ uri, name: uri })) }));
        added.setRequestHandler('resources/templates/list', () => ({ resourceTemplates }));
        added.setRequestHandler('resources/read', async ({ params: { uri } }) => {
          await answered();
          return { contents: [{ uri, text: name }] };
        });
        added.setRequestHandler('resources/subscribe', ({ params: { uri } }) => {
          onSubscribe(`${name} ${uri}`);
          return {};
        });
        added.setRequestHandler('resources/unsubscribe', () => ({}));
        if (!onComplete) return;
        added.setRequestHandler('completion/complete', ({ params: { argument } }) => {
          onComplete(`${name} ${argument.value}`);
          return { completion: { values: [name] } };
        });
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

const URI = 'note://mine/0';
const LIST = { listed: [URI] };
const TEMPLATE = { templates: ['note://mine/{+id}'] };

const listed = async (client: Client) => (await client.listResources()).resources.map(({ uri }) => uri);

for (const [title, first, second, uris] of [
  ['a listed URI stays with its server if a later server has a template', LIST, TEMPLATE, [URI]],
  ['a URI of a template stays with its server if a later server lists it', TEMPLATE, LIST, [`${URI}#second`]],
  ['a URI stays with the first of two servers with templates', TEMPLATE, TEMPLATE, []],
  ['a URI stays with the first of two servers that list it', LIST, LIST, [URI, `${URI}#second`]],
] as const) {
  verifies('SEC-URI-02', title, async () => {
    const subscriptions: string[] = [];
    const onSubscribe = (subscription: string) => void subscriptions.push(subscription);
    const proxy = await proxyOver(
      server('first', { ...first, onSubscribe }),
      server('second', { ...second, onSubscribe }),
    );
    const client = await connected(await serving(proxy, { passThrough: true }));
    const model = await connected(await serving(proxy));
    expect(await read(client, URI), 'before a list').toBe('first');
    expect(await listed(client)).toEqual(uris);
    for (const uri of new Set([URI, ...uris])) {
      const owner = uri === URI ? 'first' : 'second';
      expect(await read(client, uri)).toBe(owner);
      const inspected = await model.callTool({ name: 'inspect', arguments: { uri } });
      expect(inspected.content).toMatchObject([{ text: owner }]);
      await client.subscribeResource({ uri });
      expect(subscriptions.splice(0)).toEqual([`${owner} ${URI}`]);
    }
    for (const name of ['second', 'first']) {
      const linked = await link(client, name, URI);
      expect(linked).toBe(name === 'first' ? URI : `${URI}#second`);
      expect(await read(client, linked)).toBe(name);
    }
  });
}

verifies(
  'SEC-URI-02',
  'a template gets no links of another server, and one for all URIs none of a template',
  async () => {
    const every = server('every', { templates: ['{+all}'] });
    const proxy = await proxyOver(every, server('linking'), server('notes', TEMPLATE));
    const client = await connected(await serving(proxy, { passThrough: true }));
    expect(await link(client, 'linking', URI)).toBe(`${URI}#linking`);
    expect(await read(client, `${URI}#linking`)).toBe('linking');
    expect(await read(client, URI)).toBe('notes');
  },
);

verifies('SEC-URI-02', 'a tool takes no resource of another server as its user interface', async () => {
  const proxy = await proxyOver(server('evil', { app: URI }), server('notes', LIST));
  const client = await connected(await serving(proxy, { passThrough: true }));
  await client.listTools();
  expect(await listed(client)).toEqual([URI]);
  expect(await read(client, URI)).toBe('notes');
});

verifies('SEC-URI-02', 'a slow server with the first template is not replaced by another one', async () => {
  const asked: string[] = [];
  const slow = { ...TEMPLATE, answered: () => new Promise((resolve) => setTimeout(resolve, 300)) };
  const other = { ...TEMPLATE, answered: async () => asked.push('other') };
  const entries = { slow: await server('slow', slow).entry(), other: await server('other', other).entry() };
  const { proxy, started } = await start(entries, { limits: { nextServerMs: 10 } });
  await started;
  const client = await connected(await serving(proxy, { passThrough: true }));
  expect(await read(client, URI)).toBe('slow');
  expect(asked).toEqual([]);
});

verifies('SEC-URI-02', 'a server that lists other resources each time does not displace those of others', () => {
  const uris = new SharedUris(
    () => {},
    () => undefined,
  );
  for (let list = 0; list < 12; list++) {
    uris.show('notes', URI);
    for (let item = 0; item < 10_000; item++) uris.show('evil', `evil://${list}/${item}`);
    expect(uris.resource(URI, undefined)).toEqual({ server: 'notes', uri: URI });
  }
});

verifies('SEC-URI-02', 'a server that starts first does not take over URIs of one that is starting', async () => {
  const held = new Moment();
  const notes = server('notes', { ...LIST, hold: () => held.promise });
  const evil = server('evil', { ...LIST, ...TEMPLATE });
  const { proxy } = await start({ notes: await notes.entry(), evil: await evil.entry() });
  await expect.poll(() => proxy.registry.getServerInfo('evil')?.state).toBe('ready');
  const client = await connected(await serving(proxy, { passThrough: true }));
  expect(await link(client, 'evil', URI)).toBe(`${URI}#evil`);
  const [subscribed, text] = [client.subscribeResource({ uri: URI }), read(client, URI)];
  await client.ping();
  held.happen();
  expect(await text).toBe('notes');
  await subscribed;
  expect(await listed(client)).toEqual([URI, `${URI}#evil`]);
});

verifies('COST-SUBSCRIBE-01', 'each unknown resource of many subscriptions is read once at each server', async () => {
  const reads: string[] = [];
  let lists = 0;
  const unknowing = (name: string) =>
    fixture(
      name,
      {},
      {
        capabilities: { resources: { subscribe: true } },
        more: (added) => {
          added.setRequestHandler('resources/list', () => {
            lists++;
            return { resources: [{ uri: `known://${name}`, name }] };
          });
          added.setRequestHandler('resources/templates/list', () => ({ resourceTemplates: [] }));
          added.setRequestHandler('resources/read', ({ params: { uri } }) => {
            reads.push(`${name} ${uri}`);
            throw new ProtocolError(ProtocolErrorCode.InvalidParams, 'not here');
          });
          added.setRequestHandler('resources/subscribe', () => ({}));
        },
      },
    );
  const client = await connected(await serving(await proxyOver(unknowing('a'), unknowing('b')), { passThrough: true }));
  const unknown = Array.from({ length: 30 }, (_, at) => `none://${at}`);
  const outcomes = await Promise.allSettled([...unknown, 'known://b'].map((uri) => client.subscribeResource({ uri })));
  expect(outcomes.map(({ status }) => status)).toEqual([...unknown.map(() => 'rejected'), 'fulfilled']);
  expect(reads.toSorted()).toEqual(unknown.flatMap((uri) => [`a ${uri}`, `b ${uri}`]).toSorted());
  expect(lists).toBeLessThan(2 * unknown.length);
});

verifies('SEC-PROMPT-01', 'the arguments of a prompt go to the only server that lists it', async () => {
  const asked: string[] = [];
  const prompting = (name: string, listed: readonly string[]) =>
    fixture(
      name,
      {},
      {
        capabilities: { prompts: {} },
        more: (added) => {
          added.setRequestHandler('prompts/list', () => ({ prompts: listed.map((prompt) => ({ name: prompt })) }));
          added.setRequestHandler('prompts/get', ({ params }) => {
            asked.push(`${name} ${params.name}`);
            return { messages: [{ role: 'user', content: { type: 'text', text: name } }] };
          });
        },
      },
    );
  const servers = [prompting('addons', []), prompting('good', ['review', 'plan']), prompting('other', ['plan'])];
  const client = await connected(await serving(await proxyOver(...servers)));
  const get = async (prompt: string, server?: string) => {
    const named = server === undefined ? {} : { server_name: server };
    const given = { ...named, prompt_name: prompt, arguments: { text: 'confidential' } };
    return JSON.stringify((await client.callTool({ name: 'inspect', arguments: given })).content);
  };
  expect(await get('review')).toContain('user: good');
  expect(await get('plan')).toContain('the servers \\"good\\" and \\"other\\" list a prompt');
  expect(await get('none')).toContain('no server lists a prompt');
  expect(asked).toEqual(['good review']);
  expect(await get('plan', 'other')).toContain('user: other');
});

verifies('SEC-URI-02', 'arguments of a template are completed by the server that lists it, or by none', async () => {
  const typed: string[] = [];
  const onComplete = (text: string) => void typed.push(text);
  const notes = server('notes', TEMPLATE);
  const mail = server('mail', { templates: ['mail://{id}'], onComplete });
  const proxy = await proxyOver(server('evil', { templates: ['{+all}', 'mail://{id}'], onComplete }), notes, mail);
  const client = await connected(await serving(proxy, { passThrough: true }));
  const complete = async (uri: string, value: string) => {
    const ref = { type: 'ref/resource' as const, uri };
    return (await client.complete({ ref, argument: { name: 'id', value } })).completion.values;
  };
  expect(await complete(TEMPLATE.templates[0] as string, 'secret')).toEqual([]);
  expect(await complete('mail://{id}', 'x')).toEqual(['evil']); // The first in the configuration.
  expect(typed).toEqual(['evil x']);
});
