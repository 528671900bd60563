// The time the proxy adds to a call: the same echo directly and through `a2c proxy`, on stdio and HTTP, in one run.
// Each round measures a direct slice and the slices through the proxies one after the other. The median of the rounds'
// ratios is more reliable than the times, because other load on the machine affects neighbouring slices alike. On stdio
// client and server speak the same generation of MCP. The raw relay only parses and writes lines: the cost of a second
// process. The busy relay also uses the processor for 0.1 ms per message: it shows what each microsecond of work costs
// between two pipes. The floor is the least that serves `exec`: it finds the tool, checks the arguments, gives the call
// an id and a deadline, and looks whether the result is data. The minimal proxy is the SDK's client behind the SDK's
// server. CPU time is that of the process between the two pipes for one call, of calls one after another; other load on
// the machine affects it less than the times.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { freePort, repeat } from './load.js';
import { cpuMicroseconds } from './relays.js';
import { median, quick, spread, table } from './table.js';

/** A number, not a time: on a busy machine the larger programs would be measured before their code is compiled. */
const WARM_UP_CALLS = quick(300, 4_000);
const HTTP_WARM_UP_CALLS = quick(50, 500);
const SLICE_MS = 100;
const CROWD = 32;
const NEWEST = ['2026', { pin: '2026-07-28' }];
/** Generations of MCP on stdio, and how the client asks for them. */
const GENERATIONS = quick([NEWEST], [['2025', 'legacy'], NEWEST]);
const ROUNDS = quick(2, 20);
/** On a busy machine the benchmark ends after this time with fewer rounds. */
const BUDGET_MS = 30_000;
const binary = fileURLToPath(new URL('../packages/cli/bin/a2c.js', import.meta.url));
const minimal = fileURLToPath(new URL('minimal-proxy.js', import.meta.url));
const relay = fileURLToPath(new URL('raw-relay.js', import.meta.url));
const floor = fileURLToPath(new URL('floor-proxy.js', import.meta.url));
const echo = fileURLToPath(new URL('echo-server.js', import.meta.url));
const everything = join(
  dirname(createRequire(import.meta.url).resolve('@modelcontextprotocol/server-everything/package.json')),
  'dist/index.js',
);

const call = { name: 'echo', arguments: { message: 'hello' } };
const through = { name: 'exec', arguments: { server_name: 'echo', tool_name: 'echo', arguments: call.arguments } };

export default async function bench() {
  const folder = mkdtempSync(join(tmpdir(), 'a2c-bench-'));
  const env = { ...process.env, A2C_HOME: folder };
  const port = await freePort();
  const upstream = spawn(process.execPath, [everything, 'streamableHttp'], { env: { ...env, PORT: port } });
  await once(upstream.stderr, 'data'); // printed when it listens
  const url = `http://127.0.0.1:${port}/mcp`;
  const configure = (name, echo) => {
    const file = join(folder, name);
    writeFileSync(file, JSON.stringify({ mcpServers: { echo } }));
    return file;
  };
  const stdio = configure('stdio.json', { command: process.execPath, args: [echo] });
  const http = configure('http.json', { type: 'http', url });
  const served = spawn(process.execPath, [binary, 'proxy', '--config', http, '--http', '0'], { env });
  const [line] = await once(served.stdout, 'data');
  const door = String(line).trim().slice('ready '.length);

  const child = (...args) => new StdioClientTransport({ command: process.execPath, args, env, stderr: 'ignore' });
  const connected = (address) => new StreamableHTTPClientTransport(new URL(address));
  const busy = ['--busy', '0.1', process.execPath, echo];
  const families = [];
  for (const [generation, mode] of GENERATIONS) {
    families.push([
      await way(`stdio ${generation}, direct`, mode, child(echo), call),
      await way(`stdio ${generation}, through a raw relay`, mode, child(relay, process.execPath, echo), through),
      await way(`stdio ${generation}, through a busy relay`, mode, child(relay, ...busy), through),
      await way(`stdio ${generation}, through the floor`, mode, child(floor, process.execPath, echo), through),
      await way(`stdio ${generation}, through the minimal proxy`, mode, child(minimal, echo), through),
      await way(`stdio ${generation}, through a2c`, mode, child(binary, 'proxy', '--config', stdio), through),
    ]);
  }
  families.push([
    await way('HTTP 2025, direct', 'legacy', connected(url), call, HTTP_WARM_UP_CALLS),
    await way('HTTP 2025, through a2c', 'legacy', connected(door), through, HTTP_WARM_UP_CALLS),
    await way('HTTP 2026, through a2c', { pin: '2026-07-28' }, connected(door), through, HTTP_WARM_UP_CALLS),
  ]);
  const started = performance.now();
  for (let round = 0; round < ROUNDS && performance.now() - started < BUDGET_MS; round++) {
    for (const family of families) {
      // Alternating order, so that no way always follows the slowest.
      const order = round % 2 === 0 ? family : family.toReversed();
      for (const { tool, alone, pid, cpu } of order) {
        const before = pid ? cpuMicroseconds({ pid }) : 0;
        let calls = 0;
        alone.push(await msPerCall(1, () => tool(calls++)));
        if (pid) cpu.push((cpuMicroseconds({ pid }) - before) / calls);
      }
      for (const { tool, crowded } of order) crowded.push(await msPerCall(CROWD, tool));
    }
  }
  table(
    families.flatMap((family) => {
      const relayed = family.find(({ name }) => name.endsWith('a raw relay'));
      return family.map(({ name, alone, crowded, cpu }) => ({
        way: name,
        'one after another, ms per call': median(alone).toFixed(2),
        'CPU time, µs': cpu.length > 0 ? median(cpu).toFixed(0) : '–',
        'times direct': ratio(alone, family[0].alone),
        'times the raw relay': relayed ? ratio(alone, relayed.alone) : '–',
        '32 at once, calls per second': Math.round(1_000 / median(crowded)),
        'times direct ': ratio(crowded, family[0].crowded),
      }));
    }),
  );
  for (const { client } of families.flat()) await client.close();
  served.kill('SIGTERM');
  upstream.kill('SIGTERM');
  rmSync(folder, { recursive: true, force: true });
}

/** A connected client after the warm-up. */
async function way(name, mode, transport, call, warmUpCalls = WARM_UP_CALLS) {
  const client = new Client({ name: 'bench', version: '1' }, { versionNegotiation: { mode } });
  await client.connect(transport);
  const tool = () => client.callTool(call);
  await repeat(tool, CROWD, warmUpCalls);
  return { name, client, tool, pid: transport.pid, alone: [], crowded: [], cpu: [] };
}

/** Makes calls for a slice of time, `width` of them at once. */
async function msPerCall(width, action, forMs = SLICE_MS) {
  const started = performance.now();
  let calls = 0;
  await Promise.all(
    Array.from({ length: width }, async () => {
      while (performance.now() - started < forMs) {
        await action();
        calls++;
      }
    }),
  );
  return (performance.now() - started) / calls;
}

/** The median of the ratios of all rounds, and their spread. */
function ratio(times, direct) {
  const ratios = times.map((time, round) => time / direct[round]);
  return `${median(ratios).toFixed(2)} (${spread(ratios)})`;
}
