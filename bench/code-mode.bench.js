// Code mode: tokens (o200k) that five tasks cost directly, with two tools and with code; the time of a run and a call.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { readConfig, TrustGuard, UNTRUSTED } from '@a2c/config';
import { MCPServerManager } from '@a2c/hub';
import { HubToolbox, MCPProxy, serveHttp } from '@a2c/proxy';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { countTokens } from 'gpt-tokenizer/encoding/o200k_base';
import { TASKS } from '../packages/cli/test/code-tasks.mjs';
import { median, quick, table } from './table.js';

const binary = fileURLToPath(new URL('../packages/cli/bin/a2c.js', import.meta.url));
const script = fileURLToPath(new URL('../packages/proxy/test/records.mjs', import.meta.url));
const ROUNDS = quick(2, 15);
/** Rounds before them that are not counted: the engine and our code are compiled while they run. */
const WARM_UP = quick(2, 5);
const CALLS = quick(100, 200);
const RUNS = quick(20, 50);
const LOOP = `for (let id = 0; id < ${CALLS}; id++) await servers.shop['get-price']({ id });`;
const records = (name) => ({ command: process.execPath, args: [script, name] });
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
  console.log();
  await timesOfClient();
}

async function startHub() {
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

/** The same calls by a client of the command: each `exec` also takes the way from the client to the proxy and back. */
async function timesOfClient() {
  const folder = mkdtempSync(join(tmpdir(), 'a2c-bench-'));
  const config = join(folder, 'mcp.json');
  writeFileSync(config, JSON.stringify({ mcpServers: { shop: records('shop') } }));
  const args = [binary, 'proxy', '--code', '--config', config];
  const env = { ...process.env, A2C_HOME: folder };
  const client = new Client({ name: 'bench', version: '1' });
  await client.connect(new StdioClientTransport({ command: process.execPath, args, env, stderr: 'ignore' }));
  const call = async (name, given) => {
    const result = await client.callTool({ name, arguments: given });
    if (result.isError) throw new Error(result.content[0].text);
  };
  const exec = async () => {
    for (let id = 0; id < CALLS; id++) {
      await call('exec', { server_name: 'shop', tool_name: 'get-price', arguments: { id } });
    }
  };
  const [execs, codes] = [[], []];
  for (let round = -WARM_UP; round < ROUNDS; round++) {
    const times = [await timed(exec), await timed(() => call('run', { code: LOOP }))];
    if (round < 0) continue;
    execs.push(times[0].elapsed / CALLS);
    codes.push(times[1].elapsed / CALLS);
  }
  const differences = codes.map((time, round) => time - execs[round]);
  table([
    { 'by a client on stdio': 'a call with exec', 'ms, elapsed': median(execs).toFixed(2) },
    {
      'by a client on stdio': `a call from code, with 1/${CALLS} of the start`,
      'ms, elapsed': median(codes).toFixed(2),
    },
    { 'by a client on stdio': 'difference, median of the rounds', 'ms, elapsed': median(differences).toFixed(2) },
  ]);
  await client.close();
  rmSync(folder, { recursive: true, force: true });
}

/**
 * Alternating rounds, so that other load affects both ways alike. CPU time is that of this process with its worker
 * threads; other load affects it less than the elapsed time.
 */
async function times(proxy) {
  const run = (code) => proxy.codeRunner.run({ code });
  const one = async () => {
    // Each request of a client has its own signal, as each call from code has.
    for (let id = 0; id < CALLS; id++) {
      await proxy.executor.execute('shop', 'get-price', { id }, { signal: new AbortController().signal });
    }
  };
  const [starts, execs, codes] = [[], [], []];
  for (let count = 0; count < RUNS; count++) starts.push(await timed(() => run('return 1')));
  for (let round = -WARM_UP; round < ROUNDS; round++) {
    const [exec, code] = [await timed(one), await timed(() => run(LOOP))];
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
