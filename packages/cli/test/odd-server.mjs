// A server of MCP 2025 whose notifications have wrong fields: over stdio, or over HTTP in JSON batches (`http`).
import { createServer } from 'node:http';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';

const DEEP = `${'['.repeat(20_000)}${']'.repeat(20_000)}`;
const NO_TEXT = '{"toString":1,"valueOf":1}';
const VALUES = ['null', '5', '"x"', '[]', NO_TEXT, `[${NO_TEXT}]`, DEEP];
const FIELDS = {
  'notifications/progress': ['progressToken', 'progress', 'total', 'message'],
  'notifications/message': ['level', 'logger', 'data'],
  'notifications/elicitation/complete': ['elicitationId'],
  'notifications/tasks/status': ['taskId', 'status', 'statusMessage'],
  'notifications/resources/updated': ['uri', '_meta'],
  'notifications/cancelled': ['requestId', 'reason'],
};
const RIGHT = {
  progress: '1',
  message: '"m"',
  level: '"info"',
  data: '"d"',
  taskId: '"1"',
  status: '"working"',
  uri: '"a:b"',
};

/** Every notification with a wrong value, or none, in every field. */
function notifications(token) {
  const right = { ...RIGHT, progressToken: JSON.stringify(token) };
  return Object.entries(FIELDS).flatMap(([method, fields]) =>
    fields.flatMap((wrong) =>
      [undefined, ...VALUES].map((value) => {
        const all = fields.map((field) => [field, field === wrong ? value : right[field]]);
        const params = all.flatMap(([field, json]) => (json === undefined ? [] : [`"${field}":${json}`]));
        return `{"jsonrpc":"2.0","method":"${method}","params":{${params.join(',')}}}`;
      }),
    ),
  );
}

function answer({ id, method, params }) {
  const tools = [{ name: `odd_${process.argv[2] ?? 'stdio'}`, inputSchema: { type: 'object' } }];
  const capabilities = { tools: {}, logging: {}, resources: {} };
  const initialized = {
    protocolVersion: params?.protocolVersion,
    capabilities,
    serverInfo: { name: 'odd', version: '1' },
  };
  const result = {
    initialize: initialized,
    'tools/list': { tools },
    'tools/call': { content: [{ type: 'text', text: 'ran' }] },
  };
  const error = { code: -32_601, message: 'unknown' };
  return JSON.stringify({ jsonrpc: '2.0', id, ...(result[method] ? { result: result[method] } : { error }) });
}

function messages(line) {
  const request = JSON.parse(line);
  if (request.id === undefined || request.method === undefined) return [];
  const odd = request.method.startsWith('tools/') ? notifications(request.params?._meta?.progressToken) : [];
  return [...odd, answer(request)];
}

if (process.argv[2] === 'http') {
  const http = createServer(async (request, response) => {
    const answers = request.method === 'POST' ? messages(await text(request)) : [];
    if (answers.length === 0) return response.writeHead(request.method === 'POST' ? 202 : 405).end();
    response.writeHead(200, { 'content-type': 'application/json' });
    // A batch may have 100 messages.
    response.end(answers.length === 1 ? answers[0] : `[${[...answers.slice(0, 99), answers.at(-1)].join(',')}]`);
  });
  http.listen(0, '127.0.0.1', () => console.log(http.address().port));
} else {
  createInterface({ input: process.stdin }).on('line', (line) => {
    for (const message of messages(line)) console.log(message);
  });
}
