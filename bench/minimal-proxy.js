// The minimal MCP proxy: the SDK's client and server, and one tool that passes a call on.
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { Server } from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';

const client = new Client({ name: 'minimal', version: '1' }, { versionNegotiation: { mode: 'legacy' } });
const args = process.argv.slice(2);
await client.connect(new StdioClientTransport({ command: process.execPath, args, stderr: 'ignore' }));
serveStdio(() => {
  const server = new Server({ name: 'minimal', version: '1' }, { capabilities: { tools: {} } });
  server.setRequestHandler('tools/list', () => client.listTools());
  server.setRequestHandler(
    'tools/call',
    (
      {
        params: {
          arguments: { tool_name: name, arguments: given },
        },
      },
      { mcpReq },
    ) => client.callTool({ name, arguments: given }, { signal: mcpReq.signal }),
  );
  return server;
});
process.stdin.on('end', () => client.close());
