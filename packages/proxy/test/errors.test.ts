import { HubError } from '@a2c/hub';
import { MCPProxy, type ServerRequestHandler, serveHttp, type ToolboxServer } from '@a2c/proxy';
import { verifies } from '@a2c/requirements';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { describe, expect } from 'vitest';
import { MemoryToolbox } from './memory-toolbox.js';

const object = { type: 'object' };

const SERVERS: readonly ToolboxServer[] = [
  {
    name: 'filesystem',
    state: 'ready',
    tools: [
      {
        name: 'read_text_file',
        inputSchema: { type: 'object', properties: { path: { type: 'string' } }, required: ['path'] },
      },
      { name: 'write_file', inputSchema: object },
    ],
  },
  { name: 'github', state: 'ready', tools: [{ name: 'search', inputSchema: object }] },
  { name: 'broken', state: 'failed', cause: 'spawn nix ENOENT', tools: [] },
];

function toolbox(fail?: unknown): MemoryToolbox {
  const made = new MemoryToolbox(SERVERS);
  if (fail !== undefined) made.answer = () => Promise.reject(fail);
  return made;
}

async function exec(server: string, tool: string, fail?: unknown): Promise<string> {
  const { result, raw } = await new MCPProxy(toolbox(fail)).executor.execute(server, tool, {});
  expect(result.isError).toBe(true);
  expect(raw).toBeUndefined();
  return result.content[0]?.text as string;
}

describe('error results', () => {
  verifies(['MCPX-ERROR-01', 'MCPX-ERROR-06'], 'name the existing servers if a server is unknown', async () => {
    expect(await exec('FileSystem', 'x')).toBe(
      'There is no server "FileSystem". Did you mean "filesystem"?\nServers: broken (failed: spawn nix ENOENT), filesystem, github',
    );
    expect(await exec('zzz', 'x')).toBe(
      'There is no server "zzz".\nServers: broken (failed: spawn nix ENOENT), filesystem, github',
    );
    const inspected = new MCPProxy(toolbox()).inspector.run({ server_name: 'git-hub' });
    expect(inspected).toMatchObject({
      isError: true,
      content: [{ text: expect.stringContaining('Did you mean "github"?') }],
    });
  });

  verifies(['MCPX-ERROR-02', 'MCPX-ERROR-06'], 'name the existing tools if a tool is unknown', async () => {
    expect(await exec('filesystem', 'read_file')).toBe(
      'Server "filesystem" has no tool "read_file". Did you mean "read_text_file"?\n' +
        'It has 2 tools: read_text_file, write_file',
    );
    expect(await exec('filesystem', 'search')).toBe(
      'Server "filesystem" has no tool "search".\n"search" is a tool of: github\nIt has 2 tools: read_text_file, write_file',
    );
    const inspected = new MCPProxy(toolbox()).inspector.run({ server_name: 'github', tool_name: 'serch' });
    expect(inspected).toMatchObject({
      isError: true,
      content: [{ text: expect.stringContaining('Did you mean "search"?') }],
    });
  });

  verifies('MCPX-ERROR-03', 'list the problems of invalid arguments, and the signature', async () => {
    const problems = [{ path: 'path', message: 'expected string, got number' }];
    expect(await exec('filesystem', 'read_text_file', new HubError('invalid-arguments', 'bad', { problems }))).toBe(
      'Invalid arguments for read_text_file:\n- path: expected string, got number\nExpected: read_text_file {path: string}',
    );
    const many = Array.from({ length: 9 }, (_, index) => ({ path: `a.${index}`, message: 'wrong' }));
    const tooMany = new HubError('invalid-arguments', 'bad', { problems: many });
    expect(await exec('filesystem', 'write_file', tooMany)).toContain(
      '- a.4: wrong\n- and 4 more\nExpected: write_file',
    );
    expect(await exec('filesystem', 'write_file', new HubError('invalid-arguments', 'no good'))).toContain(
      'Invalid arguments for write_file: no good\n',
    );
  });

  verifies('MCPX-ERROR-04', 'say why a server is unavailable', async () => {
    expect(await exec('broken', 'anything')).toBe('Server "broken" is not available: spawn nix ENOENT');
    const inspected = new MCPProxy(toolbox()).inspector.run({ server_name: 'broken' });
    expect(inspected).toMatchObject({
      isError: true,
      content: [{ text: expect.stringContaining('spawn nix ENOENT') }],
    });
    expect(await exec('github', 'search', new HubError('not-connected', 'restarting, third attempt'))).toContain(
      'Server "github" is not available: restarting, third attempt',
    );
  });

  verifies('MCPX-ERROR-05', 'repeat the message of the server', async () => {
    expect(await exec('github', 'search', new HubError('upstream', 'API rate limit exceeded'))).toBe(
      'API rate limit exceeded',
    );
    expect(await exec('github', 'search', new Error('boom'))).toBe('boom');
    const coded = new HubError('upstream', 'no such page', { code: -32_050, data: { pages: 3 } });
    expect(await exec('github', 'search', coded)).toBe('no such page\ncode: -32050\ndata: {"pages":3}');
    const answering = toolbox();
    const answer = { content: [{ type: 'text', text: 'no such repository' }], isError: true };
    answering.answer = () => answer;
    expect((await new MCPProxy(answering).executor.execute('github', 'search')).result).toEqual(answer);
  });

  verifies(['MCPX-ERROR-01', 'MCPX-ERROR-02'], 'suggest several names, and stay short', async () => {
    const tools = ['search_issues', 'search_code', 'x'].map((name) => ({ name, inputSchema: object }));
    const proxy = new MCPProxy(new MemoryToolbox([{ name: 'github', state: 'ready', tools }]));
    const errorFor = async (server: string, tool: string) =>
      (await proxy.executor.execute(server, tool)).result.content[0]?.text as string;
    expect(await errorFor('github', 'search')).toContain('Did you mean "search_issues" or "search_code"?');
    expect(await errorFor('github', 'github_search_code')).toContain('Did you mean "search_code"?');
    expect((await errorFor('z'.repeat(100_000), 'x')).length).toBeLessThan(400);
    expect((await errorFor('github', 'z\n'.repeat(100_000))).split('\n')).toHaveLength(2);
  });
});

describe('consent', () => {
  const guarded = () => {
    const disk = new MemoryToolbox([
      { name: 'disk', state: 'ready', tools: [{ name: 'run', inputSchema: object, autoApply: false }] },
    ]);
    return { disk, proxy: new MCPProxy(disk) };
  };

  verifies('MCPX-FLOW-04', 'is asked for with the whole of long arguments', async () => {
    const { proxy } = guarded();
    let asked = '';
    const onServerRequest: ServerRequestHandler = async ({ params }) => {
      asked = params?.message as string;
      return { action: 'accept' };
    };
    const ask = (args: Record<string, unknown>) =>
      proxy.executor.execute('disk', 'run', args, { onServerRequest, supportsForms: true });
    await ask({ command: `ls${' '.repeat(1_900)}; ${'x'.repeat(1_900)}; rm -rf /` });
    expect(asked).toBe(`Run run of disk with {"command":"ls⟨1,900 × \\u0020⟩; ${'x'.repeat(1_900)}; rm -rf /"}?`);
  });

  verifies('SEC-ASK-05', 'is not asked for with arguments that are too long to be shown', async () => {
    const { disk, proxy } = guarded();
    const asked: unknown[] = [];
    const onServerRequest: ServerRequestHandler = async ({ params }) => {
      asked.push(params);
      return { action: 'accept' };
    };
    const run = async (command: string) =>
      (await proxy.executor.execute('disk', 'run', { command }, { onServerRequest, supportsForms: true })).result;
    expect(await run(`${'z'.repeat(4_000)}; rm -rf /; ${'z'.repeat(4_000)}`)).toEqual({
      isError: true,
      content: [
        {
          type: 'text',
          text:
            '"run" of server "disk" needs a person\'s consent (auto_apply is false), and its arguments are too long to ' +
            'be shown (8026 characters; at most 8000).\nUse several calls with shorter arguments, call the tool on a ' +
            'Computer, whose console and shell show long arguments in full, or set auto_apply to true for this tool.',
        },
      ],
    });
    expect([asked, disk.calls]).toEqual([[], []]);
    await run('z'.repeat(7_900));
    expect([asked, disk.calls]).toMatchObject([{ length: 1 }, { length: 1 }]);
  });

  verifies(
    ['MCPX-FLOW-04', 'MCPX-ERROR-06'],
    'that cannot be asked for gives an error result, and the tool does not run',
    async () => {
      const { disk, proxy } = guarded();
      const onServerRequest: ServerRequestHandler = () => Promise.reject(new Error('the window is closed'));
      const { result } = await proxy.executor.execute('disk', 'run', {}, { onServerRequest, supportsForms: true });
      expect(result).toEqual({
        isError: true,
        content: [
          {
            type: 'text',
            text: '"run" of server "disk" was not run: consent could not be asked for: the window is closed',
          },
        ],
      });
      expect(disk.calls).toEqual([]);
    },
  );

  verifies('MCPX-FLOW-04', 'is refused if the client declares roots but not elicitation', async () => {
    const { proxy } = guarded();
    const endpoint = await serveHttp(proxy);
    const client = new Client({ name: 'rooted', version: '1' }, { capabilities: { roots: {} } });
    await client.connect(new StreamableHTTPClientTransport(new URL(endpoint.url)));
    const result = await client.callTool({ name: 'exec', arguments: { server_name: 'disk', tool_name: 'run' } });
    expect(result).toMatchObject({
      isError: true,
      content: [{ text: expect.stringContaining('this client cannot ask for it') }],
    });
    await client.close();
    await endpoint.close();
    await proxy.close();
  });
});
