// An MCP server over stdio, without dependencies: it starts at once, and a test starts dozens of it.
import { writeFileSync } from 'node:fs';
import { createInterface } from 'node:readline';

const object = (properties = {}) => ({ type: 'object', properties, required: Object.keys(properties) });
const TOOLS = {
  add: object({ a: { type: 'integer' }, b: { type: 'integer' } }),
  fail: object(),
  picture: object({ size: { type: 'integer' } }),
  long_text: object({ size: { type: 'integer' } }),
  slow: object({ started: { type: 'string' } }),
  /** Changes the list of tools, or a window. */
  change: object({ what: { enum: ['tools', 'desktop'] } }),
};
const PAGES = {
  first: [
    { uri: 'window://tools/low?priority=10', name: 'low', mimeType: 'text/plain', annotations: { priority: 0.1 } },
    { uri: 'file:///notes.txt', name: 'notes', mimeType: 'text/plain' },
  ],
  second: [
    { uri: 'window://tools/high?priority=90', name: 'high', mimeType: 'text/plain', annotations: { priority: 0.9 } },
  ],
};
const running = new Map();

const send = (message) => process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
const text = (value, isError = false) => ({ content: [{ type: 'text', text: value }], isError });

function call(id, { name, arguments: args = {} }) {
  if (name === 'add') return text(String(args.a + args.b));
  if (name === 'fail') return text('it failed', true);
  if (name === 'long_text') return text('t'.repeat(args.size));
  if (name === 'picture') {
    const data = Buffer.alloc(args.size, 'x').toString('base64');
    return { content: [{ type: 'image', data, mimeType: 'image/png' }], isError: false };
  }
  if (name === 'slow') {
    running.set(id, args.started);
    writeFileSync(args.started, 'started');
    return undefined;
  }
  if (name === 'change' && args.what === 'tools') {
    TOOLS.added = object();
    send({ method: 'notifications/tools/list_changed' });
  }
  if (name === 'change' && args.what === 'desktop') {
    send({ method: 'notifications/resources/updated', params: { uri: PAGES.first[0].uri } });
  }
  return text('done');
}

const METHODS = {
  initialize: (_id, { protocolVersion }) => ({
    protocolVersion,
    capabilities: { tools: { listChanged: true }, resources: { subscribe: true } },
    serverInfo: { name: 'tools', version: '1' },
  }),
  ping: () => ({}),
  'tools/list': () => ({
    tools: Object.entries(TOOLS).map(([name, inputSchema]) => ({ name, description: name, inputSchema })),
  }),
  'tools/call': call,
  'resources/list': (_id, { cursor } = {}) =>
    cursor === 'second' ? { resources: PAGES.second } : { resources: PAGES.first, nextCursor: 'second' },
  'resources/templates/list': () => ({ resourceTemplates: [] }),
  'resources/read': (_id, { uri }) => ({ contents: [{ uri, mimeType: 'text/plain', text: `this is ${uri}` }] }),
  'resources/subscribe': () => ({}),
  'resources/unsubscribe': () => ({}),
};

createInterface(process.stdin).on('line', (line) => {
  const { id, method, params } = JSON.parse(line);
  if (method === 'notifications/cancelled' && running.has(params.requestId)) {
    writeFileSync(running.get(params.requestId), 'cancelled');
    running.delete(params.requestId);
  }
  if (id === undefined || method === undefined) return;
  const handler = METHODS[method];
  if (!handler) return send({ id, error: { code: -32601, message: `no method ${method}` } });
  const result = handler(id, params);
  if (result !== undefined) send({ id, result });
});
