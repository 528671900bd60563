// An MCP server over stdio that records its calls, so that a test can count them. The file JOURNAL gets one line for
// each event: `run TOOL MARK`, `done TOOL MARK` or `cancelled TOOL MARK`. Its tools:
//   echo {text}          returns the text
//   slow {mark, ms}      reports progress, and answers after that time
//   image {bytes}        a picture of that size
//   novel {characters}   a text and an embedded document of that length
//   structure {items}    a text and structured content with that many items
//   learn {name}         adds a tool and announces it
import { appendFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { setTimeout as delay } from 'node:timers/promises';

const note = (...words) => appendFileSync(process.env.JOURNAL, `${words.join(' ').trim()}\n`);
const send = (message) => process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
const text = (value) => ({ type: 'text', text: value });
const words = (value) => ({ content: [text(value)] });

const does = {
  echo: (args) => words(args.text),
  slow: ({ ms }, signal, progressToken) => {
    const params = { progressToken, progress: 1, total: 2, message: 'half done' };
    if (progressToken !== undefined) send({ method: 'notifications/progress', params });
    return delay(ms, words('done'), { signal });
  },
  image: ({ bytes }) => {
    const data = Buffer.alloc(bytes, 'the pixels of a picture ').toString('base64');
    return { content: [{ type: 'image', data, mimeType: 'image/png' }] };
  },
  novel: ({ characters }) => {
    const resource = { uri: 'file:///novel.txt', mimeType: 'text/plain', text: 'Käse ☃ '.repeat(characters / 7) };
    return { content: [text('here it is'), { type: 'resource', resource }] };
  },
  structure: ({ items }) => ({
    content: [text('see the structure')],
    structuredContent: { items: Array.from({ length: items }, (_, i) => `Käse ${i}`) },
  }),
  learn: ({ name }) => {
    does[name] = () => words(`I am ${name}`);
    send({ method: 'notifications/tools/list_changed' });
    return words('learnt');
  },
};

const answers = {
  initialize: ({ protocolVersion }) => ({
    protocolVersion,
    capabilities: { tools: { listChanged: true } },
    serverInfo: { name: 'journal', version: '1.0.0' },
  }),
  ping: () => ({}),
  'tools/list': () => ({
    tools: Object.keys(does).map((name) => ({ name, description: name, inputSchema: { type: 'object' } })),
  }),
  'tools/call': async ({ name, arguments: args = {}, _meta }, signal) => {
    const { mark = '' } = args;
    note('run', name, mark);
    signal.addEventListener('abort', () => note('cancelled', name, mark));
    const result = await does[name](args, signal, _meta?.progressToken);
    note('done', name, mark);
    return result;
  },
};

const running = new Map();

async function answer({ id, method, params = {} }) {
  if (method === 'notifications/cancelled') running.get(params.requestId)?.abort();
  if (id === undefined) return;
  const stop = new AbortController();
  running.set(id, stop);
  try {
    if (!answers[method]) throw { code: -32601, message: `no method ${method}` };
    send({ id, result: await answers[method](params, stop.signal) });
  } catch (error) {
    if (!stop.signal.aborted) send({ id, error: { code: error.code ?? -32603, message: error.message } });
  } finally {
    running.delete(id);
  }
}

for await (const line of createInterface({ input: process.stdin })) void answer(JSON.parse(line));
process.exit(0);
