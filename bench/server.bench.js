// The signalling server compared with a bare Socket.IO relay: Agent → Server → Computer and back.
import { spawn, spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { io } from 'socket.io-client';
import { WebSocket } from 'ws';
import { LIMITS, pinClient, slice, start } from './load.js';
import { median, table } from './table.js';

/** The baseline: joins a room and forwards with an acknowledgement and the requested timeout, nothing else. */
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
      ack(await target.timeout((payload.timeout + 2) * 1_000).emitWithAck('client:tool_call', payload));
    });
  });
  http.listen(0, '127.0.0.1', () => console.log('ready http://127.0.0.1:' + http.address().port));
`;

const ours = (options = {}) => `
  import { allowAnonymous, listen } from '@a2c/server';
  const options = ${JSON.stringify({ port: 0, limits: LIMITS, ...options })};
  const { url } = await listen({ authenticate: allowAnonymous, ...options });
  console.log('ready ' + url);
`;
const OURS = ours();

async function member(url, role, name, office) {
  const socket = io(`${url}/smcp`, { forceNew: true, transports: ['websocket'] });
  await new Promise((resolve) => socket.emit('server:join_office', { role, name, office_id: office }, resolve));
  return socket;
}

/** A Computer runs in a process of its own, as in production. */
const COMPUTER = `
  import { io } from 'socket.io-client';
  const result = { content: [{ type: 'text', text: 'x'.repeat(150) }], isError: false };
  const socket = io(process.env.SERVER_URL + '/smcp', { transports: ['websocket'] });
  socket.on('client:tool_call', (_payload, ack) => ack(result));
  socket.emit('server:join_office', { role: 'computer', name: 'pc', office_id: 'o' }, () => console.log('ready -'));
`;

async function pair(url, computerUrl = url) {
  const { child } = await start(COMPUTER, { core: '1', env: { SERVER_URL: computerUrl } });
  const agent = await member(url, 'agent', 'a', 'o');
  let id = 0;
  const call = () =>
    new Promise((resolve, reject) => {
      const params = { text: 'y'.repeat(80) };
      const payload = { agent: 'a', req_id: `r${id++}`, computer: 'pc', tool_name: 't', params, timeout: 30 };
      agent.emit('client:tool_call', payload, (answer) => (answer.isError ? reject(answer) : resolve()));
    });
  return { call, child, agent };
}

/** The CPU time of all threads of a process so far, in microseconds. */
function cpuMicroseconds({ pid }) {
  const threads = readdirSync(`/proc/${pid}/task`);
  const nanoseconds = threads.map((id) =>
    Number(readFileSync(`/proc/${pid}/task/${id}/schedstat`, 'utf8').split(' ')[0]),
  );
  return nanoseconds.reduce((sum, each) => sum + each, 0) / 1_000;
}

const ROUNDS = 5;
const CYCLES = 20;
const SLICE_MS = 100;
const IDLE_ROUNDS = 3;
/** The bare relay runs twice: the difference between the two is the noise of the measurement. */
const SIDES = { bare: BARE, twin: BARE, a2c: OURS };

/**
 * Starts fresh processes and warms them up. Then measures short slices of all sides in turn, forwards and backwards, so
 * that a drift affects all sides alike.
 */
async function round() {
  const sides = {};
  for (const [side, script] of Object.entries(SIDES)) {
    const server = await start(script);
    sides[side] = { server: server.child, ...(await pair(server.url)) };
  }
  for (const { call } of Object.values(sides)) {
    await slice(call, 64, 2_000);
    await slice(call, 1, 1_000);
  }
  const names = Object.keys(SIDES);
  const cycles = [];
  for (let i = 0; i < CYCLES; i++) {
    const order = names.map((_, k) => names[(i + k) % names.length]);
    const cycle = Object.fromEntries(order.map((side) => [side, { p50: 0, perSecond: 0, cpu: 0 }]));
    for (const side of [...order, ...order.toReversed()]) {
      const { call, server } = sides[side];
      cycle[side].p50 += (await slice(call, 1, SLICE_MS)).p50 / 2;
      const before = cpuMicroseconds(server);
      const { perSecond, calls } = await slice(call, 64, SLICE_MS);
      cycle[side].perSecond += perSecond / 2;
      cycle[side].cpu += (cpuMicroseconds(server) - before) / calls / 2;
    }
    cycles.push(cycle);
  }
  for (const { server, child } of Object.values(sides)) for (const process of [server, child]) process.kill();
  return cycles;
}

function range(values) {
  return `${Math.min(...values).toFixed(2)}, ${Math.max(...values).toFixed(2)}`;
}

async function relay() {
  const rounds = [];
  for (let i = 0; i < ROUNDS; i++) rounds.push(await round());
  const cycles = rounds.flat();
  const row = (name, figure, digits, target) => {
    const ratios = (of, side) => of.map((cycle) => cycle[side][figure] / cycle.bare[figure]);
    const value = (side) => median(cycles.map((cycle) => cycle[side][figure])).toFixed(digits);
    const perRound = rounds.map((of) => median(ratios(of, 'a2c')));
    return {
      'two-hop call': name,
      bare: value('bare'),
      a2c: value('a2c'),
      ratio: median(ratios(cycles, 'a2c')).toFixed(2),
      'rounds from, to': range(perRound),
      'bare against itself': median(ratios(cycles, 'twin')).toFixed(2),
      target,
    };
  };
  table([
    row('p50 at 1 in flight, ms', 'p50', 3, '≤ 1.15'),
    row('calls/s at 64 in flight', 'perSecond', 0, '≥ 0.90'),
    row('server CPU per call at 64 in flight, µs', 'cpu', 1, '–'),
  ]);
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

async function idleMegabytes(script, count) {
  const server = await start(script);
  const before = rss(server.child);
  const sockets = await connectMany(server.url, 0, count);
  await new Promise((resolve) => setTimeout(resolve, 3_000));
  const grown = rss(server.child) - before;
  for (const socket of sockets) socket.terminate();
  server.child.kill();
  return grown;
}

async function idle(count) {
  const rounds = [];
  for (let i = 0; i < IDLE_ROUNDS; i++)
    rounds.push({ bare: await idleMegabytes(BARE, count), a2c: await idleMegabytes(OURS, count) });
  const ratios = rounds.map(({ bare, a2c }) => a2c / bare);
  table([
    {
      'idle members': count,
      'bare, MB': median(rounds.map(({ bare }) => bare)).toFixed(0),
      'a2c, MB': median(rounds.map(({ a2c }) => a2c)).toFixed(0),
      ratio: median(ratios).toFixed(2),
      'rounds from, to': range(ratios),
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

/** Measures the time from the disconnect of a Computer to the error answer of its pending call. */
async function disconnects() {
  const server = await start(OURS);
  const agent = await member(server.url, 'agent', 'a', 'o');
  const times = [];
  for (let i = 0; i < 200; i++) {
    const computer = await member(server.url, 'computer', 'pc', 'o');
    const payload = { agent: 'a', req_id: `r${i}`, computer: 'pc', tool_name: 't', params: {}, timeout: 30 };
    const answered = new Promise((resolve) => agent.emit('client:tool_call', payload, resolve));
    await new Promise((resolve) => computer.once('client:tool_call', resolve));
    const started = performance.now();
    computer.disconnect();
    await answered;
    times.push(performance.now() - started);
  }
  const [p50, max] = [median(times), Math.max(...times)].map((ms) => ms.toFixed(1));
  table([
    {
      'Computer gone, its call failed after': `${times.length} times`,
      'p50, ms': p50,
      'max, ms': max,
      target: '≤ 100',
    },
  ]);
  server.child.kill();
}

/** Compares a call on one node of a cluster with a call from one node to another. */
async function acrossNodes() {
  if (spawnSync('redis-server', ['--version'], { stdio: 'ignore' }).status !== 0) {
    console.log('calls across nodes: not measured, redis-server is not installed');
    return;
  }
  const port = 20_000 + (process.pid % 20_000);
  const redis = spawn('redis-server', ['--port', port, '--save', '', '--appendonly', 'no'], { stdio: 'ignore' });
  const script = ours({ cluster: { redis: `redis://127.0.0.1:${port}` } });
  await new Promise((resolve) => setTimeout(resolve, 1_000));
  const nodes = [await start(script), await start(script)];
  const rows = [];
  for (const [where, from, to] of [
    ['one node', 0, 0],
    ['two nodes', 0, 1],
  ]) {
    const { call, child, agent } = await pair(nodes[from].url, nodes[to].url);
    await slice(call, 64, 2_000);
    const { p50 } = await slice(call, 1, 2_000);
    const before = nodes.map((node) => cpuMicroseconds(node.child));
    const { perSecond, calls } = await slice(call, 64, 2_000);
    const spent = nodes.map((node, i) => cpuMicroseconds(node.child) - before[i]);
    rows.push({
      'with Redis': where,
      'p50, ms': p50.toFixed(3),
      'calls/s at 64': perSecond.toFixed(0),
      'CPU of all nodes per call, µs': ((spent[0] + spent[1]) / calls).toFixed(1),
    });
    child.kill();
    agent.disconnect();
    await new Promise((resolve) => setTimeout(resolve, 500));
  }
  table(rows);
  for (const child of [nodes[0].child, nodes[1].child, redis]) child.kill();
}

export default async function bench() {
  pinClient();
  await relay();
  console.log();
  await idle(10_000);
  console.log();
  await flatness();
  console.log();
  await disconnects();
  console.log();
  await acrossNodes();
}
