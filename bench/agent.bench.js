// agent.callTool compared with a bare `emitWithAck`, through the same signalling server.
import { randomUUID } from 'node:crypto';
import { Agent } from '@a2c/agent';
import { io } from 'socket.io-client';
import { LIMITS, pinClient, slice, start } from './load.js';
import { AUTH } from './raw-member.js';
import { median, quick, table } from './table.js';

const CYCLES = quick(3, 21);
const WARM_UP_MS = quick(400, 1_500);

/** A Server with two offices and a Computer in each, in a process of its own. */
const OFFICES = `
  import { allowAnonymous, listen } from '@a2c/server';
  import { io } from 'socket.io-client';
  const { url } = await listen({ authenticate: allowAnonymous, port: 0, limits: ${JSON.stringify(LIMITS)} });
  const result = { content: [{ type: 'text', text: 'x'.repeat(150) }], isError: false };
  const schema = { type: 'object' };
  const tools = [{ name: 't', description: '', params_schema: schema, return_schema: null, meta: {} }];
  for (const office_id of ['bare', 'sdk']) {
    const socket = io(url + '/smcp', { transports: ['websocket'], forceNew: true, auth: ${JSON.stringify(AUTH)} });
    socket.on('client:tool_call', (_call, ack) => ack(result));
    socket.on('client:get_tools', ({ req_id }, ack) => ack({ tools, req_id }));
    await socket.emitWithAck('server:join_office', { role: 'computer', name: 'pc', office_id });
  }
  console.log('ready ' + url);
`;

/** The same request as that of the SDK, so that the Server does the same for both. */
async function bareCaller(url) {
  const socket = io(`${url}/smcp`, { transports: ['websocket'], forceNew: true, auth: AUTH });
  await socket.emitWithAck('server:join_office', { role: 'agent', name: 'a', office_id: 'bare' });
  return () =>
    socket.emitWithAck('client:tool_call', {
      agent: 'a',
      req_id: randomUUID().replaceAll('-', ''),
      computer: 'pc',
      tool_name: 't',
      params: { text: 'y'.repeat(80) },
      timeout: 30,
      tool_names: 'display',
      accept_blobs: true,
    });
}

export default async function bench() {
  pinClient();
  const { child, url } = await start(OFFICES);
  const agent = await Agent.connect({ url, office: 'sdk', name: 'a', transports: ['websocket'] });
  const callers = {
    bare: await bareCaller(url),
    sdk: () => agent.callTool('pc', 't', { text: 'y'.repeat(80) }, { timeout: 30 }),
  };
  for (const call of Object.values(callers)) await slice(call, 16, WARM_UP_MS);
  const cycles = [];
  for (let i = 0; i < CYCLES; i++) {
    const cycle = {};
    // Alternating, so that other load of the machine affects both sides alike.
    for (const [name, call] of Object.entries(callers))
      cycle[name] = { one: await slice(call, 1, 300), many: await slice(call, 64, 300) };
    cycles.push(cycle);
  }
  await agent.close();
  child.kill();
  const row = (what, read, digits, target) => ({
    'call through the server': what,
    'bare emitWithAck': median(cycles.map(({ bare }) => read(bare))).toFixed(digits),
    'agent.callTool': median(cycles.map(({ sdk }) => read(sdk))).toFixed(digits),
    ratio: median(cycles.map(({ bare, sdk }) => read(sdk) / read(bare))).toFixed(2),
    target,
  });
  table([
    row('p50 at 1 in flight, ms', ({ one }) => one.p50, 3, '≤ 1.05'),
    row('calls/s at 64 in flight', ({ many }) => many.perSecond, 0, '≥ 1.00'),
  ]);
}
