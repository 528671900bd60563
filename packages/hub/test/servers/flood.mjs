// An MCP server whose tool `flood` sends without end what its argument `line` says, as fast as it is read. With the
// variable FLOOD_VALUES, its list of tools has pages without end, with so many values each. With FLOOD_CHANGES, each
// list differs from the one before, and changes are announced without end. With FLOOD_INSTRUCTIONS, its instructions
// have so many characters. With FLOOD_CHANGE, a change follows the first list at once. The tool `ask` sends a question
// of `length` characters and returns the answer to it.
import { createInterface } from 'node:readline';

const send = (message) => process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
const CHUNK_BYTES = 65_536;
const VALUES = Number(process.env.FLOOD_VALUES ?? 0);
let lists = 0;

function flood({ line, progressToken }) {
  const text = `${line.replace('TOKEN', JSON.stringify(progressToken))}\n`;
  const chunk = text.repeat(Math.ceil(CHUNK_BYTES / text.length));
  const more = () => {
    while (process.stdout.write(chunk));
    process.stdout.once('drain', more);
  };
  more();
}

const METHODS = {
  initialize: ({ protocolVersion }) => ({
    protocolVersion,
    capabilities: { tools: { listChanged: true }, resources: { listChanged: true } },
    serverInfo: { name: 'flood', version: '1' },
    ...(process.env.FLOOD_INSTRUCTIONS && { instructions: 'i'.repeat(Number(process.env.FLOOD_INSTRUCTIONS)) }),
  }),
  'tools/list': ({ cursor = '0' }) => {
    const page = Number(cursor);
    const inputSchema = { type: 'object', ...(VALUES > 0 && { enum: Array(VALUES).fill(0) }) };
    const description = `list ${++lists}`;
    return {
      tools: [
        { name: `flood${page || ''}`, description, inputSchema },
        ...(VALUES > 0 ? [] : [{ name: 'ask', inputSchema: { type: 'object' } }]),
      ],
      ...(VALUES > 0 && { nextCursor: `${page + 1}` }),
    };
  },
  'resources/list': () => ({ resources: [] }),
  'tools/call': ({ name, arguments: { line, length }, _meta }, id) => {
    if (name === 'ask') ask(id, length);
    else flood({ line, progressToken: _meta?.progressToken ?? 0 });
  },
};

const asked = new Map();

/** The answer to the question becomes the result of the call. */
function ask(call, length) {
  const id = `ask ${call}`;
  asked.set(id, call);
  const requestedSchema = { type: 'object', properties: {} };
  send({ id, method: 'elicitation/create', params: { message: 'q'.repeat(length), requestedSchema } });
}

const announce = () => send({ method: 'notifications/tools/list_changed' });
if (process.env.FLOOD_CHANGES) setInterval(announce, 10);

createInterface({ input: process.stdin })
  .on('line', (line) => {
    const { id, method, params, result: answer, error } = JSON.parse(line);
    if (asked.has(id)) {
      const text = JSON.stringify(answer ?? error);
      send({ id: asked.get(id), result: { content: [{ type: 'text', text }] } });
    }
    if (id === undefined || method === undefined) return;
    const result = METHODS[method]?.(params ?? {}, id);
    if (result) send({ id, result });
    if (method === 'tools/list' && lists === 1 && process.env.FLOOD_CHANGE) announce();
    else if (method !== 'tools/call') send({ id, error: { code: -32601, message: 'no such method' } });
  })
  .on('close', () => process.exit(0));
