// A server of the newer generation only (2026-07-28), with what is special there:
//   open_window {uri, body}   shows a window or changes it, and notifies its subscribers
//   add_tool {name}           adds a tool, and notifies subscribers
//   route {region}            a parameter that must also come as a header
//   confirm {}                asks the person, with an `input_required` result
//   node modern.mjs stdio | http     http prints `ready <url>` and lives until stdin closes
import { createServer } from 'node:http';
import { toNodeHandler } from '@modelcontextprotocol/node';
import { createMcpHandler, fromJsonSchema, inputRequired, McpServer } from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';

const windows = new Map();
const extra = new Set();
let changed = {};

const text = (value) => ({ content: [{ type: 'text', text: value }] });
const string = { type: 'string' };
const object = (properties = {}) => fromJsonSchema({ type: 'object', properties, required: Object.keys(properties) });

function factory() {
  const server = new McpServer(
    { name: 'modern', version: '1.0.0' },
    { capabilities: { tools: { listChanged: true }, resources: { subscribe: true, listChanged: true } } },
  );
  const tool = (name, properties, run) =>
    server.registerTool(name, { description: name, inputSchema: object(properties) }, run);
  tool('open_window', { uri: string, body: string }, ({ uri, body }) => {
    const isNew = !windows.has(uri);
    windows.set(uri, body);
    if (isNew) changed.resources?.(server);
    else changed.resource?.(uri, server);
    return text('open');
  });
  tool('add_tool', { name: string }, ({ name }) => {
    extra.add(name);
    changed.tools?.(server);
    return text('added');
  });
  tool('route', { region: { ...string, 'x-mcp-header': 'Region' } }, ({ region }) => text(region));
  tool('confirm', {}, (_args, { mcpReq }) => {
    const answer = mcpReq.inputResponses?.sure;
    if (answer) return text(JSON.stringify(answer));
    return inputRequired({
      inputRequests: {
        sure: inputRequired.elicit({
          message: 'Sure?',
          requestedSchema: { type: 'object', properties: { yes: string } },
        }),
      },
    });
  });
  for (const name of extra) tool(name, {}, () => text(`I am ${name}`));
  for (const [uri, body] of windows) {
    server.registerResource(uri, uri, {}, () => ({ contents: [{ uri, text: body }] }));
  }
  return server;
}

if (process.argv[2] === 'stdio') {
  const handle = serveStdio(factory);
  process.stdin.on('end', () => handle.close().then(() => process.exit(0)));
} else {
  const handler = createMcpHandler(factory, { legacy: 'reject' });
  changed = {
    tools: () => handler.notify.toolsChanged(),
    resources: () => handler.notify.resourcesChanged(),
    resource: (uri) => handler.notify.resourceUpdated(uri),
  };
  const listener = createServer(toNodeHandler(handler));
  listener.listen(0, '127.0.0.1', () => console.log(`ready http://127.0.0.1:${listener.address().port}/mcp`));
  process.stdin.on('end', () => process.exit(0)).resume();
}
