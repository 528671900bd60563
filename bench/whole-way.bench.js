// The whole way of a call: Agent → Server → Computer → stdio MCP server, compared with the sum of its parts without
// a2c: the bare SDK client on the same MCP server, and a bare Socket.IO relay.
import { fileURLToPath } from 'node:url';
import { Agent } from '@a2c/agent';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { pinClient, repeat, slice, start } from './load.js';
import { BARE, OURS, pair } from './relays.js';
import { median, quick, table } from './table.js';

const CYCLES = quick(4, 41);
const WARM_UP_CALLS = quick(1_000, 20_000);
const CALLS = 400;
const IN_FLIGHT = 32;
const MESSAGE = 'y'.repeat(80);

const script = fileURLToPath(new URL('../packages/hub/test/servers/workshop.mjs', import.meta.url));
const workshop = { command: process.execPath, args: [script] };

/** A Computer with the MCP server, in a process of its own. */
const COMPUTER = `
  import { Computer, OfficeLink } from '@a2c/computer';
  import { readConfig } from '@a2c/config';
  const default_tool_meta = { auto_apply: true }; // no question for each call
  const servers = [{ name: 'workshop', type: 'stdio', server_parameters: ${JSON.stringify(workshop)}, default_tool_meta }];
  const { config } = readConfig(JSON.stringify(servers), { file: 'bench.json' });
  const client = { protocol_version: '2025-11-25', capabilities: null, roots: null }; // as the bare client
  const computer = new Computer({ name: 'pc', mcpServers: config.servers, client });
  await computer.boot();
  const link = new OfficeLink(computer, { url: process.env.SERVER_URL, transports: ['websocket'] });
  await link.connect('o');
  await link.joinOffice('o');
  console.log('ready -');
`;

async function wholeWay() {
  const server = await start(OURS);
  const computer = await start(COMPUTER, { core: '1', env: { SERVER_URL: server.url } });
  const agent = await Agent.connect({ url: server.url, office: 'o', name: 'a', transports: ['websocket'] });
  await agent.ready();
  const call = async () => {
    const { isError, content } = await agent.callTool('pc', 'echo', { message: MESSAGE }, { timeout: 30 });
    if (isError) throw new Error(JSON.stringify(content));
  };
  const close = async () => {
    await agent.close();
    for (const { child } of [server, computer]) child.kill();
  };
  return { call, close };
}

async function bareRelay() {
  const server = await start(BARE);
  const { call, child, agent } = await pair(server.url);
  const close = () => {
    agent.disconnect();
    for (const process of [server.child, child]) process.kill();
  };
  return { call: () => call(), close };
}

async function bareClient() {
  const client = new Client({ name: 'bench', version: '1' });
  await client.connect(new StdioClientTransport({ ...workshop, stderr: 'ignore' }));
  const call = () => client.callTool({ name: 'echo', arguments: { message: MESSAGE } });
  return { call, close: () => client.close() };
}

export default async function bench() {
  pinClient();
  const sides = { relay: await bareRelay(), client: await bareClient(), a2c: await wholeWay() };
  for (const { call } of Object.values(sides)) await repeat(call, IN_FLIGHT, WARM_UP_CALLS);
  const names = Object.keys(sides);
  const cycles = [];
  for (let i = 0; i < CYCLES; i++) {
    const cycle = {};
    for (const side of names.map((_, k) => names[(i + k) % names.length])) {
      const { call } = sides[side];
      const { p50 } = await slice(call, 1, 200);
      cycle[side] = { one: p50 * 1_000, many: 1e6 / (await repeat(call, IN_FLIGHT, CALLS)) };
    }
    cycles.push(cycle);
  }
  for (const { close } of Object.values(sides)) await close();
  const row = (what, figure) => {
    const value = (side) => median(cycles.map((cycle) => cycle[side][figure])).toFixed(0);
    const ratios = cycles.map(({ a2c, relay, client }) => a2c[figure] / (relay[figure] + client[figure]));
    return {
      'call from Agent to MCP server': what,
      'bare relay': value('relay'),
      'bare SDK client': value('client'),
      a2c: value('a2c'),
      'ratio to their sum': median(ratios).toFixed(2),
      'from, to': `${Math.min(...ratios).toFixed(2)}, ${Math.max(...ratios).toFixed(2)}`,
      target: '≤ 1.15',
    };
  };
  table([row('p50 at 1 in flight, µs', 'one'), row(`time per call at ${IN_FLIGHT} in flight, µs`, 'many')]);
}
