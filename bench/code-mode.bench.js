// Code mode: tokens (o200k) that five tasks cost directly, with two tools and with code; the time of a run and a call.
import { loadavg } from 'node:os';
import { fileURLToPath } from 'node:url';
import { readConfig, TrustGuard, UNTRUSTED } from '@a2c/config';
import { MCPServerManager } from '@a2c/hub';
import { HubToolbox, MCPProxy, serveHttp } from '@a2c/proxy';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { countTokens } from 'gpt-tokenizer/encoding/o200k_base';
import { TASKS } from '../packages/cli/test/code-tasks.mjs';
import { median, table } from './table.js';

const script = fileURLToPath(new URL('../packages/proxy/test/records.mjs', import.meta.url));
const ROUNDS = 15;
/** Rounds before them that are not counted: the engine and our code are compiled while they run. */
const WARM_UP = 5;
const CALLS = 200;
const RUNS = 50;
const jsonTokens = (value) => countTokens(JSON.stringify(value));
const textTokens = ({ content }) => content.reduce((sum, { text }) => sum + countTokens(text), 0);

/** The calls of each task, as a model makes them one by one. Attempts are counted by article: each way has its own. */
const callsOf = (way) => ({
  paging: range(20).map((page) => ['shop', 'list_orders', { page: page + 1 }]),
  joining: [
    ['crm', 'customers', {}],
    ['shop', 'list_orders', { page: 1 }],
  ],
  filtering: [['shop', 'stock', {}]],
  retry: range(3).map(() => ['shop', 'reserve', { sku: way }]),
  'fan-out': range(10).map((id) => ['shop', 'get-price', { id }]),
});

export default async function bench() {
  const hub = await startHub();
  const proxy = new MCPProxy(new HubToolbox(hub), { code: 'on', sandboxLimits: { calls: 10_000 } });
  console.log(`load ${loadavg()[0].toFixed(1)}\n`);
  await definitions(proxy);
  console.log();
  const rows = [];
  for (const task of Object.keys(TASKS)) rows.push(await tokens(hub, proxy, task));
  table(rows);
  console.log();
  await times(proxy);
  await proxy.close();
  await hub.close();
}

async function startHub() {
  const records = (name) => ({ command: process.execPath, args: [script, name] });
  const mcpServers = { shop: records('shop'), crm: records('crm') };
  const { config } = readConfig(JSON.stringify({ mcpServers }), { file: 'mcp.json' });
  const guard = new TrustGuard({ ...UNTRUSTED, trusted: true });
  const hub = new MCPServerManager({ ...HubToolbox.answerers, guard });
  await hub.initialize(config.servers);
  await hub.startAll();
  return hub;
}

/** What the definition of each tool costs in the tool list. */
async function definitions(proxy) {
  const endpoint = await serveHttp(proxy);
  const client = new Client({ name: 'bench', version: '1' });
  await client.connect(new StreamableHTTPClientTransport(new URL(endpoint.url)));
  const { tools } = await client.listTools();
  table(tools.map((tool) => ({ tool: tool.name, 'tokens of its definition': jsonTokens(tool) })));
  await client.close();
  await endpoint.close();
}

/** Directly: the results as the servers send them. Two tools: as `exec` shows them. Results and arguments apart. */
async function tokens(hub, proxy, task) {
  let [direct, two, sent] = [0, 0, 0];
  for (const call of callsOf('direct')[task]) direct += textTokens(await hub.callTool(...call));
  const calls = callsOf('exec')[task];
  for (const [server, tool, args] of calls) {
    const { result } = await proxy.executor.execute(server, tool, args);
    two += textTokens(complete(proxy, result));
    sent += jsonTokens({ server_name: server, tool_name: tool, arguments: args });
  }
  const { code } = TASKS[task];
  const result = await proxy.codeRunner.run({ code });
  if (result.isError) throw new Error(result.content[0].text);
  const ran = textTokens(result);
  return {
    task,
    calls: calls.length,
    'results, direct': direct,
    'results, exec': two,
    'result, run': ran,
    'fewer than exec': `${(100 - (100 * ran) / two).toFixed(1)} %`,
    'arguments, exec': sent,
    'code, run': jsonTokens({ code }),
  };
}

/** A truncated result with all of its pages: the model needs all rows to filter them. */
function complete(proxy, result) {
  const content = [...result.content];
  for (let last = content.at(-1).text; ; last = content.at(-1).text) {
    const cursor = /"cursor": "(result:[^"]+)"/.exec(last)?.[1];
    if (!cursor) return { content };
    content.push(...proxy.inspector.run({ server_name: '*', cursor }).content);
  }
}

/**
 * Alternating rounds, so that other load affects both ways alike. CPU time is that of this process with its worker
 * threads; other load affects it less than the elapsed time.
 */
async function times(proxy) {
  const run = (code) => proxy.codeRunner.run({ code });
  const loop = `for (let id = 0; id < ${CALLS}; id++) await servers.shop['get-price']({ id });`;
  const one = async () => {
    // Each request of a client has its own signal, as each call from code has.
    for (let id = 0; id < CALLS; id++) {
      await proxy.executor.execute('shop', 'get-price', { id }, { signal: new AbortController().signal });
    }
  };
  const [starts, execs, codes] = [[], [], []];
  for (let count = 0; count < RUNS; count++) starts.push(await timed(() => run('return 1')));
  for (let round = -WARM_UP; round < ROUNDS; round++) {
    const [exec, code] = [await timed(one), await timed(() => run(loop))];
    if (round < 0) continue;
    execs.push(exec);
    codes.push(code);
  }
  const row = (what, times, count, digits) => ({
    what,
    'ms, elapsed': (median(times.map(({ elapsed }) => elapsed)) / count).toFixed(digits),
    'ms, CPU': (median(times.map(({ cpu }) => cpu)) / count).toFixed(digits),
  });
  const start = starts.toSorted((a, b) => a.elapsed - b.elapsed)[RUNS / 2];
  const more = codes.map(({ elapsed, cpu }, round) => ({
    elapsed: elapsed - start.elapsed - execs[round].elapsed,
    cpu: cpu - start.cpu - execs[round].cpu,
  }));
  table([
    row(`start of a run, median of ${RUNS}`, starts, 1, 1),
    row('a call with exec', execs, CALLS, 2),
    row('a call from code', codes, CALLS, 2),
    row('difference, median of the rounds', more, CALLS, 2),
  ]);
}

async function timed(action) {
  const [started, used] = [performance.now(), process.cpuUsage()];
  await action();
  const { user, system } = process.cpuUsage(used);
  return { elapsed: performance.now() - started, cpu: (user + system) / 1_000 };
}

function range(length) {
  return Array.from({ length }, (_, index) => index);
}
