// The signalling server against a bare Socket.IO relay: Agent → Server → Computer and back.
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { io } from 'socket.io-client';
import { WebSocket } from 'ws';
import { median, table } from './table.js';

const HUGE = 1e9;
const LIMITS = {
  eventsPerSecond: HUGE,
  callsPerSecond: HUGE,
  officeCallsPerSecond: HUGE,
  callsInFlight: HUGE,
  officeCallsInFlight: HUGE,
  connectionsPerAddress: HUGE,
  handshakesPerSecond: HUGE,
};

/** The floor: join a room, forward with an acknowledgement, nothing else. */
const BARE = `
  import { createServer } from 'node:http';
  import { Server } from 'socket.io';
  const http = createServer();
  const io = new Server(http, { serveClient: false, perMessageDeflate: false, httpCompression: false });
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
      ack(await target.timeout(30_000).emitWithAck('client:tool_call', payload));
    });
  });
  http.listen(0, '127.0.0.1', () => console.log('ready http://127.0.0.1:' + http.address().port));
`;

const OURS = `
  import { allowAnonymous, listen } from '@a2c/server';
  const { url } = await listen({ authenticate: allowAnonymous, port: 0, limits: ${JSON.stringify(LIMITS)} });
  console.log('ready ' + url);
`;

/** Servers on the first core, everybody else on the second: what the scheduler does then hits both alike. */
const canPin = availableParallelism() > 1 && spawnSync('taskset', ['-V'], { stdio: 'ignore' }).status === 0;
if (canPin) spawnSync('taskset', ['-cp', '1', String(process.pid)], { stdio: 'ignore' });

async function start(script, { core = '0', env = {} } = {}) {
  const node = [process.execPath, '--input-type=module', '--eval', script];
  const [command, ...args] = canPin ? ['taskset', '-c', core, ...node] : node;
  const child = spawn(command, args, {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, A2C_LOG_LEVEL: 'error', ...env },
  });
  const [chunk] = await once(child.stdout, 'data');
  return { child, url: /ready (\S+)/.exec(String(chunk))[1] };
}

async function member(url, role, name, office) {
  const socket = io(`${url}/smcp`, { forceNew: true, transports: ['websocket'] });
  await new Promise((resolve) => socket.emit('server:join_office', { role, name, office_id: office }, resolve));
  return socket;
}

/** Computers live in a process of their own, as they do in the world. */
const COMPUTER = `
  import { io } from 'socket.io-client';
  const result = { content: [{ type: 'text', text: 'x'.repeat(150) }], isError: false };
  const socket = io(process.env.SERVER_URL + '/smcp', { transports: ['websocket'] });
  socket.on('client:tool_call', (_payload, ack) => ack(result));
  socket.emit('server:join_office', { role: 'computer', name: 'pc', office_id: 'o' }, () => console.log('ready -'));
`;

async function pair(url) {
  const { child } = await start(COMPUTER, { core: '1', env: { SERVER_URL: url } });
  const agent = await member(url, 'agent', 'a', 'o');
  let id = 0;
  const call = () =>
    new Promise((resolve) => {
      const params = { text: 'y'.repeat(80) };
      const payload = { agent: 'a', req_id: `r${id++}`, computer: 'pc', tool_name: 't', params, timeout: 30 };
      agent.emit('client:tool_call', payload, resolve);
    });
  return { call, child };
}

/** Calls with `concurrency` in flight for `ms`; how many, and how long each took. */
async function slice(call, concurrency, ms) {
  const times = [];
  const end = performance.now() + ms;
  const worker = async () => {
    while (performance.now() < end) {
      const started = performance.now();
      await call();
      times.push(performance.now() - started);
    }
  };
  await Promise.all(Array.from({ length: concurrency }, worker));
  return { p50: median(times), perSecond: (times.length * 1_000) / ms };
}

async function relay() {
  const [bare, ours] = await Promise.all([start(BARE), start(OURS)]);
  const pairs = { bare: await pair(bare.url), ours: await pair(ours.url) };
  for (const { call } of Object.values(pairs)) await slice(call, 16, 1_500);
  const cycles = [];
  for (let i = 0; i < 21; i++) {
    const cycle = {};
    // In turn, so that whatever else the machine does hits both.
    for (const [name, { call }] of Object.entries(pairs))
      cycle[name] = { one: await slice(call, 1, 300), many: await slice(call, 64, 300) };
    cycles.push(cycle);
  }
  for (const { child } of [bare, ours, ...Object.values(pairs)]) child.kill();
  const ratio = (read) => median(cycles.map((cycle) => read(cycle.ours) / read(cycle.bare))).toFixed(2);
  const value = (name, read, digits) => median(cycles.map((cycle) => read(cycle[name]))).toFixed(digits);
  table([
    {
      'two-hop call': 'p50 at 1 in flight, ms',
      bare: value('bare', (c) => c.one.p50, 3),
      a2c: value('ours', (c) => c.one.p50, 3),
      ratio: ratio((c) => c.one.p50),
      target: '≤ 1.15',
    },
    {
      'two-hop call': 'calls/s at 64 in flight',
      bare: value('bare', (c) => c.many.perSecond, 0),
      a2c: value('ours', (c) => c.many.perSecond, 0),
      ratio: ratio((c) => c.many.perSecond),
      target: '≥ 0.90',
    },
  ]);
}

/** A connection as small as possible on our side: Engine.IO and Socket.IO by hand over `ws`. */
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

async function connectMany(url, from, to) {
  const sockets = [];
  for (let i = from; i < to; i += 100) {
    sockets.push(
      ...(await Promise.all(Array.from({ length: Math.min(100, to - i) }, (_, k) => idleConnection(url, i + k)))),
    );
  }
  return sockets;
}

function rss({ pid }) {
  return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))[1]) / 1_024;
}

async function idle(count) {
  const megabytes = {};
  for (const [name, script] of Object.entries({ bare: BARE, a2c: OURS })) {
    const server = await start(script);
    const before = rss(server.child);
    const sockets = await connectMany(server.url, 0, count);
    await new Promise((resolve) => setTimeout(resolve, 3_000));
    megabytes[name] = rss(server.child) - before;
    for (const socket of sockets) socket.terminate();
    server.child.kill();
  }
  table([
    {
      'idle members': count,
      'bare, MB': megabytes.bare.toFixed(0),
      'a2c, MB': megabytes.a2c.toFixed(0),
      ratio: (megabytes.a2c / megabytes.bare).toFixed(2),
      target: '≤ 1.30',
    },
  ]);
}

async function flatness() {
  const server = await start(OURS);
  const { call, child: computer } = await pair(server.url);
  const rows = [];
  const open = [];
  for (const members of [10, 1_000, 10_000]) {
    open.push(...(await connectMany(server.url, open.length, members)));
    await slice(call, 16, 500);
    const { p50 } = await slice(call, 1, 1_500);
    const { perSecond } = await slice(call, 64, 1_500);
    rows.push({ 'connected Computers': members, 'p50, ms': p50.toFixed(3), 'calls/s at 64': perSecond.toFixed(0) });
  }
  table(rows);
  for (const socket of open) socket.terminate();
  for (const child of [server.child, computer]) child.kill();
}

export default async function bench() {
  await relay();
  console.log();
  await idle(10_000);
  console.log();
  await flatness();
}
