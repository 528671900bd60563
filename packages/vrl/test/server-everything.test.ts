import { join } from 'node:path';
import { verifies } from '@a2c/requirements';
import { compile } from '@a2c/vrl';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { describe, expect, inject } from 'vitest';

const SERVER = join(inject('commands'), 'everything.js');

describe('the official server-everything', () => {
  verifies('VRL-MCP-01', 'the result of a tool is transformed', async () => {
    const program = compile(`
      text = string!(.content[0].text)
      . = {
        "tool": .tool_name,
        "failed": bool(.isError) ?? false,
        "numbers": map_values(parse_regex_all!(text, r'(?P<n>\\d+)')) -> |match| { to_int!(match.n) },
        "text": text
      }`);
    const client = new Client({ name: 'a2c-test', version: '1' });
    await client.connect(
      new StdioClientTransport({ command: process.execPath, args: [SERVER, 'stdio'], stderr: 'ignore' }),
    );
    try {
      const parameters = { a: 20, b: 22 };
      const result = await client.callTool({ name: 'get-sum', arguments: parameters });
      const { processedEvent } = program.run({ ...result, tool_name: 'get-sum', parameters });
      expect(processedEvent).toEqual({
        tool: 'get-sum',
        failed: false,
        numbers: [20, 22, 42],
        text: 'The sum of 20 and 22 is 42.',
      });
    } finally {
      await client.close();
    }
  });
});
