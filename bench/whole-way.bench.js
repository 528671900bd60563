// The whole way of a call: Agent → Server → Computer → stdio MCP server, compared with the sum of its parts without
// a2c: the bare SDK client on the same MCP server, and a bare Socket.IO relay; and with the chain of these parts, the
// least program with the same way.
import { fileURLToPath } from 'node:url';
import { Agent } from '@a2c/agent';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { inSession, pinClient, repeat, slice, start } from './load.js';
import { AUTH } from './raw-member.js';
import { BARE, member, OURS, pair } from './relays.js';
import { median, quick, table } from './table.js';

const CYCLES = quick(4, 41);
const WARM_UP_CALLS = quick(1_000, 20_000);
const CALLS = 400;
const IN_FLIGHT = 32;
const MESSAGE = 'y'.repeat(80);

const script = fileURLToPath(new URL('../packages/hub/test/servers/workshop.mjs', import.meta.url));
const workshop = { command: process.execPath, args: [script] };
const [command, ...args] = inSession([process.execPath, script]);
/** The same for programs that do not start it in a session of its own. */
const bareWorkshop = { command, args, stderr: 'ignore' };

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

/** A Computer that passes each call to the bare SDK client and acknowledges its result. */
const CHAINED_COMPUTER = `
  import { Client } from '@modelcontextprotocol/client';
  import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
  import { io } from 'socket.io-client';
  const client = new Client({ name: 'bench', version: '1' });
  await client.connect(new StdioClientTransport(${JSON.stringify(bareWorkshop)}));
  const socket = io(process.env.SERVER_URL + '/smcp', { transports: ['websocket'], auth: ${JSON.stringify(AUTH)} });
  socket.on('client:tool_call', async ({ tool_name, params }, ack) => {
    ack(await client.callTool({ name: tool_name, arguments: params }));
  });
  socket.emit('server:join_office', { role: 'computer', name: 'pc', office_id: 'o' }, () => console.log('ready -'));
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

async function bareChain() {
  const server = await start(BARE);
  const computer = await start(CHAINED_COMPUTER, { core: '1', env: { SERVER_URL: server.url } });
  const agent = await member(server.url, 'agent', 'a', 'o');
  let id = 0;
  const call = () => {
    const payload = { agent: 'a', req_id: `r${id++}`, computer: 'pc', tool_name: 'echo', timeout: 30 };
    return agent.emitWithAck('client:tool_call', { ...payload, params: { message: MESSAGE } });
  };
  const close = () => {
    agent.disconnect();
    for (const { child } of [server, computer]) child.kill();
  };
  return { call, close };
}

async function bareClient() {
  const client = new Client({ name: 'bench', version: '1' });
  await client.connect(new StdioClientTransport(bareWorkshop));
  const call = () => client.callTool({ name: 'echo', arguments: { message: MESSAGE } });
  return { call, close: () => client.close() };
}

export default async function bench() {
  pinClient();
  const sides = {
    relay: await bareRelay(),
    client: await bareClient(),
    chain: await bareChain(),
    a2c: await wholeWay(),
  };
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
    const sum = ({ relay, client }) => relay[figure] + client[figure];
    const ratios = cycles.map((cycle) => cycle.a2c[figure] / sum(cycle));
    const ratio = (of) => median(cycles.map(of)).toFixed(2);
    return {
      'call from Agent to MCP server': what,
      'bare relay': value('relay'),
      'bare SDK client': value('client'),
      'bare chain': value('chain'),
      a2c: value('a2c'),
      'chain to the sum': ratio((cycle) => cycle.chain[figure] / sum(cycle)),
      'a2c to the chain': ratio(({ a2c, chain }) => a2c[figure] / chain[figure]),
      'a2c to the sum': median(ratios).toFixed(2),
      'from, to': `${Math.min(...ratios).toFixed(2)}, ${Math.max(...ratios).toFixed(2)}`,
      target: '≤ 1.15',
    };
  };
  table([row('p50 at 1 in flight, µs', 'one'), row(`time per call at ${IN_FLIGHT} in flight, µs`, 'many')]);
}
