import { readdirSync, writeFileSync } from 'node:fs';
import { attemptsOf, checkCalls, reasonsOf, unserved, type Violation } from './checks.js';
import { nowMs } from './clock.js';
import { inject } from './faults.js';
import type { MachineLoad } from './machine-load.js';
import type { Fault, Round } from './plan.js';
import { processesUsing, Resources } from './resources.js';
import { System } from './system.js';
import { Timeline } from './timeline.js';

const HEAL_MS = 10_000;
const SLACK_MS = 1_000;
const STOP_MS = 20_000;
const LEFT_MS = 5_000;

const sleep = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

export interface RoundResult {
  readonly violations: readonly Violation[];
  readonly timeline: Timeline;
  readonly system: System;
  readonly calls: number;
  readonly executions: number;
  readonly outcomes: ReadonlyMap<string, number>;
  /** How long it took after each burst until all were served again. */
  readonly healedMs: readonly number[];
  readonly largestMb: number;
}

/** Starts a system, injects the faults of a round, and checks everything. */
export async function runRound(
  round: Round,
  folder: string,
  seed: number,
  load: MachineLoad,
  report: (line: string) => void,
): Promise<RoundResult> {
  const timeline = new Timeline();
  const system = new System(folder, round.layout, seed, timeline, load);
  const violations: Violation[] = [];
  const healedMs: number[] = [];
  const resources = new Resources(system.programs);
  const violated = (what: string, from = timeline.startedAt, who?: ReadonlySet<string>) =>
    violations.push({ what, from, to: nowMs(), ...(who && { who }) });
  try {
    load.watch(() => [...system.programs.values()].flatMap(({ pid }) => pid ?? []));
    await system.start();
    await healed(system, nowMs(), () => 30_000 * load.factor);
    for (const burst of round.bursts) {
      const from = nowMs();
      let factor = load.factor;
      await injectAll(system, burst);
      const over = nowMs();
      const limitMs = () => {
        factor = Math.max(factor, load.factor);
        return HEAL_MS * factor;
      };
      const { left, last } = await healed(system, over, limitMs);
      const ms = nowMs() - over;
      healedMs.push(ms);
      const machine = `machine up to ${factor.toFixed(1)} times slower, harness stalled for up to ${Math.round(load.longestStallMs())} ms`;
      const healing = `healed after ${seconds(ms)}, last ${last.join(', ')}`;
      report(`faults ${burst[0]?.number}–${burst.at(-1)?.number}: ${healing} (${machine})`);
      if (left.length === 0) continue;
      const details = reasonsOf(left, system.records, system.programs);
      violations.push({
        what: `not healed ${seconds(ms)} after the last fault: ${left.join(', ')}`,
        from,
        to: nowMs(),
        details,
      });
      break;
    }
    resources.measure();
    for (const what of resources.grown()) violated(what);
    const late = await system.stop(STOP_MS * load.factor);
    for (const what of late) violated(what, nowMs() - STOP_MS * load.factor);
    await checkLeftovers(system, violated);
  } catch (error) {
    violated(String((error as Error).stack ?? error));
  } finally {
    resources.close();
    await system.killAll();
    writeFileSync(system.path('timeline.txt'), timeline.lines(0, Number.POSITIVE_INFINITY).join('\n'));
  }
  system.records.update();
  for (const { name, unexpectedExits } of system.programs.values()) {
    for (const exit of unexpectedExits)
      violated(`${name} ended unexpectedly: ${exit}`, timeline.startedAt, new Set([name]));
  }
  const slackMs = (from: number, to: number) => SLACK_MS * load.factorBetween(from, to);
  violations.push(...checkCalls({ records: system.records, programs: system.programs, slackMs, endedAt: nowMs() }));
  const attempts = attemptsOf(system.records);
  const outcomes = new Map<string, number>();
  for (const { end } of attempts) {
    const key = end ? `${end.outcome}, ${end.execution}` : 'caller killed';
    outcomes.set(key, (outcomes.get(key) ?? 0) + 1);
  }
  const counts = { calls: attempts.length, executions: system.records.executions.length };
  return { violations, timeline, system, ...counts, outcomes, healedMs, largestMb: resources.largest };
}

async function injectAll(system: System, burst: readonly Fault[]): Promise<void> {
  const from = nowMs();
  await Promise.all(
    burst.map(async (fault) => {
      await sleep(Math.max(0, from + fault.atMs - nowMs()));
      await inject(system, fault);
    }),
  );
}

/** Waits until every caller was served by each of its Computers. Returns the pairs that were not, and the last. */
async function healed(
  system: System,
  since: number,
  limitMs: () => number,
): Promise<{ readonly left: readonly string[]; readonly last: readonly string[] }> {
  for (let last: readonly string[] = []; ; ) {
    system.records.update();
    const left = unserved(system.records, since);
    if (left.length === 0 || nowMs() > since + limitMs()) return { left, last };
    last = left;
    await sleep(50);
  }
}

async function checkLeftovers(system: System, violated: (what: string, from?: number) => void): Promise<void> {
  const deadline = nowMs() + LEFT_MS;
  let left = processesUsing(system.folder);
  while (left.length > 0 && nowMs() < deadline) {
    await sleep(100);
    left = processesUsing(system.folder);
  }
  for (const { pid, command } of left) violated(`a process is left: pid ${pid}: ${command}`, nowMs() - 30_000);
  for (const file of readdirSync(system.path('tmp'))) violated(`a temporary file is left: ${file}`);
}

function seconds(ms: number): string {
  return `${(ms / 1_000).toFixed(1)} s`;
}
