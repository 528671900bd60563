// A stdio MCP server whose answers and tool schemas are mutated: SEED COUNT
// COUNT is a file to which it writes how many mutated messages it has sent.
import { writeFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { mutate } from '../fuzz/mutate.js';
import { Random } from '../random.js';

const [, , seed = '1', countFile = ''] = process.argv;
// A server that is started again goes on with other mutations.
const random = new Random(Number(seed) ^ process.pid);
let count = 0;

const SCHEMA = {
  type: 'object',
  properties: {
    name: { type: 'string', pattern: '^[a-z]{1,20}$', description: 'A name' },
    size: { type: 'integer', minimum: 0, maximum: 10, default: 3 },
    kind: { anyOf: [{ const: 'a' }, { enum: ['b', 'c'] }, { $ref: '#/$defs/kind' }] },
    tags: { type: 'array', items: { type: 'object', properties: { tag: { type: 'string', format: 'uri' } } } },
  },
  required: ['name'],
  $defs: { kind: { type: 'object', additionalProperties: { $ref: '#/$defs/kind' } } },
};
const TOOLS = ['one', 'two', 'three'].map((name) => ({
  name,
  description: `Does ${name}`,
  inputSchema: SCHEMA,
  outputSchema: { type: 'object', properties: { done: { type: 'boolean' } } },
  annotations: { readOnlyHint: true },
}));
const RESULT = {
  content: [
    { type: 'text', text: 'done' },
    { type: 'image', data: 'aGVsbG8=', mimeType: 'image/png' },
    { type: 'resource', resource: { uri: 'file:///x', text: 'y', mimeType: 'text/plain' } },
  ],
  structuredContent: { done: true },
  isError: false,
};
const NOTIFICATIONS = [
  { jsonrpc: '2.0', method: 'notifications/message', params: { level: 'info', logger: 'x', data: { a: 1 } } },
  { jsonrpc: '2.0', method: 'notifications/progress', params: { progressToken: 1, progress: 0.5, total: 1 } },
  { jsonrpc: '2.0', method: 'notifications/elicitation/complete', params: { elicitationId: 'x' } },
  { jsonrpc: '2.0', method: 'notifications/tasks/status', params: { taskId: 'x', status: 'working' } },
  { jsonrpc: '2.0', method: 'notifications/resources/updated', params: { uri: 'window://a' } },
  { jsonrpc: '2.0', id: 'own', method: 'sampling/createMessage', params: { messages: [], maxTokens: 5 } },
  { jsonrpc: '2.0', id: 'own2', method: 'roots/list' },
].map((message) => JSON.stringify(message));

const ANSWERS: Readonly<Record<string, object>> = {
  'tools/list': { tools: TOOLS, nextCursor: undefined },
  'tools/call': RESULT,
  'resources/list': { resources: [{ uri: 'window://a', name: 'a' }] },
  'resources/templates/list': { resourceTemplates: [{ uriTemplate: 'x://{id}', name: 't' }] },
  'prompts/list': { prompts: [{ name: 'p', arguments: [{ name: 'x', required: true }] }] },
};
const OTHERS = [
  ...NOTIFICATIONS,
  ...Object.values(ANSWERS).map((result) => JSON.stringify({ jsonrpc: '2.0', id: 1, result })),
];

function send(line: string): void {
  process.stdout.write(`${line}\n`);
}

function sendMutated(message: object | string): void {
  const text = typeof message === 'string' ? message : JSON.stringify(message);
  // A line break would make two messages of one.
  send(mutate(text, random, OTHERS).replace(/[\r\n]/g, ' '));
  count++;
  if (count % 20 === 0) writeFileSync(countFile, String(count), { flag: 'w' });
}

createInterface({ input: process.stdin })
  .on('line', (line) => {
    const { id, method, params } = JSON.parse(line);
    if (id === undefined || method === undefined) return;
    if (method === 'initialize') {
      const capabilities = { tools: { listChanged: true }, resources: {}, prompts: {}, logging: {} };
      const serverInfo = { name: 'hostile', version: '1' };
      send(
        JSON.stringify({
          jsonrpc: '2.0',
          id,
          result: { protocolVersion: params.protocolVersion, capabilities, serverInfo },
        }),
      );
      return;
    }
    if (random.next() < 0.3) sendMutated(random.pick(NOTIFICATIONS));
    sendMutated({ jsonrpc: '2.0', id, result: ANSWERS[method] ?? {} });
    // A message that was mutated beyond recognition leaves the request unanswered.
    send(JSON.stringify({ jsonrpc: '2.0', id, result: ANSWERS[method] ?? {} }));
    if (method === 'tools/call') send('{"jsonrpc":"2.0","method":"notifications/tools/list_changed"}');
  })
  .on('close', () => process.exit(0));
