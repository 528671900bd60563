// What @a2c/sandbox costs: runs and calls of host functions, compared with a bare worker thread, and memory.
import { Worker } from 'node:worker_threads';
import { Sandbox } from '@a2c/sandbox';
import { median, quick, spread, table } from './table.js';

const MEBIBYTE = 1024 * 1024;
const ROUNDS = quick(5, 40);
const CALLS = quick(500, 2_000);
const ROWS = Array.from({ length: 5_000 }, (_, id) => ({ id, name: `row ${id}`, price: id * 1.5, tags: ['a', 'b'] }));

/** Answers every message; runs nothing. */
const ECHO = `const { parentPort } = require('node:worker_threads'); parentPort.on('message', (value) => parentPort.postMessage(value));`;

async function timed(action) {
  const started = performance.now();
  await action();
  return performance.now() - started;
}

const resident = () => process.memoryUsage.rss() / MEBIBYTE;

const startWorker = () => new Worker(ECHO, { eval: true });

const ask = (worker, value) =>
  new Promise((resolve) => {
    worker.once('message', resolve);
    worker.postMessage(value);
  });

/** Rounds alternate, so that other load of the machine affects both sides alike. */
async function compare(what, bare, sandboxed, perRound = 1) {
  const times = { bare: [], sandbox: [] };
  for (let round = -1; round < ROUNDS; round++) {
    const pair = [await timed(bare), await timed(sandboxed)].map((ms) => ms / perRound);
    if (round < 0) continue;
    times.bare.push(pair[0]);
    times.sandbox.push(pair[1]);
  }
  const ratios = times.sandbox.map((time, round) => time / times.bare[round]);
  return {
    what,
    'bare worker thread, ms': median(times.bare).toFixed(3),
    'sandbox, ms': median(times.sandbox).toFixed(3),
    ratio: median(ratios).toFixed(2),
    'from, to': spread(ratios),
  };
}

export default async function bench() {
  const before = resident();
  const sandbox = new Sandbox({ limits: { calls: CALLS, cpuMs: 60_000 } });
  const first = await timed(() => sandbox.run('return 1'));
  const firstTypeScript = await timed(() => sandbox.run('const x: number = 1; return x'));
  const echo = startWorker();
  const functions = { echo: ([value]) => value, rows: () => ROWS };
  const loop = `for (let i = 0; i < ${CALLS}; i++) await echo({ i })`;
  const filter = 'return (await rows()).filter((row) => row.id % 100 === 0).map((row) => row.name)';
  const fresh = async () => {
    const worker = startWorker();
    await ask(worker, 1);
    await worker.terminate();
  };
  const calls = async () => {
    for (let i = 0; i < CALLS; i++) await ask(echo, { i });
  };
  table([
    await compare('one run; a new thread', fresh, () => sandbox.run('return 1')),
    await compare(
      'one call of a host function; a message and its answer',
      calls,
      () => sandbox.run(loop, { functions }),
      CALLS,
    ),
    await compare(
      'filter 5,000 rows; send them there and back',
      () => ask(echo, ROWS),
      () => sandbox.run(filter, { functions }),
    ),
  ]);
  await echo.terminate();
  console.log();
  table([await memory(sandbox, before, first, firstTypeScript)]);
  await sandbox.close();
}

async function memory(sandbox, before, first, firstTypeScript) {
  const idle = resident();
  const four = Array.from({ length: 4 }, () => sandbox.run('await sleep(1000)'));
  await new Promise((resolve) => setTimeout(resolve, 800));
  const each = (resident() - idle) / 3;
  await Promise.all(four);
  const limited = new Sandbox({ limits: { cpuMs: 100 } });
  await limited.run('return 1');
  const endless = await timed(() => limited.run('for (;;);').catch(() => {}));
  await limited.close();
  return {
    'first run, ms': first.toFixed(1),
    'first TypeScript, ms': firstTypeScript.toFixed(1),
    'memory before and after, MiB': `${before.toFixed(0)}, ${idle.toFixed(0)}`,
    'each further worker, MiB': each.toFixed(0),
    'an endless loop with 100 ms of CPU ends after, ms': endless.toFixed(0),
  };
}
