// An MCP server of the older generation that has only tools, on stdio. Without the SDK it starts in a quarter of the
// time.
import { stdin, stdout } from 'node:process';

/**
 * Serves tools by name: definitions with `run(args, signal)`. The signal is aborted when the call is cancelled. The
 * object may change; `changed()` notifies of it.
 */
export function serveTools(name, tools) {
  const running = new Map();
  const send = (message) => stdout.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
  const answers = {
    initialize: ({ protocolVersion }) => ({
      protocolVersion,
      capabilities: { tools: { listChanged: true } },
      serverInfo: { name, version: '1.0.0' },
    }),
    ping: () => ({}),
    'tools/list': () => ({
      tools: Object.entries(tools).map(([tool, { run: _, ...definition }]) => ({
        inputSchema: { type: 'object' },
        ...definition,
        name: tool,
      })),
    }),
    'tools/call': ({ name: tool, arguments: args = {} }, signal) => tools[tool].run(args, signal),
  };

  async function receive({ id, method, params = {} }) {
    if (method === 'notifications/cancelled') running.get(params.requestId)?.abort();
    if (id === undefined) return;
    const controller = new AbortController();
    running.set(id, controller);
    try {
      if (!Object.hasOwn(answers, method)) throw { code: -32601, message: 'Method not found' };
      const result = await answers[method](params, controller.signal);
      if (!controller.signal.aborted) send({ id, result });
    } catch ({ code = -32603, message }) {
      send({ id, error: { code, message } });
    } finally {
      running.delete(id);
    }
  }

  let unread = '';
  stdin.setEncoding('utf8').on('data', (chunk) => {
    const lines = (unread + chunk).split('\n');
    unread = lines.pop();
    for (const line of lines) void receive(JSON.parse(line));
  });
  return { changed: () => send({ method: 'notifications/tools/list_changed' }) };
}
