// The tools that `sdk.mjs` serves, on every transport and in both generations of the protocol:
//   echo {text}      the text again
//   environment {}   the names and values of the process's environment, as JSON
//   big {bytes}      a text of that many bytes
//   wait {}          never answers; cancelling it is counted
//   cancelled {}     how many waits have been cancelled so far
//   notify {}        sends a log message ("hello") and a list change, then answers
//   progress {}      reports progress 1, 2 and 3 of 3, then answers
//   die {}           ends the process without an answer
import { fromJsonSchema, McpServer } from '@modelcontextprotocol/server';

let cancelled = 0;

const schemas = new Map();

/** Each schema is compiled once: there is a server for each request of MCP 2026. */
function object(properties = {}) {
  const key = JSON.stringify(properties);
  if (!schemas.has(key))
    schemas.set(key, fromJsonSchema({ type: 'object', properties, required: Object.keys(properties) }));
  return schemas.get(key);
}

const text = (value) => ({ content: [{ type: 'text', text: value }] });

export function createServer() {
  const server = new McpServer(
    { name: 'test', version: '1.0.0' },
    { capabilities: { logging: {}, tools: { listChanged: true } } },
  );
  const tool = (name, properties, run) =>
    server.registerTool(name, { description: name, inputSchema: object(properties) }, run);

  tool('echo', { text: { type: 'string' } }, (args) => text(args.text));
  tool('environment', {}, () => text(JSON.stringify(process.env)));
  tool('big', { bytes: { type: 'integer' } }, ({ bytes }) => text('x'.repeat(bytes)));
  tool('cancelled', {}, () => text(String(cancelled)));
  tool('die', {}, () => process.exit(3));
  tool('wait', {}, (_args, { mcpReq }) => {
    return new Promise((_resolve, reject) => {
      mcpReq.signal.addEventListener('abort', () => {
        cancelled += 1;
        reject(new Error('cancelled'));
      });
    });
  });
  tool('notify', {}, async (_args, { mcpReq }) => {
    await mcpReq.notify({ method: 'notifications/message', params: { level: 'info', data: 'hello' } });
    server.sendToolListChanged();
    return text('notified');
  });
  tool('progress', {}, async (_args, { mcpReq }) => {
    const progressToken = mcpReq._meta?.progressToken;
    for (const progress of [1, 2, 3]) {
      await mcpReq.notify({ method: 'notifications/progress', params: { progressToken, progress, total: 3 } });
    }
    return text('done');
  });
  return server;
}
