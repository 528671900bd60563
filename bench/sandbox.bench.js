// What @a2c/sandbox costs: the first run, later runs, TypeScript, a call of a host function, memory.
import { Sandbox } from '@a2c/sandbox';
import { median } from './table.js';

const MEBIBYTE = 1024 * 1024;
const RUNS = 100;
const CALLS = 2_000;

const line = (name, value) => console.log(`${name.padEnd(52)} ${value}`);
const ms = (value) => `${value.toFixed(1)} ms`;
const resident = () => process.memoryUsage.rss() / MEBIBYTE;

async function timed(action) {
  const started = performance.now();
  await action();
  return performance.now() - started;
}

async function each(times, action) {
  const took = [];
  for (let count = 0; count < times; count++) took.push(await timed(action));
  return took;
}

export default async function bench() {
  const before = resident();
  const sandbox = new Sandbox({ limits: { calls: CALLS, cpuMs: 60_000 } });
  line('first run, loading included', ms(await timed(() => sandbox.run('return 1'))));
  const back = await each(RUNS, () => sandbox.run('return 1'));
  line('later runs back to back, median and worst', `${ms(median(back))}, ${ms(Math.max(...back))}`);
  const apart = [];
  for (let count = 0; count < 20; count++) {
    await new Promise((resolve) => setTimeout(resolve, 100));
    apart.push(await timed(() => sandbox.run('return 1')));
  }
  line('later runs 100 ms apart, median and worst', `${ms(median(apart))}, ${ms(Math.max(...apart))}`);
  line(`resident memory before and after ${RUNS} runs`, `${before.toFixed(0)} MiB, ${resident().toFixed(0)} MiB`);

  const typescript = 'const x: number = 1; return x';
  line('first TypeScript, loading included', ms(await timed(() => sandbox.run(typescript))));
  line('later TypeScript, median', ms(median(await each(20, () => sandbox.run(typescript)))));

  const functions = { echo: ([value]) => value };
  const serial = await timed(() => sandbox.run(`for (let i = 0; i < ${CALLS}; i++) await echo({ i })`, { functions }));
  line('call of a host function, one after another', `${((serial * 1000) / CALLS).toFixed(0)} µs`);
  const all = `await Promise.all(Array.from({ length: ${CALLS} }, (_, i) => echo({ i })))`;
  line(
    'the same, all at once',
    `${(((await timed(() => sandbox.run(all, { functions }))) * 1000) / CALLS).toFixed(0)} µs`,
  );

  const rows = Array.from({ length: 5_000 }, (_, id) => ({ id, name: `row ${id}`, price: id * 1.5, tags: ['a', 'b'] }));
  const filter = 'return (await rows()).filter((row) => row.id % 100 === 0).map((row) => row.name)';
  const filtered = await each(10, () => sandbox.run(filter, { functions: { rows: () => rows } }));
  line(`filter ${rows.length} rows, ${JSON.stringify(rows).length} bytes, median`, ms(median(filtered)));
  const returned = await each(10, () => sandbox.run('return await rows()', { functions: { rows: () => rows } }));
  line('return them all, median', ms(median(returned)));

  const idle = resident();
  const four = Array.from({ length: 4 }, () => sandbox.run('await sleep(1000)'));
  await new Promise((resolve) => setTimeout(resolve, 800));
  line('resident memory of each further worker with a run', `${((resident() - idle) / 3).toFixed(0)} MiB`);
  await Promise.all(four);
  const stopped = new Sandbox({ limits: { cpuMs: 100 } });
  await stopped.run('return 1');
  const took = await timed(() => stopped.run('for (;;);').catch(() => {}));
  line('an endless loop with a CPU limit of 100 ms ends after', ms(took));
  const next = await timed(() => stopped.run('return 1'));
  line('the run right after it', ms(next));
  await Promise.all([sandbox.close(), stopped.close()]);
}
