// What the proxy adds to a call: the same echo directly and through `a2c proxy`, on stdio and HTTP, in one run.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { median, table } from './table.js';

const CALLS = 300;
const CROWD = 1_200;
const ROUNDS = 5;
const binary = fileURLToPath(new URL('../packages/cli/bin/a2c.js', import.meta.url));
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
  await once(upstream.stderr, 'data'); // it says that it listens
  const child = (...args) => new StdioClientTransport({ command: process.execPath, args, env, stderr: 'ignore' });
  const ways = [
    ['stdio, direct', 'legacy', child(everything), direct],
    ['stdio, through a2c (2025)', 'legacy', child(binary, 'proxy', '--config', config), through],
    ['stdio, through a2c (2026)', { pin: '2026-07-28' }, child(binary, 'proxy', '--config', config), through],
    ['HTTP, direct', 'legacy', new StreamableHTTPClientTransport(new URL(`http://127.0.0.1:${port}/mcp`)), direct],
    ['HTTP, through a2c (2025)', 'legacy', new StreamableHTTPClientTransport(url), through],
    ['HTTP, through a2c (2026)', { pin: '2026-07-28' }, new StreamableHTTPClientTransport(url), through],
  ];
  const measured = [];
  for (const [way, mode, transport, call] of ways) {
    const client = new Client({ name: 'bench', version: '1' }, { versionNegotiation: { mode } });
    await client.connect(transport);
    const tool = () => client.callTool(call);
    await repeat(CALLS / 3, tool);
    measured.push({ way, client, tool, alone: [], crowded: [] });
  }
  // Interleaved, so that what else happens on the machine happens to all alike.
  for (let round = 0; round < ROUNDS; round++) {
    for (const { tool, alone, crowded } of measured) {
      alone.push((await timed(() => repeat(CALLS, tool))) / CALLS);
      crowded.push(CROWD / ((await timed(() => crowd(CROWD, 32, tool))) / 1_000));
    }
  }
  table(
    measured.map(({ way, alone, crowded }) => ({
      way,
      'one after another, ms per call': median(alone).toFixed(2),
      '32 at once, calls per second': Math.round(median(crowded)),
    })),
  );
  for (const { client } of measured) await client.close();
  served.kill('SIGTERM');
  upstream.kill('SIGTERM');
  rmSync(folder, { recursive: true, force: true });
}

/** The server picks none itself. */
async function freePort() {
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const { port } = probe.address();
  probe.close();
  return String(port);
}

async function repeat(times, action) {
  for (let count = 0; count < times; count++) await action();
}

async function crowd(total, width, action) {
  let left = total;
  await Promise.all(
    Array.from({ length: width }, async () => {
      while (left-- > 0) await action();
    }),
  );
}

async function timed(action) {
  const started = performance.now();
  await action();
  return performance.now() - started;
}
