import { McpProxy, ToolboxError, type ToolboxServer } from '@a2c/proxy';
import { verifies } from '@a2c/requirements';
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
  const { result, raw } = await new McpProxy(toolbox(fail)).executor.execute(server, tool, {});
  expect(result.isError).toBe(true);
  expect(raw).toBeUndefined();
  return result.content[0]?.text as string;
}

describe('errors a model can mend', () => {
  verifies(['MCPX-ERROR-01', 'MCPX-ERROR-06'], 'a server that does not exist', async () => {
    expect(await exec('FileSystem', 'x')).toBe(
      'There is no server "FileSystem". Did you mean "filesystem"?\nServers: broken (failed: spawn nix ENOENT), filesystem, github',
    );
    expect(await exec('zzz', 'x')).toBe(
      'There is no server "zzz".\nServers: broken (failed: spawn nix ENOENT), filesystem, github',
    );
    const inspected = new McpProxy(toolbox()).inspector.run({ server_name: 'git-hub' });
    expect(inspected).toMatchObject({
      isError: true,
      content: [{ text: expect.stringContaining('Did you mean "github"?') }],
    });
  });

  verifies(['MCPX-ERROR-02', 'MCPX-ERROR-06'], 'a tool that does not exist', async () => {
    expect(await exec('filesystem', 'read_file')).toBe(
      'Server "filesystem" has no tool "read_file". Did you mean "read_text_file"?\n' +
        'It has 2 tools: read_text_file, write_file',
    );
    expect(await exec('filesystem', 'search')).toBe(
      'Server "filesystem" has no tool "search".\n"search" is a tool of: github\nIt has 2 tools: read_text_file, write_file',
    );
    const inspected = new McpProxy(toolbox()).inspector.run({ server_name: 'github', tool_name: 'serch' });
    expect(inspected).toMatchObject({
      isError: true,
      content: [{ text: expect.stringContaining('Did you mean "search"?') }],
    });
  });

  verifies('MCPX-ERROR-03', 'arguments that do not fit', async () => {
    const problems = [{ at: 'path', problem: 'expected string, got number' }];
    expect(await exec('filesystem', 'read_text_file', new ToolboxError('invalid-arguments', 'bad', { problems }))).toBe(
      'Invalid arguments for read_text_file:\n- path: expected string, got number\nExpected: read_text_file {path: string}',
    );
    const many = Array.from({ length: 9 }, (_, index) => ({ at: `a.${index}`, problem: 'wrong' }));
    const told = await exec(
      'filesystem',
      'write_file',
      new ToolboxError('invalid-arguments', 'bad', { problems: many }),
    );
    expect(told).toContain('- a.4: wrong\n- and 4 more\nExpected: write_file');
    expect(await exec('filesystem', 'write_file', new ToolboxError('invalid-arguments', 'no good'))).toContain(
      'Invalid arguments for write_file: no good\n',
    );
  });

  verifies('MCPX-ERROR-04', 'a server that is not there', async () => {
    expect(await exec('broken', 'anything')).toBe('Server "broken" is not available: failed: spawn nix ENOENT');
    const inspected = new McpProxy(toolbox()).inspector.run({ server_name: 'broken' });
    expect(inspected).toMatchObject({
      isError: true,
      content: [{ text: expect.stringContaining('spawn nix ENOENT') }],
    });
    expect(await exec('github', 'search', new ToolboxError('unavailable', 'restarting, third attempt'))).toContain(
      'Server "github" is not available: restarting, third attempt',
    );
  });

  verifies('MCPX-ERROR-05', 'the words of the server itself', async () => {
    expect(await exec('github', 'search', new ToolboxError('failed', 'API rate limit exceeded'))).toBe(
      'API rate limit exceeded',
    );
    expect(await exec('github', 'search', new Error('boom'))).toBe('boom');
    const answering = toolbox();
    const answer = { content: [{ type: 'text', text: 'no such repository' }], isError: true };
    answering.answer = () => answer;
    expect((await new McpProxy(answering).executor.execute('github', 'search')).result).toEqual(answer);
  });
});
