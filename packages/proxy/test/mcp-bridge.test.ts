import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { verifies } from '@a2c/requirements';
import { Client, type ClientCapabilities, type ProtocolError } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import {
  CLIENT_CAPABILITIES_META_KEY,
  inputRequired,
  type ServerContext,
  ProtocolError as ServerError,
} from '@modelcontextprotocol/server';
import { describe, expect } from 'vitest';
import { A2C } from './conformance-suite.js';
import { atEnd, DOORS, enter, STREAM_OPEN } from './doors.js';
import { type Fixture, type FixtureTool, fixture, text } from './fixture.js';
import { proxyOver } from './hub-over.js';
import { Moment } from './moment.js';
import { everything } from './real-servers.js';

const passThrough = { serve: { passThrough: true } };
const textOf = ({ content }: { content?: unknown }) => (content as { text: string }[])[0]?.text ?? '';

const ANY = { '~standard': { version: 1 as const, vendor: 'test', validate: (value: unknown) => ({ value }) } };

/** A tool that returns what its server knows about the client. */
function mirror(name: string, modern: boolean): Fixture {
  const run: FixtureTool['run'] = (_args, { mcpReq }: ServerContext) => {
    const envelope = mcpReq.envelope as Record<string, unknown> | undefined;
    const capabilities = envelope?.[CLIENT_CAPABILITIES_META_KEY] ?? made.server.getClientCapabilities();
    return text(JSON.stringify({ generation: envelope ? '2026' : '2025', capabilities }));
  };
  const made: Fixture = fixture(name, { [name]: { run } }, { modern });
  return made;
}

describe.each(DOORS)('for a client of $generation on $door', (door) => {
  verifies(
    'BRIDGE-CLIENT-01',
    'a server sees the capabilities of its client, and its generation if it can',
    async () => {
      const capabilities: ClientCapabilities = { elicitation: { form: {} }, sampling: {} };
      const proxy = await proxyOver(mirror('both', true), mirror('old', false));
      const client = await enter(proxy, door, { ...passThrough, capabilities });
      const both = JSON.parse(textOf(await client.callTool({ name: 'both' })));
      expect(both).toEqual({ generation: door.generation.slice(0, 4), capabilities });
      const old = JSON.parse(textOf(await client.callTool({ name: 'old' })));
      expect(old).toEqual({ generation: '2025', capabilities });
    },
  );

  verifies('BRIDGE-CLIENT-02', 'the questions of a 2025 server reach the client of the call', async () => {
    let begun = 0;
    const all = new Moment();
    const run: FixtureTool['run'] = async (_args, { mcpReq }) => {
      begun += 1;
      if (begun === 3) all.happen();
      await all.promise;
      const asked = { message: 'Who?', requestedSchema: { type: 'object' as const, properties: {} } };
      return text(JSON.stringify((await mcpReq.elicitInput(asked)).content));
    };
    const proxy = await proxyOver(fixture('asker', { ask: { run } }));
    const answers = ['ann', 'bob', 'cem'].map(async (name) => {
      const client = await enter(proxy, door, { ...passThrough, capabilities: { elicitation: { form: {} } } });
      client.setRequestHandler('elicitation/create', () => ({ action: 'accept', content: { name } }));
      return JSON.parse(textOf(await client.callTool({ name: 'ask' })));
    });
    expect(await Promise.all(answers)).toEqual([{ name: 'ann' }, { name: 'bob' }, { name: 'cem' }]);
  });

  for (const modern of [false, true]) {
    verifies('BRIDGE-CLIENT-05', `a ${modern ? '2026' : '2025'} server asks the client to open a URL`, async () => {
      const [message, url] = ['Pay', 'https://example.org/pay?id=1'];
      const run: FixtureTool['run'] = async (_args, { mcpReq }) => {
        if (mcpReq.envelope === undefined) {
          const { action } = await mcpReq.elicitInput({ mode: 'url', message, url, elicitationId: 'e1' });
          return text(action);
        }
        const answer = mcpReq.inputResponses?.pay as { action?: string } | undefined;
        if (answer?.action) return text(answer.action);
        return inputRequired({ inputRequests: { pay: inputRequired.elicitUrl({ message, url }) } });
      };
      const proxy = await proxyOver(fixture('shop', { pay: { run } }, { modern }));
      const client = await enter(proxy, door, { ...passThrough, capabilities: { elicitation: { url: {} } } });
      const asked: unknown[] = [];
      client.setRequestHandler('elicitation/create', ({ params }) => {
        asked.push(params);
        return { action: 'accept' };
      });
      expect(textOf(await client.callTool({ name: 'pay' }))).toBe('accept');
      expect(asked).toEqual([expect.objectContaining({ mode: 'url', message, url })]);
    });
  }

  verifies(
    'BRIDGE-CLIENT-08',
    'a server that asks a client which cannot answer gets the error of its version',
    async () => {
      const form = { message: '?', requestedSchema: { type: 'object' as const, properties: {} } };
      const url = { mode: 'url' as const, message: '?', url: 'https://example.org', elicitationId: 'e' };
      const codeOf = (question: Promise<unknown>) =>
        question.then(
          () => 'answered',
          ({ code }) => code,
        );
      const old = fixture('old', {
        old: {
          run: async ({ mode }, { mcpReq }) => {
            const questions = [mcpReq.elicitInput(mode === 'url' ? url : form)];
            if (mode !== 'url') questions.push(mcpReq.requestSampling({ messages: [], maxTokens: 1 }) as never);
            return text(JSON.stringify(await Promise.all(questions.map(codeOf))));
          },
        },
      });
      const made = fixture(
        'both',
        { both: { run: () => inputRequired({ inputRequests: { q: inputRequired.elicit(form) } }) } },
        { modern: true },
      );
      // On a shared connection the server cannot know what this client can do.
      const shared = { name: 'old', entry: async () => ({ ...(await old.entry()), connections: 'shared' }) };
      const proxy = await proxyOver(shared, made);
      const unable = await enter(proxy, door, passThrough);
      expect(textOf(await unable.callTool({ name: 'old' }))).toBe('[-32601,-32601]');
      const former = await enter(proxy, door, { ...passThrough, capabilities: { elicitation: { form: {} } } });
      expect(textOf(await former.callTool({ name: 'old', arguments: { mode: 'url' } }))).toBe('[-32602]');
      if (door.generation === '2025-11-25') return; // A server of both generations fails such a call in its own words.
      const failure: ProtocolError = await unable.callTool({ name: 'both' }).catch((error) => error);
      expect(failure).toMatchObject({ code: -32_021, data: { requiredCapabilities: { elicitation: {} } } });
    },
  );

  verifies('BRIDGE-PASS-03', 'extensions of the servers are announced, and their methods reach them', async () => {
    const extended = (name: string, modern: boolean) =>
      fixture(
        name,
        {},
        {
          modern,
          capabilities: { extensions: { [`example.org/${name}`]: { size: 1 } } },
          more: (server) => {
            server.setRequestHandler('things/list', { params: ANY }, (params) => {
              const { cursor } = params as { cursor?: string };
              return cursor ? { things: [`${name} 2`] } : { things: [`${name} 1`], nextCursor: 'more' };
            });
            server.setRequestHandler('things/get', { params: ANY }, (params) => {
              if ((params as { of?: string }).of !== name) throw new ServerError(-32_602, 'not mine');
              return { thing: name };
            });
          },
        },
      );
    const proxy = await proxyOver(extended('a', true), extended('b', false), fixture('plain', {}));
    const client = await enter(proxy, door, passThrough);
    const settings = { 'example.org/a': { size: 1 }, 'example.org/b': { size: 1 } };
    expect(client.getServerCapabilities()?.extensions).toEqual(settings);
    const ask = (method: string, params = {}) => client.request({ method, params }, ANY);
    expect(await ask('things/list')).toMatchObject({ things: ['a 1', 'a 2', 'b 1', 'b 2'] });
    expect(await ask('things/get', { of: 'b' })).toMatchObject({ thing: 'b' });
    await expect(ask('things/get', { of: 'c' })).rejects.toMatchObject({ code: -32_602, message: 'not mine' });
    await expect(ask('things/burn')).rejects.toMatchObject({ code: -32_601 });
  });

  for (const connections of ['shared', 'per-client'] as const) {
    verifies('BRIDGE-CLIENT-06', `"connections": "${connections}" is followed for every client`, async () => {
      const made = fixture('counted', { which: { run: () => text(String(made.connections)) } }, { modern: true });
      const counted = { name: 'counted', entry: async () => ({ ...(await made.entry()), connections }) };
      const proxy = await proxyOver(counted);
      const before = made.connections;
      const capabilities = { elicitation: { form: {} } };
      const clients = [
        await enter(proxy, door, { ...passThrough, capabilities }),
        await enter(proxy, door, passThrough),
      ];
      for (const client of clients) {
        await client.callTool({ name: 'which' });
        await client.callTool({ name: 'which' });
      }
      expect(made.connections - before).toBe(connections === 'shared' ? 0 : clients.length);
    });
  }

  verifies('BRIDGE-PASS-01', 'the server decides about arguments, and its errors pass unchanged', async () => {
    const tools: Record<string, FixtureTool> = {
      given: {
        inputSchema: { type: 'object', properties: { verbose: { type: 'boolean' } } },
        run: (args) => text(JSON.stringify(args)),
      },
      fail: {
        run: () => {
          throw new ServerError(-32_050, 'out of tokens', { retryAfter: 7 });
        },
      },
    };
    const client = await enter(await proxyOver(fixture('strict', tools)), door, passThrough);
    expect(textOf(await client.callTool({ name: 'given', arguments: { verbose: null } }))).toBe('{"verbose":null}');
    const failure: ProtocolError = await client.callTool({ name: 'fail' }).then(
      () => expect.fail('it must fail'),
      (error) => error,
    );
    expect(failure).toMatchObject({ code: -32_050, message: 'out of tokens', data: { retryAfter: 7 } });
  });

  verifies('BRIDGE-LOG-01', 'log messages of a call arrive while another client owes an answer', async () => {
    const tools: Record<string, FixtureTool> = {
      wait: {
        run: (_args, { mcpReq }) =>
          mcpReq.inputResponses?.q
            ? text('answered')
            : inputRequired({
                inputRequests: {
                  q: inputRequired.elicit({ message: '?', requestedSchema: { type: 'object', properties: {} } }),
                },
              }),
      },
      log: {
        run: async (_args, { mcpReq }) => {
          await mcpReq.log('debug', 'unwanted');
          await mcpReq.log('warning', 'wanted');
          return text('done');
        },
      },
    };
    const capabilities = { logging: {} };
    const proxy = await proxyOver(fixture('talker', tools, { modern: true, capabilities }));
    const debtor = await enter(proxy, door, { ...passThrough, capabilities: { elicitation: { form: {} } } });
    const asked = new Moment();
    const answered = new Moment();
    debtor.setRequestHandler('elicitation/create', async () => {
      asked.happen();
      await answered.promise;
      return { action: 'accept', content: {} };
    });
    const waiting = debtor.callTool({ name: 'wait' });
    await asked.promise;

    const client = await enter(proxy, door, passThrough);
    const logs: unknown[] = [];
    client.setNotificationHandler('notifications/message', ({ params }) => void logs.push(params.data));
    const level = 'warning';
    if (door.generation === '2025-11-25') await client.setLoggingLevel(level);
    const meta = door.generation === '2025-11-25' ? {} : { _meta: { 'io.modelcontextprotocol/logLevel': level } };
    await client.callTool({ name: 'log', ...meta });
    await expect.poll(() => logs).toEqual(['wanted']);
    answered.happen();
    expect(textOf(await waiting)).toBe('answered');
  });

  verifies(
    'BRIDGE-LOG-01',
    'with a connection for each client, calls at the same time get their own messages',
    async () => {
      let begun = 0;
      const all = new Moment();
      const run: FixtureTool['run'] = async ({ name }, { mcpReq }) => {
        begun += 1;
        if (begun === 2) all.happen();
        await all.promise;
        await mcpReq.log('warning', String(name));
        return text('done');
      };
      const talker = fixture('talker', { log: { run } }, { modern: true, capabilities: { logging: {} } });
      const proxy = await proxyOver({
        name: 'talker',
        entry: async () => ({ ...(await talker.entry()), connections: 'per-client' }),
      });
      const meta = door.generation === '2025-11-25' ? {} : { _meta: { 'io.modelcontextprotocol/logLevel': 'info' } };
      const heard = ['ann', 'bob'].map(async (name) => {
        const client = await enter(proxy, door, passThrough);
        const logs: unknown[] = [];
        client.setNotificationHandler('notifications/message', ({ params }) => void logs.push(params.data));
        await client.callTool({ name: 'log', arguments: { name }, ...meta });
        await expect.poll(() => logs).toEqual([name]);
      });
      await Promise.all(heard);
    },
  );

  verifies('BRIDGE-LOG-02', 'a message that may belong to several clients reaches each of them', async () => {
    let begun = 0;
    const all = new Moment();
    const logged = new Moment();
    const run: FixtureTool['run'] = async (_args, { mcpReq }) => {
      begun += 1;
      if (begun < 2) await logged.promise;
      else {
        all.happen();
        await mcpReq.log('debug', 'unwanted');
        await mcpReq.log('warning', 'whose?');
      }
      return text('done');
    };
    const proxy = await proxyOver(fixture('talker', { log: { run } }, { capabilities: { logging: {} } }));
    const isOld = door.generation === '2025-11-25';
    const meta = isOld ? {} : { _meta: { 'io.modelcontextprotocol/logLevel': 'info' } };
    const [ann, bob] = [[] as unknown[], [] as unknown[]];
    const clients = await Promise.all(
      [ann, bob].map(async (logs) => {
        const client = await enter(proxy, door, passThrough);
        client.setNotificationHandler('notifications/message', ({ params }) => void logs.push(params.data));
        if (isOld) await client.setLoggingLevel('info');
        return client;
      }),
    );
    const calls = clients.map((client) => client.callTool({ name: 'log', ...meta }));
    await all.promise;
    await expect.poll(() => [ann, bob]).toEqual([['whose?'], ['whose?']]);
    logged.happen();
    await Promise.all(calls);
  });

  verifies('BRIDGE-PASS-02', 'everything that a server lists passes unchanged', async () => {
    const icons = [{ src: 'data:image/png;base64,AA==', mimeType: 'image/png' }];
    const tool = {
      title: 'The clock',
      description: 'Shows a clock',
      icons,
      annotations: { title: 'Clock', readOnlyHint: true },
      inputSchema: { type: 'object' as const, properties: {} },
      _meta: { ui: { resourceUri: 'ui://clock/view.html' }, 'example.org/mark': 1 },
    };
    const resource = {
      uri: 'ui://clock/view.html',
      name: 'view',
      title: 'View',
      icons,
      mimeType: 'text/html;profile=mcp-app',
      annotations: { audience: ['user' as const], priority: 0.5 },
      _meta: { ui: { prefersBorder: true } },
    };
    const content = { uri: resource.uri, mimeType: resource.mimeType, text: '<p>', _meta: { ui: { csp: {} } } };
    const prompt = {
      name: 'p',
      title: 'P',
      icons,
      arguments: [{ name: 'a' }],
      _meta: { 'example.org/x': [] },
    };
    const seen: unknown[] = [];
    const made = fixture(
      'whole',
      {
        clock: {
          ...tool,
          run: (_args, { mcpReq }) => {
            seen.push(mcpReq._meta?.['example.org/trace']);
            return text('tick');
          },
        },
      },
      {
        capabilities: { resources: {}, prompts: {} },
        instructions: 'Ask for the clock.',
        more: (server) => {
          server.setRequestHandler('resources/list', () => ({ resources: [resource] }));
          server.setRequestHandler('resources/read', () => ({ contents: [content] }));
          server.setRequestHandler('prompts/list', () => ({ prompts: [prompt] }));
        },
      },
    );
    const client = await enter(await proxyOver(made), door, passThrough);
    expect(client.getInstructions()).toBe('Ask for the clock.');
    expect((await client.listTools()).tools).toEqual([{ ...tool, name: 'clock' }]);
    expect((await client.listResources()).resources).toEqual([resource]);
    expect((await client.readResource({ uri: resource.uri })).contents).toEqual([content]);
    expect((await client.listPrompts()).prompts).toEqual([prompt]);
    await client.callTool({ name: 'clock', _meta: { 'example.org/trace': 'abc' } });
    expect(seen).toEqual(['abc']);
  });
});

describe.each(DOORS.filter(({ generation }) => generation === '2025-11-25'))('for a 2025 client on $door', (door) => {
  verifies('BRIDGE-CLIENT-04', 'its roots reach a server that asks at its start, also after a change', async () => {
    const known = { uris: [] as string[], asked: 0 };
    const made: Fixture = fixture(
      'rooted',
      { roots: { run: () => text(JSON.stringify(known.uris)) } },
      {
        more: (server) => {
          const ask = async () => {
            if (!server.getClientCapabilities()?.roots) return;
            const { roots } = await server.listRoots();
            known.uris = roots.map(({ uri }) => uri);
            known.asked += 1;
          };
          server.oninitialized = () => void ask();
          server.setNotificationHandler('notifications/roots/list_changed', ask);
        },
      },
    );
    const client = await enter(await proxyOver(made), door, {
      ...passThrough,
      capabilities: { roots: { listChanged: true } },
    });
    let uri = 'file:///one';
    client.setRequestHandler('roots/list', () => ({ roots: [{ uri }] }));
    await client.callTool({ name: 'roots' });
    await expect.poll(() => known.uris).toEqual(['file:///one']);
    uri = 'file:///two';
    await client.sendRootsListChanged();
    await expect.poll(() => known.uris).toEqual(['file:///two']);
  });

  verifies('BRIDGE-LOG-02', 'a message outside of calls reaches all clients at the level they asked for', async () => {
    const made = fixture('talker', {}, { capabilities: { logging: {} } });
    const proxy = await proxyOver(made);
    const open = [new Moment(), new Moment()];
    const heard: unknown[][] = [[], []];
    for (const [index, level] of (['debug', 'error'] as const).entries()) {
      const onWire = (words: string) => words === STREAM_OPEN && open[index]?.happen();
      const client = await enter(proxy, door, { ...passThrough, onWire });
      client.setNotificationHandler('notifications/message', ({ params }) => void heard[index]?.push(params.data));
      if (door.door === 'http') await open[index]?.promise;
      await client.setLoggingLevel(level);
    }
    await made.server.sendLoggingMessage({ level: 'info', data: 'small' });
    await made.server.sendLoggingMessage({ level: 'alert', data: 'big' });
    await expect.poll(() => heard).toEqual([['small', 'big'], ['big']]);
  });
});

verifies(
  'BRIDGE-START-01',
  'the first requests of a one-shot client find everything, with and without a cache',
  async () => {
    const home = await mkdtemp(join(tmpdir(), 'a2c-cold-'));
    atEnd(() => rm(home, { recursive: true }));
    const entry = await everything().entry();
    const config = join(home, 'mcp.json');
    await writeFile(config, JSON.stringify({ mcpServers: { everything: entry } }));
    for (const _start of ['cold', 'cached']) {
      const client = new Client({ name: 'one-shot', version: '1.0.0' });
      await using _closed = { [Symbol.asyncDispose]: () => client.close() };
      await client.connect(
        new StdioClientTransport({
          command: process.execPath,
          args: [A2C, 'proxy', '--pass-through', '--config', config],
          env: { ...(process.env as Record<string, string>), A2C_HOME: home },
          stderr: 'ignore',
        }),
      );
      const uri = 'demo://resource/static/document/features.md';
      const [tools, resources, templates, prompts, read] = await Promise.all([
        client.listTools(),
        client.listResources(),
        client.listResourceTemplates(),
        client.listPrompts(),
        client.readResource({ uri }),
      ]);
      expect(tools.tools.length).toBeGreaterThan(5);
      expect(resources.resources.map((each) => each.uri)).toContain(uri);
      expect(templates.resourceTemplates.length).toBeGreaterThan(0);
      expect(prompts.prompts.length).toBeGreaterThan(0);
      expect(read.contents).toHaveLength(1);
    }
  },
);
