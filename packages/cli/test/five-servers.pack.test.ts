import { verifies } from '@a2c/requirements';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { expect, onTestFinished } from 'vitest';
import { BINARY, Workplace } from './a2c.js';

/** As people write it: each server is a package that npx fetches. */
const npx = (name: string, ...args: string[]) => ({ command: 'npx', args: ['-y', name, ...args] });

/** One call per server whose answer proves that the server itself was there. */
const CALLS: readonly (readonly [server: string, tool: string, args: object, answer: RegExp])[] = [
  ['everything', 'get-sum', { a: 1, b: 2 }, /sum of 1 and 2 is 3/],
  ['files', 'list_allowed_directories', {}, /Allowed directories/],
  ['memory', 'create_entities', { entities: [{ name: 'a2c', entityType: 'tool', observations: ['works'] }] }, /works/],
  [
    'thinking',
    'sequentialthinking',
    { thought: 'on', nextThoughtNeeded: false, thoughtNumber: 1, totalThoughts: 1 },
    /thoughtHistoryLength/,
  ],
  // Without arguments it answers by itself, without the network.
  ['docs', 'resolve-library-id', {}, /libraryName/],
];

verifies(
  ['MCPX-CLI-01', 'MCPX-CONTEXT-01'],
  'five servers from the registry, one command, two tools, and all of it can be used',
  async () => {
    const place = new Workplace({
      'claude_desktop_config.json': {
        mcpServers: {
          everything: npx('@modelcontextprotocol/server-everything@2026.8.31'),
          files: npx('@modelcontextprotocol/server-filesystem@2026.8.31', '.'),
          memory: npx('@modelcontextprotocol/server-memory@2026.8.31'),
          thinking: npx('@modelcontextprotocol/server-sequential-thinking@2026.8.31'),
          docs: npx('@upstash/context7-mcp@4.1.1'),
        },
      },
    });
    const transport = new StdioClientTransport({
      command: process.execPath,
      args: [BINARY, 'proxy', '--config', 'claude_desktop_config.json'],
      cwd: place.folder,
      env: {
        ...(process.env as Record<string, string>),
        A2C_HOME: place.home,
        MEMORY_FILE_PATH: `${place.folder}/memory.json`,
      },
      stderr: 'pipe',
    });
    const client = new Client({ name: 'desktop', version: '1' });
    onTestFinished(() => client.close());
    await client.connect(transport);
    expect((await client.listTools()).tools.map(({ name }) => name)).toEqual(['inspect', 'exec']);
    for (const [server_name, tool_name, args, answer] of CALLS) {
      // The first may have to wait for a download, and is told so as a person would be: by trying again.
      await expect
        .poll(
          async () => {
            const called = { name: 'exec', arguments: { server_name, tool_name, arguments: args } };
            const { content } = await client.callTool(called, { timeout: 60_000 });
            return JSON.stringify(content);
          },
          { timeout: 120_000, interval: 500 },
        )
        .toMatch(answer);
    }
  },
  { timeout: 300_000 },
);
