// One side of the suite `large`, in a process of its own: connects and then calls `large` for every size that it gets
// as a message of its parent, and reports the milliseconds, elapsed and of CPU time.
import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { Agent } from '@a2c/agent';
import { Computer, OfficeLink } from '@a2c/computer';
import { readConfig, TrustGuard, UNTRUSTED } from '@a2c/config';
import { MCPServerManager } from '@a2c/hub';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';

const RAW = { command: process.execPath, args: [fileURLToPath(new URL('large-server.js', import.meta.url))] };
const logger = { debug() {}, info() {}, warn() {}, error: console.error };
const TIMEOUT_S = 60;
const NEWLINE = 10;

const serverOf = (url) =>
  url ? { type: 'streamable', server_parameters: { url } } : { type: 'stdio', server_parameters: RAW };
const configOf = (url) =>
  readConfig(JSON.stringify([{ name: 'raw', ...serverOf(url) }]), { file: 'bench.json' }).config;

const kinds = {
  /** The least that a client on stdio can do. The SDK's is no measure: its time grows with the square of the size. */
  async pipe() {
    const { stdin, stdout } = spawn(RAW.command, RAW.args, { stdio: ['pipe', 'pipe', 'inherit'] });
    let chunks = [];
    let answered = () => {};
    stdout.on('data', (chunk) => {
      chunks.push(chunk);
      if (chunk.at(-1) !== NEWLINE) return;
      const line = Buffer.concat(chunks);
      chunks = [];
      answered(JSON.parse(line.toString()).result);
    });
    return (bytes) =>
      new Promise((resolve) => {
        answered = resolve;
        const params = { name: 'large', arguments: { bytes } };
        stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params })}\n`);
      });
  },
  async sdk(url) {
    const client = new Client({ name: 'bench', version: '1' });
    await client.connect(new StreamableHTTPClientTransport(new URL(url)));
    return (bytes) => client.callTool({ name: 'large', arguments: { bytes } }, { timeout: TIMEOUT_S * 1_000 });
  },
  async hub(url) {
    const hub = new MCPServerManager({
      guard: new TrustGuard({ ...UNTRUSTED, trusted: true }),
      client: { protocol_version: '2025-11-25', capabilities: null, roots: null }, // as the bare client
    });
    await hub.initialize(configOf(url).servers);
    return (bytes) => hub.executeTool('large', { bytes });
  },
  async computer(url) {
    const computer = new Computer({ name: 'pc', mcpServers: configOf('').servers, confirm: () => true, logger });
    await computer.boot();
    const link = new OfficeLink(computer, { url, logger });
    await link.connect();
    await link.joinOffice('bench');
  },
  async agent(url) {
    const agent = await Agent.connect({ url, office: 'bench', name: 'bot' });
    return (bytes) => agent.callTool('pc', 'large', { bytes }, { timeout: TIMEOUT_S });
  },
};

const [kind, url = ''] = process.argv.slice(2);
const call = await kinds[kind](url);
await call?.(1_000);
process.on('message', async (bytes) => {
  if (bytes === 'collect') global.gc();
  else {
    const [started, used] = [performance.now(), process.cpuUsage()];
    const { content } = await call(bytes);
    const ms = performance.now() - started;
    const { user, system } = process.cpuUsage(used);
    if (content[0].text.length !== bytes)
      throw new Error(`expected ${bytes} bytes, got ${content[0].text.slice(0, 200)}`);
    process.send({ ms, cpu: (user + system) / 1_000 });
    return;
  }
  process.send('collected');
});
process.send('ready');
