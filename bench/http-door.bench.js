// The HTTP door of the proxy on one core, over an MCP server on stdio that does not limit it, against two floors in the
// same run: `node:http` that answers every request with the same text, and the SDK's server with one tool and no
// upstream. The clients and the upstream run on the other core.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { httpClient, post } from './http-load.js';
import { onCore, pinClient, processorSeconds, residentBytes, start } from './load.js';
import { median, quick, table } from './table.js';

const CROWD = 32;
/** With 32 calls in flight the mean time of a call is 32 / rate, however fast the door is: 6.4 ms at 5,000 calls/s. */
const STEADY_PER_SECOND = 3_000;
const ROUNDS = quick(1, 12);
const SLICE_MS = quick(250, 400);
const WARM_UP_MS = quick(250, 2_000);
const binary = fileURLToPath(new URL('../packages/cli/bin/a2c.js', import.meta.url));
const upstream = fileURLToPath(new URL('raw-upstream.js', import.meta.url));

const RAW = `
  import { createServer } from 'node:http';
  const server = createServer((request, response) => {
    let text = '';
    request.setEncoding('utf8').on('data', (chunk) => { text += chunk; }).on('end', () => {
      const { id } = JSON.parse(text);
      const body = JSON.stringify({ jsonrpc: '2.0', id, result: { content: [{ type: 'text', text: 'hello' }] } });
      response.writeHead(200, { 'content-type': 'application/json', 'content-length': body.length }).end(body);
    });
  }).listen(0, '127.0.0.1', () => console.log('ready http://127.0.0.1:' + server.address().port + '/mcp'));
`;

const SDK = `
  import { createServer } from 'node:http';
  import { toNodeHandler } from '@modelcontextprotocol/node';
  import { createMcpHandler, Server } from '@modelcontextprotocol/server';
  const handler = createMcpHandler(() => {
    const made = new Server({ name: 'direct', version: '1' }, { capabilities: { tools: {} } });
    made.setRequestHandler('tools/call', () => ({ content: [{ type: 'text', text: 'hello' }] }));
    return made;
  });
  const server = createServer(toNodeHandler(handler))
    .listen(0, '127.0.0.1', () => console.log('ready http://127.0.0.1:' + server.address().port + '/mcp'));
`;

const clientInfo = { name: 'bench', version: '1' };
const META = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientInfo': clientInfo,
  'io.modelcontextprotocol/clientCapabilities': {},
};
const echo = { name: 'echo', arguments: { message: 'hello' } };
const exec = { name: 'exec', arguments: { server_name: 'raw', tool_name: 'echo', arguments: echo.arguments } };

const call = (id, params) => ({ jsonrpc: '2.0', id, method: 'tools/call', params });

/** The requests of a client of MCP 2026, by id. */
const modern = (url, params) => (id) =>
  post(url, call(id, { ...params, _meta: META }), {
    'mcp-protocol-version': '2026-07-28',
    'mcp-method': 'tools/call',
    'mcp-name': params.name,
  });

/** The requests of a client of MCP 2025, after it has opened a session. */
async function legacy(url, params, client) {
  const initialize = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo };
  const answer = await client.send(post(url, { jsonrpc: '2.0', id: 0, method: 'initialize', params: initialize }));
  const session = /mcp-session-id: (\S+)/i.exec(answer)?.[1];
  const headers = { 'mcp-protocol-version': '2025-11-25', ...(session && { 'mcp-session-id': session }) };
  return (id) => post(url, call(id, params), headers);
}

export default async function bench() {
  pinClient();
  const folder = mkdtempSync(join(tmpdir(), 'a2c-bench-'));
  const config = join(folder, 'mcp.json');
  const [command, ...args] = onCore('1', [process.execPath, upstream]);
  writeFileSync(config, JSON.stringify({ mcpServers: { raw: { command, args } } }));
  const proxy = (...more) =>
    `process.argv.push('a2c', 'proxy', '--config', ${JSON.stringify(config)}, '--http', '0', ...${JSON.stringify(more)});
     await import(${JSON.stringify(binary)});`;
  const env = { A2C_HOME: folder };
  const servers = {
    raw: await start(RAW),
    sdk: await start(SDK),
    exec: await start(proxy(), { env }),
    passThrough: await start(proxy('--pass-through'), { env }),
  };
  const ways = [];
  const add = async (name, { url, child }, request) => {
    const address = new URL(url);
    const client = httpClient(address, CROWD);
    const bytes = await request(address, client);
    const answer = await client.send(bytes(0));
    if (!answer.includes('hello')) throw new Error(`${name}: ${answer}`);
    ways.push({ name, client, bytes, child, crowd: [], alone: [], p99: [], steady: [], processor: [] });
  };
  await add('raw `node:http`', servers.raw, (url) => (id) => post(url, call(id, echo)));
  await add('the SDK’s server, no upstream (2026)', servers.sdk, (url) => modern(url, echo));
  await add('a2c `exec` (2025)', servers.exec, (url, client) => legacy(url, exec, client));
  await add('a2c `exec` (2026)', servers.exec, (url) => modern(url, exec));
  await add('a2c pass-through (2025)', servers.passThrough, (url, client) => legacy(url, echo, client));
  await add('a2c pass-through (2026)', servers.passThrough, (url) => modern(url, echo));

  for (const { client, bytes } of ways) await client.slice(bytes, CROWD, WARM_UP_MS);
  for (let round = 0; round < ROUNDS; round++) {
    const order = round % 2 === 0 ? ways : ways.toReversed();
    for (const { client, bytes, child, crowd, alone, p99, steady, processor } of order) {
      alone.push((await client.slice(bytes, 1, SLICE_MS / 2)).p50);
      const before = processorSeconds(child.pid);
      const slice = await client.slice(bytes, CROWD, SLICE_MS);
      processor.push(((processorSeconds(child.pid) - before) * 1e6) / slice.calls);
      crowd.push(slice.perSecond);
      p99.push(slice.p99);
      if (slice.perSecond > STEADY_PER_SECOND) steady.push(await client.steady(bytes, STEADY_PER_SECOND, SLICE_MS));
    }
  }
  table(
    ways.map(({ name, crowd, alone, p99, steady, processor, child }) => ({
      door: name,
      '32 in flight, calls/s': Math.round(median(crowd)),
      lowest: Math.round(Math.min(...crowd)),
      'CPU per call, µs': Math.round(median(processor)),
      'p99, ms': median(p99).toFixed(1),
      'p99 at 3,000 calls/s': steady.length > 0 ? median(steady).toFixed(1) : '',
      'one in flight, p50 ms': median(alone).toFixed(2),
      'memory, MB': Math.round(residentBytes(child.pid) / 2 ** 20),
    })),
  );
  for (const { client } of ways) client.close();
  for (const { child } of Object.values(servers)) child.kill('SIGTERM');
  rmSync(folder, { recursive: true, force: true });
}
