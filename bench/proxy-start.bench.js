// The start and the memory of `a2c proxy` with 50 servers and 2,000 tools: the time until a client on stdio has the
// list of the two tools, with the tools of an earlier run of that client in the cache, and the time until all servers
// are up, against the same 50 programs started without a proxy in the same run.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { residentBytes } from './load.js';
import { cpuMicroseconds } from './relays.js';
import { median, quick, table } from './table.js';

const SERVERS = quick(20, 50);
const TOOLS = 40;
const ROUNDS = quick(1, 5);
const binary = fileURLToPath(new URL('../packages/cli/bin/a2c.js', import.meta.url));
const upstream = fileURLToPath(new URL('raw-upstream.js', import.meta.url));
const command = (index) => [process.execPath, upstream, String(TOOLS), `tool-${index}`];

const initialize = {
  jsonrpc: '2.0',
  id: 0,
  method: 'initialize',
  params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'bench', version: '1' } },
};
const list = { jsonrpc: '2.0', id: 1, method: 'tools/list' };

/** Starts a program and returns the time until it has answered the request. */
async function answering([program, ...args], request, env = process.env) {
  const started = performance.now();
  const child = spawn(program, args, { env, stdio: ['pipe', 'pipe', 'ignore'] });
  child.stdin.write(`${[initialize, request].map((message) => JSON.stringify(message)).join('\n')}\n`);
  for await (const line of createInterface({ input: child.stdout })) if (JSON.parse(line).id === request.id) break;
  return { child, ms: performance.now() - started };
}

async function end(children) {
  await Promise.all(
    children.map(async (child) => {
      const exited = once(child, 'exit');
      child.stdin?.end();
      child.kill('SIGTERM');
      await exited;
    }),
  );
}

/** The time until the slowest of the servers has listed its tools, and the CPU time of all of them. */
async function bareServers() {
  const all = await Promise.all(Array.from({ length: SERVERS }, (_, index) => answering(command(index), list)));
  const cpuMs = all.reduce((sum, { child }) => sum + cpuMicroseconds(child), 0) / 1_000;
  await end(all.map(({ child }) => child));
  return { ms: Math.max(...all.map(({ ms }) => ms)), cpuMs };
}

/** The time until all servers of a proxy are up, its CPU time until then, and its memory. */
async function wholeProxy(config, env) {
  const started = performance.now();
  const child = spawn(process.execPath, [binary, 'proxy', '--config', config, '--http', '0'], {
    env,
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const [line] = await once(child.stdout, 'data');
  const health = new URL('/healthz', /ready (\S+)/.exec(String(line))[1]);
  // Not more often: each answer costs the proxy some milliseconds.
  while ((await (await fetch(health)).json()).ready < SERVERS) await delay(50);
  const ms = performance.now() - started;
  const cpuMs = cpuMicroseconds(child) / 1_000;
  await delay(1_000); // the cache is written
  const bytes = residentBytes(child.pid);
  await end([child]);
  return { ms, cpuMs, bytes };
}

/** Starts the proxy for a client on stdio until all tool lists are cached. */
async function fillCache(program, env) {
  const { child } = await answering(program, list, env);
  const folder = join(env.A2C_HOME, 'cache', 'tools');
  const isFull = () => {
    try {
      return readdirSync(folder).filter((name) => name.endsWith('.json')).length === SERVERS;
    } catch {
      return false; // Not created yet.
    }
  };
  while (!isFull()) await delay(50);
  await end([child]);
}

export default async function bench() {
  const folder = mkdtempSync(join(tmpdir(), 'a2c-bench-'));
  const config = join(folder, 'mcp.json');
  const names = Array.from({ length: SERVERS }, (_, index) => {
    const [program, ...args] = command(index);
    return [`server-${index}`, { command: program, args }];
  });
  writeFileSync(config, JSON.stringify({ mcpServers: Object.fromEntries(names) }));
  // A list is kept for clients of the same capabilities, and those of clients over HTTP are others.
  const env = { ...process.env, A2C_HOME: join(folder, 'http') };
  const stdioEnv = { ...process.env, A2C_HOME: join(folder, 'stdio') };
  const onStdio = [process.execPath, binary, 'proxy', '--config', config];
  await wholeProxy(config, env); // fills the cache
  await fillCache(onStdio, stdioEnv);
  const [lists, wholes, bares, memory] = [[], [], [], []];
  for (let round = 0; round < ROUNDS; round++) {
    const { child, ms } = await answering(onStdio, list, stdioEnv);
    lists.push(ms);
    await end([child]);
    bares.push(await bareServers());
    const whole = await wholeProxy(config, env);
    wholes.push(whole);
    memory.push(whole.bytes / 2 ** 20);
  }
  const times = (measured) => measured.map(({ ms }) => ms);
  const cpuTimes = (measured) => measured.map(({ cpuMs }) => cpuMs);
  const slowest = times(bares);
  // All cores busy, and nothing waits: no program can be faster.
  const least = wholes.map(({ cpuMs }, round) => (cpuMs + bares[round].cpuMs) / availableParallelism());
  const toSlowest = (times) => times.map((ms, round) => ms / slowest[round]);
  const row = (what, values, unit, digits, goal = '') => ({
    what,
    median: `${median(values).toFixed(digits)} ${unit}`,
    lowest: Math.min(...values).toFixed(digits),
    highest: Math.max(...values).toFixed(digits),
    goal,
  });
  table([
    row('list of the two tools, from the cache', lists, 'ms', 0, '≤ 300'),
    row(`the slowest of ${SERVERS} servers, without a proxy`, slowest, 'ms', 0),
    row(`all ${SERVERS} servers up`, times(wholes), 'ms', 0),
    row('… compared with the slowest', toSlowest(times(wholes)), '×', 2, '≤ 1.2'),
    row(`CPU time of the ${SERVERS} servers`, cpuTimes(bares), 'ms', 0),
    row('CPU time of the proxy until they are up', cpuTimes(wholes), 'ms', 0),
    row('both on all cores without a pause, compared with the slowest', toSlowest(least), '×', 2),
    row(`memory of the proxy, ${(SERVERS * TOOLS).toLocaleString('en')} tools`, memory, 'MB', 0, '≤ 120'),
  ]);
  rmSync(folder, { recursive: true, force: true });
}
