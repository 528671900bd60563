// Lists and calls everything with the MCP client of the AI SDK: `ai-sdk.mjs PACKAGES CONFIG`. Prints what it saw.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

const [, , packages, config] = process.argv;
const require = createRequire(join(packages, 'package.json'));
const { createMCPClient } = await import(pathToFileURL(require.resolve('@ai-sdk/mcp')));
const { Experimental_StdioMCPTransport: Stdio } = await import(pathToFileURL(require.resolve('@ai-sdk/mcp/mcp-stdio')));

async function view({ url, headers, ...program }) {
  const client = await createMCPClient({ transport: url ? { type: 'http', url, headers } : new Stdio(program) });
  try {
    const tools = await client.tools();
    const { resources } = await client.listResources();
    const { prompts } = await client.experimental_listPrompts();
    const called = await tools.echo.execute({ message: 'hello' }, { toolCallId: '1', messages: [] });
    return {
      tools: Object.keys(tools).sort(),
      resources: resources.map(({ uri }) => uri).sort(),
      prompts: prompts.map(({ name }) => name).sort(),
      call: called.content[0].text,
    };
  } finally {
    await client.close();
  }
}

const servers = Object.entries(JSON.parse(readFileSync(config, 'utf8')).mcpServers);
const views = await Promise.all(servers.map(async ([name, server]) => ['@ai-sdk/mcp', name, await view(server)]));
console.log(JSON.stringify(views));
