import {
  MCPProxy,
  type MCPProxyOptions,
  OWN_NAME,
  SelectedToolbox,
  type ToolboxServer,
  unmatchedPatterns,
} from '@a2c/proxy';
import { verifies } from '@a2c/requirements';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { describe, expect } from 'vitest';
import { atEnd, DOORS, enter, serving } from './doors.js';
import { fixture, text } from './fixture.js';
import { start } from './hub-over.js';
import { MemoryToolbox } from './memory-toolbox.js';

const object = { type: 'object', properties: { id: { type: 'string' } } };
const tool = (name: string, readOnlyHint?: boolean) => ({
  name,
  description: `The tool ${name}`,
  inputSchema: object,
  ...(readOnlyHint !== undefined && { annotations: { readOnlyHint } }),
});

const SERVERS: readonly ToolboxServer[] = [
  { name: 'mail', state: 'ready', tools: [tool('send', false), tool('search', true), tool('delete')] },
  { name: 'files', state: 'ready', tools: [tool('read', true), tool('write'), tool('search', true)] },
];

async function connected(options: MCPProxyOptions) {
  const toolbox = new MemoryToolbox(SERVERS);
  toolbox.answer = ({ server, tool }) => ({ content: [{ type: 'text', text: `${server} ${tool}` }] });
  const client = await enter(new MCPProxy(toolbox, options), DOORS[0]);
  const names = async () => (await client.listTools()).tools.map(({ name }) => name);
  const call = async (name: string, args: Record<string, unknown> = {}) => {
    const { content, isError } = await client.callTool({ name, arguments: args });
    return `${isError ? 'error: ' : ''}${(content[0] as { text: string }).text}`;
  };
  return { client, names, call, toolbox };
}

describe('tool choice', () => {
  verifies('CHOICE-REACH-03', 'lists and calls only selected tools', async () => {
    const { call } = await connected({ selection: { allow: ['mail', 'files/re*'], deny: ['*/delete'] } });
    expect(await call('inspect', { server_name: '*' })).toBe('Server: files - 1 tool\nServer: mail - 2 tools');
    expect(await call('exec', { server_name: 'mail', tool_name: 'send' })).toBe('mail send');
    expect(await call('exec', { server_name: 'mail', tool_name: 'delete' })).toContain(
      'error: Server "mail" has no tool',
    );
    expect(await call('inspect', { query: 'write a file' })).not.toContain('- write');
    const only = await connected({ selection: { allow: ['files'] } });
    expect(await only.call('exec', { server_name: 'mail', tool_name: 'send' })).toContain('There is no server "mail"');
    expect(only.toolbox.calls).toEqual([]);
  });

  verifies('COST-NAME-02', 'patterns with several stars do not make long names costly', () => {
    const long = '/'.repeat(100_000);
    const servers: readonly ToolboxServer[] = [{ name: 'evil', state: 'ready', tools: [tool(long), tool('delete')] }];
    const started = performance.now();
    const selected = new SelectedToolbox(new MemoryToolbox(servers), { deny: ['*/*delete*'] }).servers();
    expect(selected[0]?.tools.map(({ name }) => name.length)).toEqual([long.length]);
    expect(unmatchedPatterns(['*/*delete*', '*/*x*'], servers, [])).toEqual(['*/*x*']);
    // It takes less than 50 ms. It takes about 10 s if the second part is searched after each slash.
    expect(performance.now() - started).toBeLessThan(2_000);
  });

  verifies(
    'CHOICE-REACH-01',
    'a tool with an alias is denied by both of its names, also if it is called by the other',
    async () => {
      const listed = { ...tool('rm'), [OWN_NAME]: 'delete_all' };
      for (const deny of ['files/delete_*', 'files/rm']) {
        const toolbox = new MemoryToolbox([{ name: 'files', state: 'ready', tools: [listed, tool('read')] }]);
        const selected = new SelectedToolbox(toolbox, { deny: [deny] });
        expect(selected.servers()[0]?.tools.map(({ name }) => name)).toEqual(['read']);
        for (const name of ['rm', 'delete_all'])
          await expect(selected.call({ server: 'files', tool: name, arguments: {} })).rejects.toThrow(
            'is not selected',
          );
        expect(unmatchedPatterns([deny], toolbox.servers(), [])).toEqual([]);
      }
    },
  );

  verifies('CHOICE-REACH-02', 'query runs only tools that declare that they only read', async () => {
    const { client, call, names } = await connected({ queryTool: true });
    expect(await names()).toEqual(['inspect', 'exec', 'query']);
    const { tools } = await client.listTools();
    expect(tools[2]?.annotations).toMatchObject({ readOnlyHint: true, destructiveHint: false });
    expect(await call('query', { server_name: 'mail', tool_name: 'search' })).toBe('mail search');
    for (const name of ['send', 'delete']) {
      expect(await call('query', { server_name: 'mail', tool_name: name })).toContain('error: The tool');
    }
    const { call: queried, toolbox } = await connected({ queryTool: true });
    const stopped: ToolboxServer = { name: 'off', state: 'stopped', tools: [], knownNames: ['wipe'] };
    toolbox.become([...SERVERS, { name: 'new', state: 'ready', tools: [], knownNames: ['wipe'] }, stopped]);
    for (const server_name of ['new', 'off']) {
      expect(await queried('query', { server_name, tool_name: 'wipe' })).toMatch(/^error: /);
    }
    expect(toolbox.calls).toEqual([]);
    const without = await connected({});
    await expect(without.call('query', { server_name: 'mail', tool_name: 'search' })).rejects.toThrow('Unknown tool');
  });

  verifies('CHOICE-SETS-01', 'lists pinned tools with their schemas and calls them directly', async () => {
    const { client, call, names } = await connected({ pinned: ['mail/send', '*/search'] });
    expect(await names()).toEqual(['inspect', 'exec', 'files__search', 'send', 'mail__search']);
    const { tools } = await client.listTools();
    expect(tools[3]).toMatchObject({ description: 'The tool send', inputSchema: object });
    expect(await call('send', { id: '7' })).toBe('mail send');
    expect(await call('files__search')).toBe('files search');
    await expect(call('write')).rejects.toThrow('Unknown tool "write"');
  });

  for (const generation of ['2025-11-25', '2026-07-28'] as const) {
    verifies('CHOICE-SETS-02', `over HTTP a client chooses a toolset by path or header (${generation})`, async () => {
      const toolbox = new MemoryToolbox(SERVERS);
      const part = (allow: string) => new MCPProxy(toolbox, { selection: { allow: [allow] }, pinned: [allow] });
      const toolsets = { mail: part('mail'), 'my files': part('files') };
      const url = await serving(new MCPProxy(toolbox), { toolsets });
      const names = async (path: string, headers: Record<string, string> = {}) => {
        const mode = generation === '2025-11-25' ? 'legacy' : { pin: generation };
        const client = new Client({ name: 'test', version: '1' }, { versionNegotiation: { mode } });
        atEnd(() => client.close());
        await client.connect(new StreamableHTTPClientTransport(new URL(url + path), { requestInit: { headers } }));
        return (await client.listTools()).tools.map(({ name }) => name);
      };
      expect(await names('')).toEqual(['inspect', 'exec']);
      expect(await names('/mail')).toEqual(['inspect', 'exec', 'send', 'search', 'delete']);
      expect(await names('/my%20files')).toEqual(['inspect', 'exec', 'read', 'write', 'search']);
      expect(await names('', { 'A2C-Toolset': 'mail' })).toContain('delete');
      const unknown = await fetch(`${url}/male`, { method: 'POST' });
      expect([unknown.status, await unknown.json()]).toEqual([
        404,
        { error: 'there is no toolset "male": there are mail, my files' },
      ]);
      expect((await fetch(`${url}x`, { method: 'POST' })).status).toBe(404);
    });
  }

  for (const door of DOORS) {
    verifies(
      'CHOICE-INSPECT-01',
      `structured content is left out for clients that show it to the model (${door.door}, ${door.generation})`,
      async () => {
        const rows = Array.from({ length: 20 }, (_, id) => ({ id, name: `row ${id}` }));
        const toolbox = new MemoryToolbox(SERVERS);
        toolbox.answer = () => ({ content: [{ type: 'text', text: 'rows' }], structuredContent: { rows } });
        const seen = async (name: string, options: MCPProxyOptions = {}) => {
          const client = await enter(new MCPProxy(toolbox, options), door, { name });
          const [inspect] = (await client.listTools()).tools;
          const called = await client.callTool({ name: 'exec', arguments: { server_name: 'mail', tool_name: 'send' } });
          const inspected = await client.callTool({ name: 'inspect', arguments: { server_name: 'mail' } });
          const all = [inspect?.outputSchema, called.structuredContent, inspected.structuredContent];
          return { structures: all.filter((one) => one !== undefined).length, text: JSON.stringify(called.content) };
        };
        expect(await seen('some-client')).toMatchObject({ structures: 3, text: expect.not.stringContaining('row 7') });
        for (const name of ['claude-code', 'codex-mcp-client', 'Visual Studio Code - Insiders']) {
          expect(await seen(name)).toMatchObject({ structures: 0, text: expect.stringContaining('row 7') });
        }
        expect(await seen('claude-code', { structuredContent: true })).toMatchObject({ structures: 3 });
        expect(await seen('some-client', { structuredContent: false })).toMatchObject({ structures: 0 });
      },
    );
  }

  verifies('CHOICE-SETS-03', 'auto shows few tools directly and many behind two tools', async () => {
    const { call, names, toolbox } = await connected({ mode: 'auto' });
    expect(await names()).toEqual(['read', 'write', 'files__search', 'send', 'mail__search', 'delete']);
    expect(await call('write', { id: '1' })).toBe('files write');
    const many = Array.from({ length: 100 }, (_, index) => tool(`tool_${index}`));
    toolbox.become([{ name: 'large', state: 'ready', tools: many }]);
    expect(await names()).toEqual(['inspect', 'exec']);
  });

  verifies('CHOICE-REACH-01', 'inspect lists and reads resources and prompts', async () => {
    const library = fixture(
      'library',
      {},
      {
        capabilities: { resources: {}, prompts: {} },
        more: (server) => {
          server.setRequestHandler('resources/list', () => ({
            resources: [{ uri: 'book://1', name: 'one', description: 'The first book' }],
          }));
          server.setRequestHandler('resources/read', ({ params: { uri } }) => {
            if (uri !== 'book://1') throw new Error(`no book ${uri}`);
            return { contents: [{ uri, text: 'Once upon a time' }] };
          });
          server.setRequestHandler('prompts/list', () => ({
            prompts: [{ name: 'greet', description: 'Greets', arguments: [{ name: 'who', required: true }] }],
          }));
          server.setRequestHandler('prompts/get', ({ params }) => ({
            messages: [{ role: 'user', content: { type: 'text', text: `Hello ${params.arguments?.who}` } }],
          }));
        },
      },
    );
    const plain = fixture('plain', { echo: { run: () => text('echo') } });
    const { proxy, started } = await start({ library: await library.entry(), plain: await plain.entry() });
    await started;
    const client = await enter(proxy, DOORS[0]);
    await client.listTools(); // Now the client checks results against the output schema of inspect.
    const inspect = async (args: Record<string, unknown>) =>
      (await client.callTool({ name: 'inspect', arguments: { server_name: '*', ...args } })).content as {
        text: string;
      }[];
    expect((await inspect({ list: 'resources' }))[0]?.text).toBe(
      'library: 1 resources\n- book://1: The first book\nRead one with server_name and uri.',
    );
    expect((await inspect({ uri: 'book://1' }))[0]?.text).toBe('Once upon a time');
    expect((await inspect({ uri: 'book://2' }))[0]?.text).toContain('no book book://2');
    expect((await inspect({ list: 'prompts' }))[0]?.text).toContain('- greet {who}: Greets');
    const greeting = await inspect({ server_name: 'library', prompt_name: 'greet', arguments: { who: 'Ada' } });
    expect(greeting[0]?.text).toBe('user: Hello Ada');
  });
});
