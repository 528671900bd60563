// The time the proxy adds to a call: the same echo directly and through `a2c proxy`, on stdio and HTTP, in one run.
// Each round measures a direct slice and the slices through the proxies one after the other. The median of the rounds'
// ratios is more reliable than the times, because other load on the machine affects neighbouring slices alike. The raw
// relay only parses and writes lines: the cost of a second process. The minimal proxy is the SDK's client behind the
// SDK's server.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { freePort } from './load.js';
import { isQuick, median, spread, table } from './table.js';

const WARM_UP_MS = isQuick ? 300 : 1_000;
const SLICE_MS = 100;
const CROWD = 32;
const ROUNDS = isQuick ? 5 : 20;
/** On a busy machine the benchmark ends after this time with fewer rounds. */
const BUDGET_MS = 30_000;
const binary = fileURLToPath(new URL('../packages/cli/bin/a2c.js', import.meta.url));
const minimal = fileURLToPath(new URL('minimal-proxy.js', import.meta.url));
const relay = fileURLToPath(new URL('raw-relay.js', import.meta.url));
const everything = join(
  dirname(createRequire(import.meta.url).resolve('@modelcontextprotocol/server-everything/package.json')),
  'dist/index.js',
);

const direct = { name: 'echo', arguments: { message: 'hello' } };
const through = {
  name: 'exec',
  arguments: { server_name: 'everything', tool_name: 'echo', arguments: direct.arguments },
};

export default async function bench() {
  const folder = mkdtempSync(join(tmpdir(), 'a2c-bench-'));
  const env = { ...process.env, A2C_HOME: folder };
  const config = join(folder, 'mcp.json');
  writeFileSync(
    config,
    JSON.stringify({ mcpServers: { everything: { command: process.execPath, args: [everything] } } }),
  );
  const served = spawn(process.execPath, [binary, 'proxy', '--config', config, '--http', '0'], { env });
  const [line] = await once(served.stdout, 'data');
  const url = new URL(String(line).trim().slice('ready '.length));
  const port = await freePort();
  const upstream = spawn(process.execPath, [everything, 'streamableHttp'], { env: { ...env, PORT: port } });
  await once(upstream.stderr, 'data'); // printed when it listens
  const child = (...args) => new StdioClientTransport({ command: process.execPath, args, env, stderr: 'ignore' });
  const modern = { pin: '2026-07-28' };
  const http = (address) => new StreamableHTTPClientTransport(address);
  const families = [
    [
      await way('stdio, direct', 'legacy', child(everything), direct),
      await way('stdio, through a raw relay', 'legacy', child(relay, process.execPath, everything), through),
      await way('stdio, through the minimal proxy (2025)', 'legacy', child(minimal, everything), through),
      await way('stdio, through the minimal proxy (2026)', modern, child(minimal, everything), through),
      await way('stdio, through a2c (2025)', 'legacy', child(binary, 'proxy', '--config', config), through),
      await way('stdio, through a2c (2026)', modern, child(binary, 'proxy', '--config', config), through),
    ],
    [
      await way('HTTP, direct', 'legacy', http(new URL(`http://127.0.0.1:${port}/mcp`)), direct),
      await way('HTTP, through a2c (2025)', 'legacy', http(url), through),
      await way('HTTP, through a2c (2026)', modern, http(url), through),
    ],
  ];
  families[0].relay = families[0][1];
  const started = performance.now();
  for (let round = 0; round < ROUNDS && performance.now() - started < BUDGET_MS; round++) {
    for (const family of families) {
      // Alternating order, so that no way always follows the slowest.
      const order = round % 2 === 0 ? family : family.toReversed();
      for (const { tool, alone } of order) alone.push(await msPerCall(1, tool));
      for (const { tool, crowded } of order) crowded.push(await msPerCall(CROWD, tool));
    }
  }
  table(
    families.flatMap((family) =>
      family.map(({ name, alone, crowded }) => ({
        way: name,
        'one after another, ms per call': median(alone).toFixed(2),
        'times direct': ratio(alone, family[0].alone),
        'times the raw relay': family.relay ? ratio(alone, family.relay.alone) : '–',
        '32 at once, calls per second': Math.round(1_000 / median(crowded)),
        'times direct ': ratio(crowded, family[0].crowded),
      })),
    ),
  );
  for (const { client } of families.flat()) await client.close();
  served.kill('SIGTERM');
  upstream.kill('SIGTERM');
  rmSync(folder, { recursive: true, force: true });
}

/** A connected client after the warm-up. */
async function way(name, mode, transport, call) {
  const client = new Client({ name: 'bench', version: '1' }, { versionNegotiation: { mode } });
  await client.connect(transport);
  const tool = () => client.callTool(call);
  await msPerCall(CROWD, tool, WARM_UP_MS);
  return { name, client, tool, alone: [], crowded: [] };
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
  return `${median(ratios).toFixed(1)} (${spread(ratios, 1)})`;
}
