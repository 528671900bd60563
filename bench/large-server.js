// An MCP server for the suite `large`: the tool `large` returns as much text as it is asked for. On stdio; or on HTTP
// with the argument `http`, with answers as JSON at /json, as events at /sse.
import { createServer } from 'node:http';

const bytes = { type: 'integer', description: 'The size of the text.' };
const TOOLS = [
  {
    name: 'large',
    description: 'Returns text.',
    inputSchema: { type: 'object', properties: { bytes }, required: ['bytes'] },
  },
];
const LINE = 'const total = orders.filter(({ paid }) => paid).reduce((sum, { price }) => sum + price, 0);\n';

const answers = {
  initialize: ({ protocolVersion }) => ({
    protocolVersion,
    capabilities: { tools: {} },
    serverInfo: { name: 'raw', version: '1' },
  }),
  'tools/list': () => ({ tools: TOOLS }),
  ping: () => ({}),
};

const stored = new Map();
/** Each result is made once, so that the server costs little. */
function large(size) {
  if (!stored.has(size)) {
    const text = LINE.repeat(Math.ceil(size / LINE.length)).slice(0, size);
    stored.set(size, Buffer.from(JSON.stringify({ content: [{ type: 'text', text }] })));
  }
  return stored.get(size);
}

/** The parts of the answer; none for a notification. */
function answer({ id, method, params = {} }) {
  if (id === undefined) return [];
  const head = `{"jsonrpc":"2.0","id":${JSON.stringify(id)},`;
  if (method === 'tools/call') return [Buffer.from(`${head}"result":`), large(params.arguments.bytes), CLOSE];
  const known = answers[method]?.(params);
  const body = known ? `"result":${JSON.stringify(known)}}` : `"error":{"code":-32601,"message":"unknown method"}}`;
  return [Buffer.from(head + body)];
}

const CLOSE = Buffer.from('}');

function onStdio() {
  let rest = '';
  process.stdin.setEncoding('utf8').on('data', (chunk) => {
    const lines = (rest + chunk).split('\n');
    rest = lines.pop();
    for (const line of lines) write(process.stdout, answer(JSON.parse(line)), '', '\n');
  });
}

function write(output, parts, before, after) {
  if (parts.length > 0) output.write(Buffer.concat([Buffer.from(before), ...parts, Buffer.from(after)]));
}

function onHttp() {
  const server = createServer(async (request, response) => {
    const body = await request.setEncoding('utf8').toArray();
    if (request.method !== 'POST') return response.writeHead(request.method === 'DELETE' ? 200 : 405).end();
    const parts = answer(JSON.parse(body.join('')));
    if (parts.length === 0) return response.writeHead(202).end();
    const isStream = request.url === '/sse';
    response.writeHead(200, { 'content-type': isStream ? 'text/event-stream' : 'application/json' });
    write(response, parts, isStream ? 'event: message\ndata: ' : '', isStream ? '\n\n' : '');
    response.end();
  });
  server.listen(0, '127.0.0.1', () => console.log(`ready http://127.0.0.1:${server.address().port}`));
}

if (process.argv[2] === 'http') onHttp();
else onStdio();
