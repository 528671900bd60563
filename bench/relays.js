// The relays that the benchmarks compare, and their clients.
import { readdirSync, readFileSync } from 'node:fs';
import { io } from 'socket.io-client';
import { WebSocket } from 'ws';
import { LIMITS, start } from './load.js';
import { AUTH, rawAgent } from './raw-member.js';

/** The baseline: joins a room and forwards with an acknowledgement and the requested timeout, nothing else. */
export const BARE = `
  import { createServer } from 'node:http';
  import { Server } from 'socket.io';
  const http = createServer();
  const io = new Server(http, {
    serveClient: false,
    perMessageDeflate: false,
    httpCompression: false,
    maxHttpBufferSize: 16 * 2 ** 20,
  });
  const computers = new Map();
  io.of('/smcp').on('connection', (socket) => {
    socket.on('server:join_office', ({ role, name, office_id }, ack) => {
      if (role === 'computer') computers.set(office_id + '/' + name, socket);
      socket.data.office = office_id;
      socket.join('office:' + office_id);
      ack(true, null);
    });
    socket.on('client:tool_call', async (payload, ack) => {
      const target = computers.get(socket.data.office + '/' + payload.computer);
      ack(await target.timeout((payload.timeout + 2) * 1_000).emitWithAck('client:tool_call', payload));
    });
  });
  http.listen(0, '127.0.0.1', () => console.log('ready http://127.0.0.1:' + http.address().port));
`;

export const ours = (options = {}) => `
  import { allowAnonymous, listen } from '@a2c/server';
  const options = ${JSON.stringify({ port: 0, limits: LIMITS, ...options })};
  const { url } = await listen({ authenticate: allowAnonymous, ...options });
  console.log('ready ' + url);
`;
export const OURS = ours();

export async function member(url, role, name, office) {
  const socket = io(`${url}/smcp`, { forceNew: true, transports: ['websocket'], auth: AUTH });
  await new Promise((resolve) => socket.emit('server:join_office', { role, name, office_id: office }, resolve));
  return socket;
}

/** A Computer runs in a process of its own, as in production. It answers with as much text as it is asked for. */
const COMPUTER = `
  import { io } from 'socket.io-client';
  const results = {};
  const resultOf = (size) => (results[size] ??= { content: [{ type: 'text', text: 'x'.repeat(size) }], isError: false });
  const socket = io(process.env.SERVER_URL + '/smcp', { transports: ['websocket'], auth: ${JSON.stringify(AUTH)} });
  socket.on('client:tool_call', ({ params }, ack) => ack(resultOf(params.size ?? 150)));
  socket.emit('server:join_office', { role: 'computer', name: 'pc', office_id: 'o' }, () => console.log('ready -'));
`;

export async function pair(url, computerUrl = url) {
  const { child } = await start(COMPUTER, { core: '1', env: { SERVER_URL: computerUrl } });
  const agent = await member(url, 'agent', 'a', 'o');
  let id = 0;
  const call = (size = 150) =>
    new Promise((resolve, reject) => {
      const params = { text: 'y'.repeat(80), size };
      const payload = { agent: 'a', req_id: `r${id++}`, computer: 'pc', tool_name: 't', params, timeout: 30 };
      agent.emit('client:tool_call', payload, (answer) => (answer.isError ? reject(answer) : resolve()));
    });
  return { call, child, agent };
}

const RAW_COMPUTER = `
  import { rawComputer } from ${JSON.stringify(import.meta.resolve('./raw-member.js'))};
  await rawComputer(process.env.SERVER_URL, process.env.OFFICE);
  console.log('ready -');
`;

/** An Agent and a Computer that use much less CPU time than a server, so that the server is the bottleneck. */
export async function rawPair(url, { computerUrl = url, office = 'o' } = {}) {
  const { child } = await start(RAW_COMPUTER, { core: '1', env: { SERVER_URL: computerUrl, OFFICE: office } });
  return { child, ...(await rawAgent(url, office)) };
}

/** The CPU time of all threads of a process so far, in microseconds. */
export function cpuMicroseconds({ pid }) {
  const threads = readdirSync(`/proc/${pid}/task`);
  const nanoseconds = threads.map((id) =>
    Number(readFileSync(`/proc/${pid}/task/${id}/schedstat`, 'utf8').split(' ')[0]),
  );
  return nanoseconds.reduce((sum, each) => sum + each, 0) / 1_000;
}

/** A connection with little overhead on the client side: Engine.IO and Socket.IO written by hand over `ws`. */
function idleConnection(url, index) {
  return new Promise((resolve, reject) => {
    const socket = new WebSocket(`${url.replace('http', 'ws')}/socket.io/?EIO=4&transport=websocket`, {
      perMessageDeflate: false,
    });
    socket.on('error', reject);
    socket.on('message', (data) => {
      const text = String(data);
      if (text.startsWith('0')) socket.send('40/smcp,');
      else if (text.startsWith('40/smcp'))
        socket.send(
          `42/smcp,0["server:join_office",{"role":"computer","name":"pc${index}","office_id":"o${index % 500}"}]`,
        );
      else if (text.startsWith('43/smcp')) resolve(socket);
      else if (text === '2') socket.send('3');
    });
  });
}

/** Connects members of many offices, 100 at a time. */
export async function connectMany(url, count) {
  for (let i = 0; i < count; i += 100) {
    const some = Array.from({ length: Math.min(100, count - i) }, (_, k) => idleConnection(url, i + k));
    await Promise.all(some);
  }
}

const IDLE_MEMBERS = `
  import { connectMany } from ${JSON.stringify(import.meta.resolve('./relays.js'))};
  await connectMany(process.env.SERVER_URL, Number(process.env.COUNT));
  console.log('ready -');
`;

/** Idle members in a process of their own: in that of an Agent, their pings and garbage would count as its calls. */
export async function idleMembers(url, count) {
  return (await start(IDLE_MEMBERS, { core: '1', env: { SERVER_URL: url, COUNT: String(count) } })).child;
}

export function rss({ pid }) {
  return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))[1]) / 1_024;
}
