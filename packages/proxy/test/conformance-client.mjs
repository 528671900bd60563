// The client under test for the client scenarios of the conformance suite: the shipped program in pass-through mode,
// driven by an SDK client. The suite appends the URL of its server.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';

const url = process.argv.at(-1);
const { toolCalls } = JSON.parse(process.env.MCP_CONFORMANCE_CONTEXT ?? '{}');
const home = mkdtempSync(join(tmpdir(), 'a2c-conformance-'));
const config = join(home, 'mcp.json');
writeFileSync(config, JSON.stringify({ mcpServers: { suite: { type: 'http', url } } }));

const isLegacy = process.env.MCP_CONFORMANCE_PROTOCOL_VERSION?.startsWith('2025') ?? false;
const client = new Client(
  { name: 'conformance', version: '1.0.0' },
  {
    capabilities: { elicitation: { form: { applyDefaults: true } } },
    versionNegotiation: { mode: isLegacy ? 'legacy' : { pin: '2026-07-28' } },
  },
);
client.setRequestHandler('elicitation/create', () => ({ action: 'accept', content: {} }));
await client.connect(
  new StdioClientTransport({
    command: process.execPath,
    args: [
      fileURLToPath(new URL('../../cli/bin/a2c.js', import.meta.url)),
      'proxy',
      '--pass-through',
      '--config',
      config,
    ],
    env: { ...process.env, A2C_HOME: home },
  }),
);
const { tools } = await client.listTools();
// One scenario wants a schema back as it arrived.
const schema = tools.find(({ name }) => name === 'json_schema_2020_12_tool')?.inputSchema;
const values = { a: 1, b: 2, ...(schema && { schema }) };
for (const call of toolCalls ?? tools.map(({ name }) => ({ name, arguments: values }))) {
  await client.callTool(call).catch((error) => console.error(`${call.name}: ${error.message}`));
}
await client.listResources();
await client.listPrompts();
await client.close();
rmSync(home, { recursive: true });
