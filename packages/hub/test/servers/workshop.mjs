// A small MCP server of the older generation in one file, written by hand so that it can also misbehave. It starts at
// once.
// Its tools change it while it runs; these variables change how it starts:
//   WORKSHOP_TOOLS   a JSON list of tools instead of its own, sent as they are, however odd
//   WORKSHOP_PAGE    tools per page
//   WORKSHOP_DELAY   milliseconds before it reads anything
//   WORKSHOP_GATE    a file: it reads nothing before this file exists
//   WORKSHOP_EXIT    ends at once with this code after a word on stderr
//   WORKSHOP_STUCK   a method it never answers
//   WORKSHOP_LATE    method=ms: answers that method so much later
//   WORKSHOP_DEAF    so many subscriptions fail first
//   WORKSHOP_NAME    what it calls itself
import { existsSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { setTimeout as delay } from 'node:timers/promises';

const {
  WORKSHOP_TOOLS,
  WORKSHOP_PAGE,
  WORKSHOP_DELAY,
  WORKSHOP_GATE,
  WORKSHOP_EXIT,
  WORKSHOP_STUCK,
  WORKSHOP_LATE = '',
  WORKSHOP_DEAF = '0',
  WORKSHOP_NAME = 'workshop',
} = process.env;
if (WORKSHOP_EXIT) {
  console.error('no more wood');
  process.exit(Number(WORKSHOP_EXIT));
}
if (WORKSHOP_DELAY) await delay(Number(WORKSHOP_DELAY));
while (WORKSHOP_GATE && !existsSync(WORKSHOP_GATE)) await delay(5);

const text = (value) => ({
  content: [{ type: 'text', text: typeof value === 'string' ? value : JSON.stringify(value) }],
});
const object = (properties = {}, required = Object.keys(properties)) => ({ type: 'object', properties, required });
const string = { type: 'string' };

const running = new Map();
const cancelled = [];
const windows = new Map();
const subscribed = new Set();
const counts = {};
let nextId = 1;
const waiting = new Map();

const send = (message) => process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
const notify = (method, params = {}) => send({ method: `notifications/${method}`, params });
const ask = (method, params) =>
  new Promise((resolve) => {
    const id = `ask-${nextId++}`;
    waiting.set(id, resolve);
    send({ id, method, params });
  });

const does = {
  echo: ({ message }) => text(message),
  both: ({ a, b }) => text(a + b),
  sleep: ({ ms }, { signal }) => {
    counts.sleeping = (counts.sleeping ?? 0) + 1;
    return delay(ms, text('slept'), { signal });
  },
  tick: async ({ ms }, { signal, token }) => {
    for (let step = 1; ; step++) {
      await delay(ms, undefined, { signal });
      notify('progress', { progressToken: token, progress: step });
    }
  },
  progress: async ({ steps }, { token }) => {
    for (let step = 1; step <= steps; step++)
      notify('progress', { progressToken: token, progress: step, total: steps });
    return text('done');
  },
  counts: () => text(counts),
  metadata: (_, { meta }) => text(meta),
  cancelled: () => text(cancelled),
  environment: ({ name }) => text(process.env[name] ?? '(unset)'),
  folder: () => text(process.cwd()),
  crash: ({ words = 'the roof came down' }) => {
    console.error(words);
    process.exit(3);
  },
  add_tool: ({ name }) => {
    does[name] = () => text(`I am ${name}`);
    tools.push({ name, inputSchema: object() });
    notify('tools/list_changed');
    return text('added');
  },
  elicit: async () =>
    text(await ask('elicitation/create', { message: 'How?', requestedSchema: object({ how: string }) })),
  sample: async () => text(await ask('sampling/createMessage', { messages: [], maxTokens: 1 })),
  roots: async () => text(await ask('roots/list', {})),
  log: () => {
    notify('message', { level: 'warning', logger: 'bench', data: 'sharp' });
    return text('logged');
  },
  open_window: ({ uri, body }) => {
    const isNew = !windows.has(uri);
    windows.set(uri, body);
    if (isNew) notify('resources/list_changed');
    else if (subscribed.has(uri)) notify('resources/updated', { uri });
    return text('open');
  },
  close_window: ({ uri }) => {
    windows.delete(uri);
    notify('resources/list_changed');
    return text('closed');
  },
  subscriptions: () => text([...subscribed]),
  odd: () => ({
    content: [
      { type: 'text', text: 'plain', extra: 1 },
      { type: 'hologram', beams: 3 },
      { type: 'resource_link', uri: 'file:///a' },
      { type: 'image', data: 'AAAA', mimeType: 'image/png' },
    ],
    structuredContent: [1, 2],
    _meta: { 'their/own': true, a2c_vrl_transformed: 'forged', a2c_error: { code: 401 }, a2c_execution: 'not-run' },
    unheard: 'of',
  }),
  fail: () => ({ ...text('it broke'), isError: true }),
  refuse: ({ words = 'not on Sundays' }) => {
    throw { code: -32050, message: words, data: { day: 0, words } };
  },
};
const needs = {
  echo: object({ message: string }),
  both: object({ a: { type: 'number' }, b: { type: 'number' } }),
  sleep: object({ ms: { type: 'number' } }),
  tick: object({ ms: { type: 'number' } }),
  progress: object({ steps: { type: 'integer' } }),
  environment: object({ name: string }),
  add_tool: object({ name: string }),
  open_window: object({ uri: string, body: string }),
  close_window: object({ uri: string }),
};
const tools = WORKSHOP_TOOLS
  ? JSON.parse(WORKSHOP_TOOLS)
  : Object.keys(does).map((name) => ({ name, description: `Does ${name}.`, inputSchema: needs[name] ?? object() }));

const answers = {
  initialize: ({ protocolVersion, capabilities }) => {
    counts.client = capabilities;
    return {
      protocolVersion,
      capabilities: {
        tools: { listChanged: true },
        resources: { subscribe: true, listChanged: true },
        prompts: {},
        logging: {},
      },
      serverInfo: { name: WORKSHOP_NAME, version: '1.0.0' },
      instructions: process.env.WORKSHOP_INSTRUCTIONS ?? 'Mind the saw.',
    };
  },
  ping: () => ({}),
  'tools/list': ({ cursor = '0' }) => {
    if (WORKSHOP_PAGE === '0') return { tools: [], nextCursor: cursor }; // A list that never ends.
    const size = Number(WORKSHOP_PAGE ?? tools.length);
    const end = Number(cursor) + size;
    return { tools: tools.slice(Number(cursor), end), ...(end < tools.length && { nextCursor: String(end) }) };
  },
  'tools/call': ({ name, arguments: args = {}, _meta }, context) => {
    if (!Object.hasOwn(does, name)) return text(`called ${name}`);
    return does[name](args, { ...context, meta: _meta, token: _meta?.progressToken });
  },
  'resources/list': () => ({
    resources: [{ uri: 'file:///readme', name: 'readme' }, ...[...windows.keys()].map((uri) => ({ uri, name: uri }))],
  }),
  'resources/templates/list': () => ({ resourceTemplates: [{ uriTemplate: 'file:///{name}', name: 'any' }] }),
  'resources/read': ({ uri }) => {
    if (uri.includes('broken')) throw { code: -32002, message: 'cannot be read' };
    return { contents: [{ uri, text: windows.get(uri) ?? 'read me' }] };
  },
  'resources/subscribe': ({ uri }) => {
    if (counts['resources/subscribe'] <= Number(WORKSHOP_DEAF)) throw { code: -32603, message: 'deaf' };
    subscribed.add(uri);
    return {};
  },
  'resources/unsubscribe': ({ uri }) => {
    subscribed.delete(uri);
    return {};
  },
  'prompts/list': () => ({ prompts: [{ name: 'greet', arguments: [{ name: 'who' }] }] }),
  'prompts/get': ({ arguments: { who } = {} }) => ({
    messages: [{ role: 'user', content: { type: 'text', text: `Greet ${who}` } }],
  }),
};

async function answer({ id, method, params = {} }) {
  if (id === undefined) {
    if (method === 'notifications/cancelled') {
      cancelled.push(params.requestId);
      running.get(params.requestId)?.abort();
    } else counts[method] = (counts[method] ?? 0) + 1;
    return;
  }
  counts[method] = (counts[method] ?? 0) + 1;
  if (method === WORKSHOP_STUCK) return;
  const controller = new AbortController();
  running.set(id, controller);
  try {
    const [late, ms] = WORKSHOP_LATE.split('=');
    if (method === late) await delay(Number(ms));
    if (!answers[method]) throw { code: -32601, message: `no method ${method}` };
    send({ id, result: await answers[method](params, { signal: controller.signal }) });
  } catch (error) {
    if (controller.signal.aborted) return; // Cancelled requests are not answered.
    send({
      id,
      error: { code: error.code ?? -32603, message: error.message, ...(error.data && { data: error.data }) },
    });
  } finally {
    running.delete(id);
  }
}

for await (const line of createInterface({ input: process.stdin })) {
  const message = JSON.parse(line);
  if (message.method) void answer(message);
  else waiting.get(message.id)?.(message.result ?? message.error);
}
process.exit(0);
