// Results of 1, 10 and 32 MB over stdio, HTTP and an office: time and peak memory, a2c and the bare SDK client in one
// run. The bare client uses the fetch of Node, which is undici.
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { start } from './load.js';
import { median, quick, spread, table } from './table.js';

const MEGABYTES = quick([10], [1, 10, 32]);
const ROUNDS = quick(1, 3);
const CALLS = quick(1, 4);
const script = (name) => fileURLToPath(new URL(name, import.meta.url));

const SERVER = `
  import { allowAnonymous, listen } from '@a2c/server';
  const { url } = await listen({ authenticate: allowAnonymous, port: 0 });
  console.log('ready ' + url);
`;

export default async function bench() {
  const http = await start(`process.argv[2] = 'http'; await import(${JSON.stringify(script('large-server.js'))});`, {
    core: null,
  });
  const families = {
    stdio: { bare: ['pipe'], a2c: ['hub'] },
    'HTTP, JSON': { bare: ['sdk', `${http.url}/json`], a2c: ['hub', `${http.url}/json`] },
    'HTTP, events': { bare: ['sdk', `${http.url}/sse`], a2c: ['hub', `${http.url}/sse`] },
  };
  const rows = [];
  const office = [];
  for (const megabytes of MEGABYTES) {
    for (const [way, sides] of Object.entries(families)) rows.push(await compare(way, sides, megabytes * 1e6));
    office.push(await throughOffice(megabytes * 1e6));
  }
  http.child.kill();
  table(rows);
  console.log();
  table(office);
}

/** Fresh processes in every round, because memory that was used once is not given back. */
async function compare(way, sides, bytes) {
  const seen = { bare: { calls: [], copies: [] }, a2c: { calls: [], copies: [] } };
  for (let round = 0; round < ROUNDS; round++) {
    const clients = {};
    for (const [side, args] of Object.entries(sides)) clients[side] = await client(...args);
    for (const [side, child] of Object.entries(clients)) {
      const [copies] = await peaks(bytes, child, [child]);
      seen[side].copies.push(copies);
    }
    for (let count = 0; count < CALLS; count++) {
      for (const [side, child] of Object.entries(clients)) seen[side].calls.push(await ask(child, bytes));
    }
    for (const child of Object.values(clients)) child.kill();
  }
  const ratios = (figure) => seen.a2c.calls.map((call, index) => call[figure] / seen.bare.calls[index][figure]);
  const ms = (side) => median(seen[side].calls.map((call) => call.ms)).toFixed(0);
  return {
    result: `${bytes / 1e6} MB, ${way}`,
    'bare, ms': ms('bare'),
    'a2c, ms': ms('a2c'),
    ratio: median(ratios('ms')).toFixed(2),
    'from, to': spread(ratios('ms')),
    'ratio of CPU time': median(ratios('cpu')).toFixed(2),
    'bare, copies at the peak': median(seen.bare.copies).toFixed(1),
    'a2c, copies at the peak': median(seen.a2c.copies).toFixed(1),
    target: way === 'stdio' ? '≤ 3 copies' : '≤ 1.00, ≤ 3 copies',
  };
}

async function throughOffice(bytes) {
  const [ms, copies] = [[], []];
  for (let round = 0; round < ROUNDS; round++) {
    const server = await start(SERVER, { core: null });
    const computer = await client('computer', server.url);
    const agent = await client('agent', server.url);
    copies.push(await peaks(bytes, agent, [agent, computer, server.child]));
    for (let count = 0; count < CALLS; count++) ms.push((await ask(agent, bytes)).ms);
    for (const child of [agent, computer, server.child]) child.kill();
  }
  const peak = (index) => median(copies.map((of) => of[index])).toFixed(1);
  return {
    'result through an office': `${bytes / 1e6} MB`,
    'median, ms': median(ms).toFixed(0),
    'from, to': spread(ms, 0),
    'Agent, copies at the peak': peak(0),
    'Computer, copies at the peak': peak(1),
    'Server, copies at the peak': peak(2),
  };
}

async function client(...args) {
  const child = fork(script('large-client.js'), args, { execArgv: ['--expose-gc'] });
  await once(child, 'message');
  return child;
}

async function ask(child, what) {
  const [answer] = await Promise.race([
    once(child, 'message'),
    once(child, 'exit').then(() => Promise.reject(new Error('the client ended'))),
    child.send(what) && new Promise(() => {}),
  ]);
  return answer;
}

/** By how much the resident memory of each process grows during one call, in multiples of the result. Linux only. */
async function peaks(bytes, caller, children) {
  const before = [];
  for (const child of children) {
    if (child.connected) await ask(child, 'collect');
    writeFileSync(`/proc/${child.pid}/clear_refs`, '5'); // resets VmHWM
    before.push(resident(child, 'VmRSS'));
  }
  await ask(caller, bytes);
  return children.map((child, index) => (resident(child, 'VmHWM') - before[index]) / bytes);
}

function resident({ pid }, field) {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  return Number(new RegExp(`${field}:\\s+(\\d+)`).exec(status)[1]) * 1_024;
}
