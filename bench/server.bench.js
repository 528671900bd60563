// The signalling server compared with a bare Socket.IO relay: Agent → Server → Computer and back.
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { pinClient, repeat, slice, start } from './load.js';
import { BARE, cpuMicroseconds, idleMembers, member, OURS, ours, rawPair, rss } from './relays.js';
import { isQuick, median, quick, table } from './table.js';

const ROUNDS = quick(1, 3);
const CYCLES = quick(2, 14);
const SLICE_MS = 100;
const WARM_UP_CALLS = quick(2_000, 30_000);
const SMALL_CALLS = 1_000;
const IDLE_ROUNDS = quick(1, 2);
const IDLE_MEMBERS = quick(2_000, 10_000);
const IDLE_MS = quick(1_000, 3_000);
const FEW_MEMBERS = 10;
const DISCONNECTS = quick(50, 200);
const NODES_SLICE_MS = quick(300, 2_000);
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
    sides[side] = { server: server.child, ...(await rawPair(server.url)) };
  }
  for (const { call } of Object.values(sides)) {
    await repeat(call, 64, WARM_UP_CALLS);
    await repeat(call, 1, WARM_UP_CALLS / 10);
    for (const [, size, inFlight, count] of LARGE) await repeat(() => call(size), inFlight, count * quick(1, 3));
  }
  const names = Object.keys(SIDES);
  const cycles = [];
  for (let i = 0; i < CYCLES; i++) {
    const order = names.map((_, k) => names[(i + k) % names.length]);
    const cycle = Object.fromEntries(order.map((side) => [side, { p50: 0, perSecond: 0 }]));
    for (const side of [...order, ...order.toReversed()]) {
      const { call } = sides[side];
      cycle[side].p50 += (await slice(call, 1, SLICE_MS)).p50 / 2;
      const { perSecond, cpu, clientCpu } = await measured(sides[side], call, 64, SMALL_CALLS);
      cycle[side].perSecond += perSecond / 2;
      cycle[side].clientCpu = ((cycle[side].clientCpu ?? clientCpu) + clientCpu) / 2;
      cycle[side].cpu150 = ((cycle[side].cpu150 ?? cpu) + cpu) / 2;
    }
    // Large results need more time for the same number of calls, so they are measured every other cycle.
    for (const [figure, size, inFlight, count] of i % 2 === 0 ? LARGE : []) {
      for (const side of order) {
        const call = () => sides[side].call(size);
        cycle[side][figure] = (await measured(sides[side], call, inFlight, count)).cpu;
      }
    }
    cycles.push(cycle);
  }
  for (const { server, child } of Object.values(sides)) for (const process of [server, child]) process.kill();
  return cycles;
}

/** Results of 10 KB and 1 MB: the name of the figure, the size, the calls in flight, the number of calls. */
const LARGE = [
  ['cpu10k', 10_000, 64, 400],
  ['cpu1m', 1_000_000, 4, 12],
];

/** Calls under load: the rate, and the CPU time per call of the server and of both clients, which share a core. */
async function measured({ server, child }, call, inFlight, count) {
  const spent = () => [cpuMicroseconds(server), cpuMicroseconds(child) + cpuMicroseconds(process)];
  const before = spent();
  const perSecond = await repeat(call, inFlight, count);
  const [cpu, clientCpu] = spent().map((each, i) => (each - before[i]) / count);
  return { perSecond, cpu, clientCpu };
}

function range(values) {
  return `${Math.min(...values).toFixed(2)}, ${Math.max(...values).toFixed(2)}`;
}

async function relay() {
  const rounds = [];
  for (let i = 0; i < ROUNDS; i++) rounds.push(await round());
  const cycles = rounds.flat();
  const row = (name, figure, digits, target) => {
    const measuredIn = (of) => of.filter((cycle) => cycle.bare[figure] !== undefined);
    const ratios = (of, side) => measuredIn(of).map((cycle) => cycle[side][figure] / cycle.bare[figure]);
    const value = (side) => median(measuredIn(cycles).map((cycle) => cycle[side][figure])).toFixed(digits);
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
    row('p50 at 1 in flight, ms', 'p50', 3, '≤ 1.00'),
    row('calls/s at 64 in flight', 'perSecond', 0, '≥ 1.30'),
    row('CPU of both clients per call, µs', 'clientCpu', 1, '–'),
    row('server CPU per call of 150 B, µs', 'cpu150', 1, '≤ 0.75'),
    row('server CPU per call of 10 KB, µs', 'cpu10k', 1, '≤ 0.65'),
    row('server CPU per call of 1 MB, µs', 'cpu1m', 0, '≤ 0.40'),
  ]);
}

async function idleMegabytes(script, count) {
  const server = await start(script);
  const before = rss(server.child);
  const members = await idleMembers(server.url, count);
  await new Promise((resolve) => setTimeout(resolve, IDLE_MS));
  const grown = rss(server.child) - before;
  for (const child of [server.child, members]) child.kill();
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
      target: '≤ 1.15',
    },
  ]);
}

/**
 * A call on a server with few members and on one with many, in turns. The bare relay is the control: what it loses is
 * lost to Socket.IO, V8 and the machine.
 */
async function flatness() {
  const sides = {};
  for (const [name, script] of Object.entries({ bare: BARE, a2c: OURS })) {
    for (const count of [FEW_MEMBERS, IDLE_MEMBERS]) {
      const server = await start(script);
      const members = await idleMembers(server.url, count);
      const side = { name, count, server: server.child, members, ...(await rawPair(server.url)) };
      await repeat(side.call, 64, WARM_UP_CALLS);
      sides[`${name} ${count}`] = side;
    }
  }
  const cycles = [];
  for (let i = 0; i < CYCLES; i++) {
    const cycle = {};
    const order = Object.entries(sides);
    for (const [key, side] of i % 2 === 0 ? order : order.toReversed()) {
      const { p50 } = await slice(side.call, 1, SLICE_MS);
      cycle[key] = { p50, cpu: (await measured(side, side.call, 64, SMALL_CALLS)).cpu };
    }
    cycles.push(cycle);
  }
  const middle = (key, figure) => median(cycles.map((cycle) => cycle[key][figure]));
  const growth = (name, figure) => (cycle) =>
    cycle[`${name} ${IDLE_MEMBERS}`][figure] / cycle[`${name} ${FEW_MEMBERS}`][figure];
  const row = (text, name, figure, digits, target) => ({
    'a call, by Computers': text,
    [`${FEW_MEMBERS} connected`]: middle(`${name} ${FEW_MEMBERS}`, figure).toFixed(digits),
    [`${IDLE_MEMBERS} connected`]: middle(`${name} ${IDLE_MEMBERS}`, figure).toFixed(digits),
    ratio: median(cycles.map(growth(name, figure))).toFixed(2),
    target,
  });
  table([
    row('p50 of the bare relay, ms', 'bare', 'p50', 3, '–'),
    row('p50 of a2c, ms', 'a2c', 'p50', 3, '≤ 1.2'),
    row('CPU of the bare relay, µs', 'bare', 'cpu', 1, '–'),
    row('CPU of a2c, µs', 'a2c', 'cpu', 1, '≤ 1.2'),
  ]);
  for (const { server, members, child } of Object.values(sides))
    for (const process of [server, members, child]) process.kill();
}

/** Measures the time from the disconnect of a Computer to the error answer of its pending call. */
async function disconnects() {
  const server = await start(OURS);
  const agent = await member(server.url, 'agent', 'a', 'o');
  const times = [];
  for (let i = 0; i < DISCONNECTS; i++) {
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

/** Starts Redis and nodes that use it; undefined if it is not installed. */
async function startCluster(count, options) {
  if (spawnSync('redis-server', ['--version'], { stdio: 'ignore' }).status !== 0) {
    console.log('several nodes: not measured, redis-server is not installed');
    return undefined;
  }
  const port = 20_000 + (process.pid % 20_000);
  const redis = spawn('redis-server', ['--port', port, '--save', '', '--appendonly', 'no'], { stdio: 'ignore' });
  const script = ours({ cluster: { redis: `redis://127.0.0.1:${port}` }, ...options });
  await new Promise((resolve) => setTimeout(resolve, 1_000));
  const nodes = await Promise.all(Array.from({ length: count }, () => start(script)));
  const close = async () => {
    for (const child of [...nodes.map((node) => node.child), redis]) child.kill();
    await once(redis, 'exit');
  };
  return { nodes, close };
}

/** An office on each node, with its load. */
async function officesOn(nodes) {
  const pairs = await Promise.all(nodes.map(({ url }, i) => rawPair(url, { office: `o${i}` })));
  for (const { call } of pairs) await repeat(call, 64, WARM_UP_CALLS);
  const spent = () => nodes.reduce((sum, { child }) => sum + cpuMicroseconds(child), 0);
  /** The CPU time of all nodes per call, with calls in the first `count` offices. */
  const cpuPerCall = async (count) => {
    const before = spent();
    await Promise.all(pairs.slice(0, count).map(({ call }) => repeat(call, 64, SMALL_CALLS)));
    return (spent() - before) / SMALL_CALLS / count;
  };
  return { cpuPerCall, children: [...pairs, ...nodes].map(({ child }) => child) };
}

/**
 * Offices on one of three nodes, and on all three at once. The nodes share a core, so that only CPU time compares.
 * Three bare relays, which know nothing of each other, are the control: what they lose is lost to the machine.
 */
async function affinity() {
  const cluster = await startCluster(3, { sharded: true });
  if (!cluster) return;
  const relays = await Promise.all(Array.from({ length: 3 }, () => start(BARE)));
  const sides = { bare: await officesOn(relays), a2c: await officesOn(cluster.nodes) };
  const cycles = [];
  for (let i = 0; i < CYCLES; i++) {
    const cycle = { bare: {}, a2c: {} };
    for (const side of i % 2 === 0 ? ['bare', 'a2c'] : ['a2c', 'bare']) {
      for (const count of i % 4 < 2 ? [1, 3] : [3, 1]) cycle[side][count] = await sides[side].cpuPerCall(count);
    }
    cycles.push(cycle);
  }
  const growth = (cycle, side) => cycle[side][3] / cycle[side][1];
  const row = (name, side) => ({
    'offices sharded over three nodes': name,
    'one node busy': median(cycles.map((cycle) => cycle[side][1])).toFixed(1),
    'three nodes busy': median(cycles.map((cycle) => cycle[side][3])).toFixed(1),
    ratio: median(cycles.map((cycle) => growth(cycle, side))).toFixed(2),
    target: '–',
  });
  table([
    row('CPU of all bare relays per call, µs', 'bare'),
    row('CPU of all a2c nodes per call, µs', 'a2c'),
    {
      'offices sharded over three nodes': 'growth of a2c against that of bare relays',
      'one node busy': '–',
      'three nodes busy': '–',
      ratio: median(cycles.map((cycle) => growth(cycle, 'a2c') / growth(cycle, 'bare'))).toFixed(2),
      target: '≈ 1.00',
    },
  ]);
  for (const { children } of Object.values(sides)) for (const child of children) child.kill();
  await cluster.close();
}

/** Compares a call on one node of a cluster with a call from one node to another. */
async function acrossNodes() {
  const cluster = await startCluster(2);
  if (!cluster) return;
  const { nodes, close: closeCluster } = cluster;
  const rows = [];
  for (const [where, from, to] of [
    ['one node', 0, 0],
    ['two nodes', 0, 1],
  ]) {
    const { call, child, close } = await rawPair(nodes[from].url, { computerUrl: nodes[to].url });
    await slice(call, 64, NODES_SLICE_MS);
    const { p50 } = await slice(call, 1, NODES_SLICE_MS);
    const before = nodes.map((node) => cpuMicroseconds(node.child));
    const { perSecond, calls } = await slice(call, 64, NODES_SLICE_MS);
    const spent = nodes.map((node, i) => cpuMicroseconds(node.child) - before[i]);
    rows.push({
      'with Redis': where,
      'p50, ms': p50.toFixed(3),
      'calls/s at 64': perSecond.toFixed(0),
      'CPU of all nodes per call, µs': ((spent[0] + spent[1]) / calls).toFixed(1),
      target: where === 'one node' ? '–' : 'CPU ≤ 3 × of one node',
    });
    child.kill();
    close();
    await new Promise((resolve) => setTimeout(resolve, 500));
  }
  table(rows);
  await closeCluster();
}

export default async function bench() {
  pinClient();
  await relay();
  console.log();
  await idle(IDLE_MEMBERS);
  console.log();
  await flatness();
  console.log();
  await disconnects();
  console.log();
  if (isQuick) console.log('offices sharded over three nodes: not measured with --quick');
  else await affinity();
  console.log();
  await acrossNodes();
}
