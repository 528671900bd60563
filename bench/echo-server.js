// An MCP server of the SDK on stdio, for clients of both generations: one tool that repeats a message.
import { Server } from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';

const echo = {
  name: 'echo',
  description: 'Repeats a message.',
  inputSchema: { type: 'object', properties: { message: { type: 'string' } }, required: ['message'] },
};

serveStdio(() => {
  const server = new Server({ name: 'echo', version: '1' }, { capabilities: { tools: {} } });
  server.setRequestHandler('tools/list', () => ({ tools: [echo] }));
  server.setRequestHandler('tools/call', ({ params }) => ({
    content: [{ type: 'text', text: `Echo: ${params.arguments.message}` }],
  }));
  return server;
});
