// An MCP server whose tools have costly and invalid schemas and results, for the tests of the console.
import { createInterface } from 'node:readline';

const DOUBLINGS = 26;
const chain = Object.fromEntries(
  Array.from({ length: DOUBLINGS }, (_, level) => {
    const next = { $ref: `#/$defs/L${level + 1}` };
    return [`L${level}`, { type: 'object', required: ['a', 'b'], properties: { a: next, b: next } }];
  }),
);
const node = { type: 'object', required: ['n'], properties: { n: { $ref: '#/$defs/N' } } };
const many = (count, value) => Object.fromEntries(Array.from({ length: count }, (_, at) => [`p${at}`, value]));

const SCHEMAS = {
  chain: { properties: { x: { $ref: '#/$defs/L0' } }, $defs: { ...chain, [`L${DOUBLINGS}`]: { type: 'string' } } },
  recursive: { properties: { x: { $ref: '#/$defs/N' } }, required: ['x'], $defs: { N: node } },
  invalid: {
    properties: { encoded: { $ref: '#/%E0%A4%A' }, list: { enum: 'abc' }, union: { anyOf: [null, 5] }, nothing: null },
  },
  broad: { properties: many(9_000, {}) },
  choices: {
    properties: many(200, { $ref: '#/$defs/c' }),
    $defs: { c: { enum: Array.from({ length: 15_000 }, (_, at) => at) } },
  },
};
SCHEMAS.chain.required = ['x'];

const COLUMNS = 300;
const RESULTS = {
  columns: JSON.stringify(Array.from({ length: 200 }, (_, row) => many(COLUMNS, row))),
  'different columns': JSON.stringify(
    Array.from({ length: 200 }, (_, row) =>
      Object.fromEntries(Array.from({ length: COLUMNS }, (_, column) => [`k${row}_${column}`, 1])),
    ),
  ),
  'deep rows': `[{"a":${'['.repeat(50_000)}${']'.repeat(50_000)}}]`,
  'many values': `[[${Array(100)
    .fill(
      `[${Array(100)
        .fill(`[${'0,'.repeat(40)}1]`)
        .join()}]`,
    )
    .join()}]]`,
};

const tools = [
  ...Object.entries(SCHEMAS).map(([name, inputSchema]) => ({ name, inputSchema: { type: 'object', ...inputSchema } })),
  {
    name: 'result',
    inputSchema: { type: 'object', properties: { of: { enum: Object.keys(RESULTS) } }, required: ['of'] },
  },
];

const send = (message) => process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);

createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method, params } = JSON.parse(line);
  if (id === undefined) return;
  const answers = {
    initialize: () => ({
      protocolVersion: params.protocolVersion,
      capabilities: { tools: {} },
      serverInfo: { name: 'odd', version: '1.0.0' },
    }),
    'tools/list': () => ({ tools }),
    'tools/call': () => ({ content: [{ type: 'text', text: RESULTS[params.arguments.of] }] }),
  };
  const answer = answers[method];
  send(answer ? { id, result: answer() } : { id, error: { code: -32601, message: 'no' } });
});
