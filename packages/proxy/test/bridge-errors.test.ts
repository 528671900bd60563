import { PassThrough } from 'node:stream';
import { serveStdio } from '@a2c/proxy';
import { verifies } from '@a2c/requirements';
import type { Client } from '@modelcontextprotocol/client';
import { ProtocolError, UrlElicitationRequiredError } from '@modelcontextprotocol/server';
import { describe, expect } from 'vitest';
import { atEnd, DOORS, enter, serving } from './doors.js';
import { type Fixture, type FixtureTool, fixture, text } from './fixture.js';
import { proxyOver } from './hub-over.js';

const passThrough = { serve: { passThrough: true } };
const ANY = { '~standard': { version: 1 as const, vendor: 'test', validate: (value: unknown) => ({ value }) } };
const url = 'https://example.org/login';
const NEWER = DOORS.filter(({ generation }) => generation === '2026-07-28');
const OLDER = DOORS.filter(({ generation }) => generation === '2025-11-25');

/** A server of 2025 that refuses its tool, prompt and resource until a person has opened a URL. */
function guarded(): Fixture {
  const opened = new Set<string>();
  const guard = (what: string) => {
    if (opened.has(what)) return;
    const elicitation = { mode: 'url' as const, message: `Open for ${what}`, url, elicitationId: what };
    setImmediate(() => {
      opened.add(what);
      void Promise.allSettled(servers.map((server) => server.createElicitationCompletionNotifier(what)()));
    });
    throw new UrlElicitationRequiredError([elicitation]);
  };
  const servers: Fixture['server'][] = [];
  const run: FixtureTool['run'] = () => {
    guard('tool');
    return text('open');
  };
  return fixture(
    'guarded',
    { enter: { run } },
    {
      capabilities: { prompts: {}, resources: {} },
      more: (server) => {
        servers.push(server);
        server.setRequestHandler('prompts/list', () => ({ prompts: [{ name: 'p' }] }));
        server.setRequestHandler('prompts/get', () => {
          guard('prompt');
          return { messages: [] };
        });
        server.setRequestHandler('resources/list', () => ({ resources: [{ uri: 'demo://r', name: 'r' }] }));
        server.setRequestHandler('resources/read', () => {
          guard('resource');
          return { contents: [{ uri: 'demo://r', text: 'open' }] };
        });
      },
    },
  );
}

const capabilities = { elicitation: { url: {} } };

describe.each(NEWER)('a client of $generation on $door', (door) => {
  verifies('BRIDGE-URL-02', 'is asked to open the URLs that a 2025 server requires, and gets the result', async () => {
    const client = await enter(await proxyOver(guarded()), door, { ...passThrough, capabilities });
    const asked: unknown[] = [];
    client.setRequestHandler('elicitation/create', ({ params }) => {
      asked.push(params);
      return { action: 'accept' };
    });
    expect(await client.callTool({ name: 'enter' })).toMatchObject(text('open'));
    await client.getPrompt({ name: 'p' });
    expect((await client.readResource({ uri: 'demo://r' })).contents).toHaveLength(1);
    const messages = ['Open for tool', 'Open for prompt', 'Open for resource'];
    expect(asked).toMatchObject(messages.map((message) => ({ mode: 'url', message, url })));
  });

  verifies('BRIDGE-URL-02', 'learns which capability is missing, or that the URL was not opened', async () => {
    const proxy = await proxyOver(guarded());
    const unable = await enter(proxy, door, passThrough);
    await expect(unable.callTool({ name: 'enter' })).rejects.toMatchObject({ code: -32_021 });
    const another = await enter(await proxyOver(guarded()), door, { ...passThrough, capabilities });
    another.setRequestHandler('elicitation/create', () => ({ action: 'decline' }));
    const refused = { ...text(`not opened: ${url}`), isError: true };
    expect(await another.callTool({ name: 'enter' })).toMatchObject(refused);
  });
});

describe.each(OLDER)('a client of $generation on $door', (door) => {
  verifies('BRIDGE-URL-02', 'gets the error with the URLs as the server sent it', async () => {
    const client = await enter(await proxyOver(guarded()), door, { ...passThrough, capabilities });
    const ids: string[] = [];
    client.setNotificationHandler('notifications/elicitation/complete', ({ params }) => {
      ids.push(params.elicitationId);
    });
    const failure = await client.callTool({ name: 'enter' }).catch((error) => error);
    expect(failure).toMatchObject({ code: -32_042, data: { elicitations: [{ url, elicitationId: 'tool' }] } });
    expect(await client.callTool({ name: 'enter' })).toMatchObject(text('open'));
  });
});

verifies('BRIDGE-URL-03', 'another server cannot report that a person has opened a URL', async () => {
  let open = false;
  let runs = 0;
  const elicitation = { mode: 'url' as const, message: 'Open', url, elicitationId: 'known' };
  const refuse = () => {
    runs++;
    if (open) return text('open');
    throw new UrlElicitationRequiredError([elicitation]);
  };
  const servers = new Map<string, Fixture['server'][]>();
  const spec = (name: string, run: FixtureTool['run']) =>
    fixture(name, { go: { run } }, { more: (server) => servers.set(name, [...(servers.get(name) ?? []), server]) });
  const complete = (name: string) =>
    Promise.allSettled(
      (servers.get(name) ?? []).map((server) => server.createElicitationCompletionNotifier('known')()),
    );
  const proxy = await proxyOver(
    spec('good', refuse),
    spec('evil', () => text('reported')),
  );
  const client = await enter(proxy, DOORS[0], { capabilities });
  const asked = new Promise<void>((resolve) => {
    client.setRequestHandler('elicitation/create', () => {
      resolve();
      return { action: 'accept' };
    });
  });
  const exec = (server_name: string) =>
    client.callTool({ name: 'exec', arguments: { server_name, tool_name: 'go', arguments: {} } });
  const entered = exec('good');
  await asked;
  await exec('evil');
  await complete('evil');
  await new Promise((resolve) => setTimeout(resolve, 300));
  expect(runs).toBe(1); // The call waits, and does not run again.
  open = true;
  await complete('good');
  expect(await entered).toMatchObject(text('open'));
});

verifies('BRIDGE-URL-02', 'a model behind a client that cannot be asked learns the URL', async () => {
  const client = await enter(await proxyOver(guarded()), DOORS[0]);
  const refused = async (name: string, args: object) => {
    const { content, isError } = await client.callTool({ name, arguments: { server_name: 'guarded', ...args } });
    return isError && JSON.stringify(content);
  };
  const needed = (what: string) => `(code -32042). Open ${url} (Open for ${what}), then try again.`;
  expect(await refused('exec', { tool_name: 'enter' })).toContain(needed('tool'));
  expect(await refused('inspect', { uri: 'demo://r' })).toContain(needed('resource'));
  expect(await refused('inspect', { prompt_name: 'p' })).toContain(needed('prompt'));
});

/** A server of 2025 in a few lines: the SDK does not send -32002. */
const OLD_SERVER = `
  const answer = ({ id, method, params }) => {
    if (id === undefined) return;
    const results = {
      initialize: { protocolVersion: '2025-11-25', capabilities: { tools: {}, resources: {} }, serverInfo: { name: 'old', version: '1' } },
      'tools/list': { tools: [{ name: 'bare', inputSchema: { type: 'object' } }] },
      'tools/call': { content: 'only words' },
      'resources/list': { resources: [] },
      'resources/templates/list': { resourceTemplates: [] },
    };
    const error = method === 'resources/read'
      ? { code: -32002, message: 'Resource not found', data: { uri: params.uri } }
      : { code: -32601, message: 'Method not found' };
    const reply = results[method] ? { result: results[method] } : { error };
    console.log(JSON.stringify({ jsonrpc: '2.0', id, ...reply }));
  };
  require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => answer(JSON.parse(line)));
`;
const old = { name: 'old', entry: async () => ({ command: process.execPath, args: ['-e', OLD_SERVER] }) };

describe.each(DOORS)('a client of $generation on $door', (door) => {
  const code = door.generation === '2025-11-25' ? -32_002 : -32_602;
  const notFound = { code, data: { uri: 'demo://nowhere' } };
  /** The client of the SDK reports both codes as one. */
  const readCode = async (client: Client, wire: string[]) => {
    await expect(client.readResource({ uri: 'demo://nowhere' })).rejects.toThrow();
    return JSON.parse(/"error":(\{.*?\}\})/.exec(wire.join(''))?.[1] ?? '{}');
  };

  verifies('BRIDGE-PASS-04', 'learns that a resource is unknown with the code of its generation', async () => {
    const modern = fixture(
      'new',
      {},
      {
        modern: true,
        capabilities: { resources: {} },
        more: (server) => {
          server.setRequestHandler('resources/list', () => ({ resources: [] }));
          server.setRequestHandler('resources/read', ({ params: { uri } }) => {
            throw new ProtocolError(-32_602, 'Resource not found', { uri });
          });
        },
      },
    );
    for (const spec of [old, modern]) {
      const wire: string[] = [];
      const client = await enter(await proxyOver(spec), door, {
        ...passThrough,
        onWire: (sent) => void wire.push(sent),
      });
      expect(await readCode(client, wire)).toMatchObject(notFound);
    }
  });

  verifies(
    'BRIDGE-PASS-04',
    'gets one sentence for invalid parameters, and no page for an unknown cursor',
    async () => {
      const proxy = await proxyOver(old);
      const client = await enter(proxy, door, passThrough);
      const failure = async (method: string, params: object) =>
        client.request({ method, params: { ...params } }, ANY).catch(({ code, message }) => ({ code, message }));
      const sentence = /^Invalid params of [a-z/]+: params\.\w+: Invalid input: expected string, received number$/;
      const invalid = { code: -32_602, message: expect.stringMatching(sentence) };
      expect(await failure('tools/call', { name: 7 })).toEqual(invalid);
      expect(await failure('resources/read', { uri: 7 })).toEqual(invalid);
      for (const list of ['tools/list', 'resources/list', 'resources/templates/list', 'prompts/list']) {
        expect(await failure(list, { cursor: 'x' })).toEqual({ code: -32_602, message: 'Invalid cursor' });
      }
      if (door.generation === '2025-11-25') {
        expect(await failure('tasks/list', {})).toMatchObject({ code: -32_601 });
      }
      expect(await client.callTool({ name: 'bare' })).toMatchObject(text('only words'));
    },
  );

  verifies('BRIDGE-PASS-04', 'sees the experimental capabilities of the servers', async () => {
    const lab = fixture('lab', {}, { capabilities: { experimental: { 'example.org/beam': { power: 3 } } } });
    const client = await enter(await proxyOver(lab), door, passThrough);
    expect(client.getServerCapabilities()?.experimental).toEqual({ 'example.org/beam': { power: 3 } });
  });

  verifies(
    'BRIDGE-PASS-03',
    'sends a request of an extension to the server that declares it, and to no other',
    async () => {
      const calls: string[] = [];
      const extended = (name: string, extension: string, fails: boolean) =>
        fixture(
          name,
          {},
          {
            capabilities: { extensions: { [`example.org/${extension}`]: {} } },
            more: (server) =>
              server.setRequestHandler('lamps/switch', { params: ANY }, () => {
                calls.push(name);
                if (fails) throw new ProtocolError(-32_000, 'broken');
                return { by: name };
              }),
          },
        );
      const [doors, lamps, more] = [
        extended('doors', 'doors', false),
        extended('lamps', 'lamps', true),
        extended('more', 'lamps', false),
      ];
      const client = await enter(await proxyOver(doors, lamps, more), door, passThrough);
      const failure = client.request({ method: 'lamps/switch', params: {} }, ANY);
      await expect(failure).rejects.toMatchObject({ code: -32_000, message: 'broken' });
      expect(calls).toEqual(['lamps']);
    },
  );
});

const initialize = {
  ...{ jsonrpc: '2.0', id: 1, method: 'initialize' },
  params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'test', version: '1' } },
};
const batch = [2, 3].map((id) => ({ jsonrpc: '2.0', id, method: 'ping' }));
const refusal = { id: null, error: { code: -32_600, message: expect.stringContaining('one JSON-RPC object') } };

verifies('BRIDGE-PASS-04', 'a batch is refused over HTTP in versions without batches', async () => {
  const url = await serving(await proxyOver(old), { passThrough: true });
  const post = (body: object, headers: Record<string, string> = {}) => {
    const accept = 'application/json, text/event-stream';
    const sent = { 'content-type': 'application/json', accept, ...headers };
    return fetch(url, { method: 'POST', headers: sent, body: JSON.stringify(body) });
  };
  /** Sends a batch in a session of a version, with or without the header that names the version again. */
  const send = async (protocolVersion: string, headers: Record<string, string> = {}) => {
    const opened = await post({ ...initialize, params: { ...initialize.params, protocolVersion } });
    return post(batch, { 'mcp-session-id': opened.headers.get('mcp-session-id') ?? '', ...headers });
  };
  for (const headers of [{}, { 'mcp-protocol-version': '2025-11-25' }, { 'mcp-protocol-version': '2025-03-26' }]) {
    const refused = await send('2025-11-25', headers as Record<string, string>);
    expect([refused.status, await refused.json()]).toEqual([400, expect.objectContaining(refusal)]);
  }
  expect((await send('2025-03-26')).status).toBe(200);
});

verifies('BRIDGE-PASS-04', 'a batch is answered on stdio, in one sentence', async () => {
  const [input, output] = [new PassThrough(), new PassThrough({ encoding: 'utf8' })];
  const errors: string[] = [];
  const onError = ({ message }: Error) => void errors.push(message);
  const endpoint = serveStdio(await proxyOver(old), { passThrough: true, input, output, onError });
  atEnd(() => endpoint.close());
  let written = '';
  output.on('data', (text: string) => {
    written += text;
  });
  for (const message of [initialize, batch]) input.write(`${JSON.stringify(message)}\n`);
  const answers = () => written.split('\n').flatMap((line) => (line === '' ? [] : [JSON.parse(line)]));
  await expect.poll(answers).toContainEqual(expect.objectContaining(refusal));
  expect(errors).toEqual([refusal.error.message]);
});
