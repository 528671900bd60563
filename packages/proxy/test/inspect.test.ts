import { McpProxy, type ProxyOptions, type ToolboxServer } from '@a2c/proxy';
import { verifies } from '@a2c/requirements';
import { describe, expect } from 'vitest';
import { corpus } from './corpus.js';
import { MemoryToolbox } from './memory-toolbox.js';

const READ = {
  name: 'read_file',
  title: 'Read file',
  description: 'Read the complete contents of a file.\nBinary files are refused.',
  inputSchema: {
    type: 'object',
    properties: { path: { type: 'string', description: 'Where it is' }, head: { type: 'integer', minimum: 1 } },
    required: ['path'],
  },
  outputSchema: { type: 'object', properties: { content: { type: 'string' } }, required: ['content'] },
  annotations: { readOnlyHint: true },
};

const FILES: ToolboxServer = {
  name: 'files',
  state: 'ready',
  instructions: 'Paths are absolute.',
  tools: [READ, { name: 'list', inputSchema: { type: 'object', properties: {} } }],
};

const WEATHER: ToolboxServer = {
  name: 'weather',
  state: 'ready',
  tools: [
    {
      name: 'getForecast',
      description: 'Tells whether it will rain',
      inputSchema: { type: 'object', properties: { latitude: { type: 'number' }, longitude: { type: 'number' } } },
    },
  ],
};

function inspect(args: Record<string, unknown>, options: Partial<ProxyOptions> = {}, servers = [FILES, WEATHER]) {
  const { content, structuredContent, isError } = new McpProxy(new MemoryToolbox(servers), options).inspector.run(args);
  return {
    text: content.map(({ text }) => text).join('\n'),
    data: structuredContent as {
      tools: { name: string; input_schema: unknown }[];
      servers: unknown[];
      next_cursor?: string;
    },
    isError,
  };
}

describe('inspect', () => {
  verifies('MCPX-INSPECT-01', 'of a server shows all of its tools', () => {
    const { text, isError } = inspect({ server_name: 'files' });
    expect(text).toBe(`files: 2 tools
Paths are absolute.
name {arguments}: description
- read_file {path: string,head?: number}: Read the complete contents of a file. Binary files are refused.
- list {}`);
    expect(isError).toBeUndefined();
  });

  verifies('MCPX-INSPECT-02', 'of a tool shows everything about it', () => {
    expect(inspect({ server_name: 'files', tool_name: 'read_file' }).text).toBe(`read_file - Read file
Read the complete contents of a file.
Binary files are refused.
Arguments: {path: string /* Where it is */,head?: number /* integer, >= 1 */}
Returns: {content: string}
Hints: read-only`);
  });

  verifies('MCPX-INSPECT-03', 'gives programs the original, and leaves it out where it is not wanted', () => {
    expect(inspect({ server_name: 'files' }).data.tools[0]).toEqual({
      server_name: 'files',
      name: 'read_file',
      title: 'Read file',
      description: READ.description,
      input_schema: READ.inputSchema,
      output_schema: READ.outputSchema,
      annotations: READ.annotations,
    });
    expect(inspect({ server_name: 'files' }, { structuredContent: false }).data).toBeUndefined();
  });

  verifies('MCPX-SCHEMA-01', 'shows the schemas themselves when that is wanted', () => {
    const { text } = inspect({ server_name: 'files' }, { schemaCompression: false });
    expect(text).toContain(`- read_file ${JSON.stringify(READ.inputSchema)}: Read`);
    expect(inspect({ server_name: 'files' }).text).toContain('- read_file {path: string,head?: number}: Read');
  });

  verifies('MCPX-SCHEMA-04', 'cuts what parameters say at the configured length', () => {
    const { text } = inspect({ server_name: 'files', tool_name: 'read_file' }, { maxDescriptionLength: 8 });
    expect(text).toContain('/* Where... */');
  });

  verifies('MCPX-INSPECT-04', 'searches names, descriptions and parameters of all servers', () => {
    expect(inspect({ server_name: '*', query: 'reading files' }).text).toBe(`Best matches for "reading files"
name {arguments}: description
- read_file (server files) {path: string,head?: number}: Read the complete contents of a file. Binary files are refused.
- list (server files) {}`);
    expect(inspect({ query: 'forecast' }).data.tools.map(({ name }) => name)).toEqual(['getForecast']);
    expect(inspect({ query: 'latitude' }).data.tools.map(({ name }) => name)).toEqual(['getForecast']);
    expect(inspect({ server_name: 'weather', query: 'file' }).text).toBe('No tool matches "file".');
  });

  verifies(
    'MCPX-INSPECT-04',
    'finds the right tool among hundreds',
    () => {
      const many = Array.from({ length: 300 }, (_, index) => ({
        name: `noise_${index}`,
        description: 'Creates an item in a list',
        inputSchema: {},
      }));
      const servers = [...corpus(), FILES, { name: 'noise', state: 'ready' as const, tools: many }];
      const first = inspect({ server_name: '*', query: 'complete contents of a file' }, {}, servers).data.tools.map(
        ({ name }) => name,
      );
      expect(first.slice(0, 3)).toContain('read_file');
    },
    { timeout: 60_000 },
  );

  verifies('MCPX-INSPECT-05', 'tells as much as is asked for', () => {
    expect(inspect({ server_name: 'files', detail: 'names' }).text).toBe(
      'files: 2 tools\nPaths are absolute.\nread_file\nlist',
    );
    expect(inspect({ server_name: 'files', detail: 'full' }).text).toContain('Hints: read-only\n\nlist\nArguments: {}');
    expect(inspect({ server_name: 'files', tool_name: 'list', detail: 'signature' }).text).toBe('- list {}');
    expect(inspect({ server_name: 'files', detail: 'all' })).toMatchObject({
      isError: true,
      text: 'Invalid arguments for inspect: detail: expected one of names, signature, full',
    });
  });

  verifies('MCPX-INSPECT-06', 'leads through a long list, each tool once', () => {
    const tools = Array.from({ length: 97 }, (_, index) => ({
      name: `tool_${index}`,
      description: 'x '.repeat(50),
      inputSchema: {},
    }));
    const servers: ToolboxServer[] = [{ name: 'long', state: 'ready', tools }];
    const seen: string[] = [];
    let cursor: string | undefined;
    do {
      const { data, text } = inspect(
        { server_name: 'long', ...(cursor && { cursor }) },
        { pageTokens: 1_000 },
        servers,
      );
      expect(text.length).toBeLessThan(6_000);
      seen.push(...data.tools.map(({ name }) => name));
      cursor = data.next_cursor;
      if (cursor) expect(text).toContain(`"cursor": "${cursor}"]`);
    } while (cursor);
    expect(seen).toEqual(tools.map(({ name }) => name));
    expect(inspect({ server_name: 'long', cursor: 'list:x' }).isError).toBe(true);
  });

  verifies('MCPX-INSPECT-06', 'of everything lists the servers', () => {
    const { text, data } = inspect({ server_name: '*' });
    expect(text).toBe('Server: files - 2 tools\nServer: weather - 1 tool');
    expect(data.servers).toEqual([
      { name: 'files', state: 'ready', instructions: 'Paths are absolute.', tool_count: 2 },
      { name: 'weather', state: 'ready', tool_count: 1 },
    ]);
  });
});
