// npm run chaos [-- --faults 60 --seed N --only 3,17 --keep]: injects faults into the whole system and checks that
// nothing is lost, nothing runs twice and everything heals. docs/reliability.md describes it.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import type { Violation } from './checks.js';
import { MachineLoad } from './machine-load.js';
import { type Fault, fingerprint, KINDS, planOf, type Round } from './plan.js';
import { processesUsing } from './resources.js';
import { type RoundResult, runRound } from './round.js';

const MAX_SHOWN = 8;

const { values } = parseArgs({
  options: {
    faults: { type: 'string', default: '60' },
    seed: { type: 'string' },
    only: { type: 'string' },
    keep: { type: 'boolean', default: false },
  },
});
const count = Number(values.faults);
const seed = values.seed === undefined ? Math.floor(Math.random() * 2 ** 31) : Number(values.seed);
if (!Number.isInteger(count) || count < 1 || !Number.isInteger(seed)) {
  console.error('--faults and --seed need an integer');
  process.exit(2);
}

const plan = planOf(seed, count);
const only = values.only?.split(',').map(Number);
const rounds = only ? selected(plan, only) : plan;
console.log(`seed ${seed}, ${count} faults, plan ${fingerprint(plan)}`);

const load = new MachineLoad();
const started = performance.now();
const results: RoundResult[] = [];
let folder = '';
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, stopNow);
for (const [i, round] of rounds.entries()) {
  folder = mkdtempSync(join(tmpdir(), 'a2c-chaos-'));
  const faults = round.bursts.flat();
  console.log(
    `\nround ${i + 1} of ${rounds.length}, ${round.layout}: faults ${faults[0]?.number}–${faults.at(-1)?.number}`,
  );
  const result = await runRound(round, folder, seed, load, (line) => console.log(`  ${line}`));
  results.push(result);
  if (result.violations.length > 0) {
    for (const violation of result.violations.slice(0, MAX_SHOWN)) print(violation, result);
    console.log(`\n${result.violations.length} violations. Files: ${folder}`);
    console.log(`again: npm run chaos -- --seed ${seed} --faults ${count}; with fewer faults: --only 1,2,3`);
    process.exit(1);
  }
  if (!values.keep) result.system.remove();
}
load.close();
summarize();
process.exit(0);

/** Ends everything that was started. Nothing is left but what was printed. */
function stopNow(): void {
  for (let left = processesUsing(folder); folder && left.length > 0; left = processesUsing(folder)) {
    for (const { pid } of left) {
      try {
        process.kill(pid, 'SIGKILL');
      } catch {
        // It has ended by itself.
      }
    }
  }
  if (folder) rmSync(folder, { recursive: true, force: true });
  process.exit(130);
}

function selected(all: readonly Round[], numbers: readonly number[]): Round[] {
  return all
    .map(({ layout, bursts }) => ({
      layout,
      bursts: bursts.map((burst) => burst.filter(({ number }) => numbers.includes(number))).filter((b) => b.length > 0),
    }))
    .filter(({ bursts }) => bursts.length > 0);
}

/** A violation with what happened to the programs it concerns, from shortly before to its end. */
function print({ what, who, call, from, to, details = [] }: Violation, { timeline, system }: RoundResult): void {
  const { starts, ends, notes, executions } = system.records;
  const happenings = [
    ...notes.map(({ t, caller, text }) => ({ t, who: caller, what: text })),
    ...starts.filter(({ id }) => id === call).map(({ t, caller, id }) => ({ t, who: caller, what: `call ${id}` })),
    ...executions
      .filter(({ id }) => id === call)
      .map(({ t, computer, pid }) => ({ t, who: computer, what: `executes it, pid ${pid}` })),
    ...ends
      .filter(({ id }) => id === call)
      .map(({ t, caller, outcome, execution, text }) => ({
        t,
        who: caller,
        what: `end: ${outcome}, ${execution}: ${text}`,
      })),
  ];
  console.log(`\nVIOLATION: ${what}`);
  for (const line of timeline.lines(from, to, who, happenings).slice(-60)) console.log(`  ${line}`);
  for (const line of details) console.log(`  ${line}`);
}

function summarize(): void {
  const sum = (pick: (result: RoundResult) => number) => results.reduce((total, result) => total + pick(result), 0);
  const outcomes = new Map<string, number>();
  for (const result of results) {
    for (const [key, n] of result.outcomes) outcomes.set(key, (outcomes.get(key) ?? 0) + n);
  }
  const healed = results.flatMap(({ healedMs }) => healedMs).toSorted((a, b) => a - b);
  const at = (share: number) => `${((healed[Math.floor((healed.length - 1) * share)] ?? 0) / 1_000).toFixed(1)} s`;
  const faults = rounds.flatMap(({ bursts }) => bursts.flat()) as Fault[];
  const rows: [string, string][] = [
    ['faults', String(faults.length)],
    ...Object.keys(KINDS).map((kind): [string, string] => [
      `– ${kind}`,
      String(faults.filter((f) => f.kind === kind).length),
    ]),
    ['calls', String(sum(({ calls }) => calls))],
    ...[...outcomes].toSorted().map(([key, n]): [string, string] => [`– ${key}`, String(n)]),
    ['executions', String(sum(({ executions }) => executions))],
    ['healed after a burst: median, longest', `${at(0.5)}, ${at(1)}`],
    ['largest process', `${Math.max(...results.map(({ largestMb }) => largestMb))} MB`],
    ['violations', '0'],
    ['duration', `${Math.round((performance.now() - started) / 1_000)} s`],
  ];
  console.log(`\n| seed ${seed} | |\n|---|---|`);
  for (const [name, value] of rows) console.log(`| ${name} | ${value} |`);
}
