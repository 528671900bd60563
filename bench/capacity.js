// node bench/capacity.js prints the table of capacity in docs/scaling.md from bench/results/server.json and storm.json:
// how many nodes a number of Computers needs, what Redis carries, and what the loss of a node costs.
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { markdown } from './table.js';

/** What is assumed, not measured. */
export const ASSUMED = {
  computers: [100_000, 1_000_000],
  /** Calls per Computer and second, with answers of 10 KB: one call in ten seconds. */
  callsPerSecond: 0.1,
  /** The share of a core that calls may use. The rest is for a node that is lost, and for peaks. */
  busy: 0.5,
  /** The memory of members on one node. */
  memoryMB: 1_024,
};

/** The row of a suite whose column starts with this text. */
function row(suite, column, text = '') {
  const { tables } = JSON.parse(readFileSync(new URL(`results/${suite}.json`, import.meta.url), 'utf8'));
  const found = tables.flat().find((each) => each[column] !== undefined && String(each[column]).startsWith(text));
  if (!found) throw new Error(`no row "${column}" in the results: npm run bench -- ${suite} --save`);
  return found;
}

export function measured() {
  const idle = row('server', 'idle members');
  const returned = row('storm', 'per Computer that returns');
  return {
    memberMB: Number(idle['a2c, MB']) / Number(idle['idle members']),
    callMs: Number(row('server', 'two-hop call', 'server CPU per call of 10 KB').a2c) / 1_000,
    returnMs: Number(returned['CPU of a node, ms']),
    redisReturnMs: Number(returned['CPU of Redis, ms']),
    redisSeatBytes: Number(returned['memory of Redis per seat, bytes']),
  };
}

export function capacity({ memberMB, callMs, returnMs, redisReturnMs, redisSeatBytes }) {
  const perNodeByCpu = (ASSUMED.busy * 1_000) / (ASSUMED.callsPerSecond * callMs);
  const perNodeByMemory = ASSUMED.memoryMB / memberMB;
  const perNode = Math.floor(Math.min(perNodeByCpu, perNodeByMemory));
  return ASSUMED.computers.map((computers) => {
    const nodes = Math.ceil(computers / perNode) + 1; // one may be lost
    const onOne = computers / nodes;
    const returnSeconds = (onOne * returnMs) / 1_000 / ((nodes - 1) * (1 - ASSUMED.busy));
    const redisSeconds = (onOne * redisReturnMs) / 1_000;
    return {
      Computers: computers.toLocaleString('en'),
      'calls/s': (computers * ASSUMED.callsPerSecond).toLocaleString('en'),
      'Computers per node': Math.round(onOne).toLocaleString('en'),
      'limited by': perNodeByCpu < perNodeByMemory ? 'CPU' : 'memory',
      'nodes (one core each)': nodes,
      'memory of a node, MB': Math.round(onOne * memberMB),
      'seats in Redis, MB': Math.round((computers * redisSeatBytes) / 2 ** 20),
      'node lost: its Computers are back after, s': returnSeconds.toFixed(1),
      'node lost: CPU of Redis, s': redisSeconds.toFixed(1),
      'all return at once: CPU of Redis, s': ((computers * redisReturnMs) / 1_000).toFixed(0),
    };
  });
}

/** What was measured, and the table that follows from it. */
export function capacityTable() {
  const constants = measured();
  const { memberMB, callMs, returnMs, redisReturnMs, redisSeatBytes } = constants;
  const shown = [
    ['memory of a member on a node', `${(memberMB * 1_024).toFixed(1)} KB`],
    ['CPU time of a call with an answer of 10 KB', `${(callMs * 1_000).toFixed(0)} µs`],
    ['CPU time of a handshake and a join', `${returnMs.toFixed(2)} ms`],
    ['handshakes and joins of a core', `${Math.floor(1_000 / returnMs)} per second`],
    ['CPU time of Redis per join', `${redisReturnMs.toFixed(3)} ms`],
    ['memory of Redis per seat', `${redisSeatBytes} bytes`],
  ].map(([constant, value]) => ({ constant, measured: value }));
  return [markdown(shown), markdown(capacity(constants))].join('\n\n');
}

if (process.argv[1] === fileURLToPath(import.meta.url)) console.log(capacityTable());
