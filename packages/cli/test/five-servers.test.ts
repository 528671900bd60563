import { join } from 'node:path';
import { verifies } from '@a2c/requirements';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { expect, inject, onTestFinished } from 'vitest';
import { COMMAND, Workplace } from './a2c.js';

/** Starts what `npx -y @modelcontextprotocol/server-…` would start, from the installed package, without the network. */
const server = (name: string, ...args: string[]) => {
  return { command: process.execPath, args: [join(inject('commands'), `${name}.js`), ...args] };
};

interface Call {
  readonly tool: string;
  readonly arguments: Record<string, unknown>;
  /** A part of the expected answer. */
  readonly says: string;
}

/** One call to each server that only that server can answer. */
const CALLS: Readonly<Record<string, Call>> = {
  everything: { tool: 'get-sum', arguments: { a: 19, b: 23 }, says: 'The sum of 19 and 23 is 42.' },
  filesystem: { tool: 'list_directory', arguments: { path: '.' }, says: '[FILE] note.txt' },
  memory: {
    tool: 'create_entities',
    arguments: { entities: [{ name: 'Ada', entityType: 'person', observations: ['wrote the first program'] }] },
    says: 'wrote the first program',
  },
  thinking: {
    tool: 'sequentialthinking',
    arguments: { thought: 'One step.', thoughtNumber: 1, totalThoughts: 1, nextThoughtNeeded: false },
    says: 'thoughtHistoryLength',
  },
  debug: { tool: 'debug-tool', arguments: { contentType: 'text' }, says: 'Debug text content #3' },
};

verifies(
  'MCPX-CLI-06',
  'five real servers of a Claude Desktop file: each tool is found and called through inspect and exec',
  async () => {
    const place = new Workplace({ 'note.txt': 'remember' });
    place.write('claude_desktop_config.json', {
      mcpServers: {
        everything: server('everything'),
        filesystem: server('filesystem', place.folder),
        memory: { ...server('memory'), env: { MEMORY_FILE_PATH: place.path('memory.jsonl') } },
        thinking: server('sequential-thinking'),
        debug: server('debug', '--stdio'),
      },
    });
    const transport = new StdioClientTransport({
      command: process.execPath,
      args: [COMMAND, 'proxy', '--config', 'claude_desktop_config.json'],
      cwd: place.folder,
      env: { ...(process.env as Record<string, string>), A2C_HOME: place.home },
      stderr: 'ignore',
    });
    const client = new Client({ name: 'test', version: '1' });
    onTestFinished(() => client.close());
    await client.connect(transport);
    expect((await client.listTools()).tools.map(({ name }) => name)).toEqual(['inspect', 'exec']);

    const ask = async (name: string, args: Record<string, unknown>) => {
      const { content, isError } = await client.callTool({ name, arguments: args }, { timeout: 60_000 });
      return { isError: isError ?? false, text: JSON.stringify(content) };
    };
    // As a model does: list the servers, find a tool, read its arguments, call it.
    await Promise.all(
      Object.entries(CALLS).map(async ([server_name, { tool: tool_name, arguments: args, says }]) => {
        expect((await ask('inspect', { server_name })).text, server_name).toContain(`- ${tool_name}`);
        const signature = await ask('inspect', { server_name, tool_name });
        for (const parameter of Object.keys(args)) expect(signature.text, server_name).toContain(parameter);
        const answer = await ask('exec', { server_name, tool_name, arguments: args });
        expect(answer, server_name).toMatchObject({ isError: false });
        expect(answer.text, server_name).toContain(says);
      }),
    );
    const found = await ask('inspect', { server_name: '*', query: 'create entities in the knowledge graph' });
    expect(found.text).toContain('memory');
  },
);
