// The overhead of the hub: the same MCP server called by the bare SDK client and through MCPServerManager.
import { spawn } from 'node:child_process';
import { setMaxListeners } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { readConfig, TrustGuard, UNTRUSTED } from '@a2c/config';
import { MCPServerManager } from '@a2c/hub';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { median, quick, spread, table } from './table.js';

const ROUNDS = quick(2, 9);
const CALLS = quick(100, 1_000);

setMaxListeners(0); // the bare client keeps an abort listener per HTTP request until the next garbage collection
const script = (name) => fileURLToPath(new URL(`../packages/hub/test/servers/${name}`, import.meta.url));

const workshop = { command: process.execPath, args: [script('workshop.mjs')] };

export default async function bench() {
  const { child, url } = await httpServer();
  const rows = [];
  for (const [name, bareTransport, fields] of [
    [
      'stdio',
      () => new StdioClientTransport({ ...workshop, stderr: 'ignore' }),
      { type: 'stdio', server_parameters: workshop },
    ],
    ['HTTP', () => new StreamableHTTPClientTransport(new URL(url)), { type: 'streamable', server_parameters: { url } }],
  ]) {
    const bare = new Client({ name: 'bench', version: '1' });
    await bare.connect(bareTransport());
    const hub = await managerFor(fields);
    const tool =
      name === 'stdio' ? { name: 'echo', args: { message: 'hello' } } : { name: 'echo', args: { text: 'hello' } };
    const sides = {
      bare: () => bare.callTool({ name: tool.name, arguments: tool.args }),
      hub: () => hub.executeTool(tool.name, tool.args),
    };
    for (const inFlight of [1, 32])
      rows.push({ transport: name, 'in flight': inFlight, ...(await compare(sides, inFlight)) });
    await hub.close();
    await bare.close();
  }
  child.kill();
  table(rows);
}

/** Rounds alternate, so that other load of the machine affects both sides alike. */
async function compare({ bare, hub }, inFlight) {
  const ratios = [];
  const costs = { bare: [], hub: [] };
  await round(bare, inFlight);
  await round(hub, inFlight);
  for (let index = 0; index < ROUNDS; index++) {
    const one = await round(bare, inFlight);
    const other = await round(hub, inFlight);
    costs.bare.push(one);
    costs.hub.push(other);
    ratios.push(other / one);
  }
  const micro = (values) => `${Math.round(median(values))} µs`;
  return {
    'bare SDK, per call': micro(costs.bare),
    'through the hub': micro(costs.hub),
    'ratio (median)': median(ratios).toFixed(2),
    'from, to': spread(ratios),
  };
}

/** Microseconds per call. */
async function round(call, inFlight) {
  let left = CALLS;
  const worker = async () => {
    while (left-- > 0) await call();
  };
  const started = performance.now();
  await Promise.all(Array.from({ length: inFlight }, worker));
  return ((performance.now() - started) * 1000) / CALLS;
}

async function managerFor(fields) {
  const { config } = readConfig(JSON.stringify([{ name: 'bench', ...fields }]), { file: 'bench.json' });
  const hub = new MCPServerManager({
    guard: new TrustGuard({ ...UNTRUSTED, trusted: true }),
    client: { protocol_version: '2025-11-25', capabilities: null, roots: null }, // as the bare client
  });
  await hub.initialize(config.servers);
  return hub;
}

async function httpServer() {
  const child = spawn(process.execPath, [script('sdk.mjs'), 'legacy-http'], { stdio: ['pipe', 'pipe', 'inherit'] });
  for await (const line of createInterface({ input: child.stdout })) {
    if (line.startsWith('ready ')) return { child, url: line.slice('ready '.length) };
  }
  throw new Error('the MCP server did not start');
}
