import { readFileSync } from 'node:fs';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { nowMs } from './clock.js';

const EVERY_MS = 500;
const WINDOW = 20;
const MAX_FACTOR = 100;
/** Processes that ran less say little about the machine. */
const MIN_RUN_MS = 20;

/** How long the main thread of a process ran, and how long it waited for a processor. */
interface Scheduled {
  readonly runMs: number;
  readonly waitMs: number;
}

/** How much slower the machine is for the programs now than when it is idle, as its scheduler counts it. */
export class MachineLoad {
  readonly #timer: NodeJS.Timeout;
  /** The samples of each process in the last ten seconds, oldest first. */
  readonly #samples = new Map<number, Scheduled[]>();
  readonly #delay = monitorEventLoopDelay();
  readonly #factors: { readonly t: number; readonly factor: number }[] = [];
  #pids: () => readonly number[] = () => [];

  constructor() {
    this.#delay.enable();
    this.#timer = setInterval(() => this.#measure(), EVERY_MS);
  }

  /** @param pids returns the processes that the time limits concern; the harness itself always belongs to them */
  watch(pids: () => readonly number[]): void {
    this.#pids = pids;
  }

  /** At least 1: the time in which the processes could run, by the time in which they ran, in the last ten seconds. */
  get factor(): number {
    let runMs = 0;
    let waitMs = 0;
    for (const samples of this.#samples.values()) {
      const [first, last] = [samples[0], samples.at(-1)] as [Scheduled, Scheduled];
      runMs += last.runMs - first.runMs;
      waitMs += last.waitMs - first.waitMs;
    }
    return runMs < MIN_RUN_MS ? 1 : Math.min(MAX_FACTOR, 1 + waitMs / runMs);
  }

  /** The largest factor in a time that is over. */
  factorBetween(from: number, to: number): number {
    return Math.max(1, ...this.#factors.filter(({ t }) => t >= from && t <= to + EVERY_MS).map(({ factor }) => factor));
  }

  /** The longest time since the last question in which the harness, and with it its TCP proxy, did not run. */
  longestStallMs(): number {
    const ms = this.#delay.max / 1e6;
    this.#delay.reset();
    return ms;
  }

  close(): void {
    clearInterval(this.#timer);
    this.#delay.disable();
  }

  #measure(): void {
    const pids = new Set([process.pid, ...this.#pids()]);
    for (const pid of this.#samples.keys()) if (!pids.has(pid)) this.#samples.delete(pid);
    for (const pid of pids) {
      const sample = scheduled(pid);
      if (!sample) continue;
      const samples = this.#samples.get(pid) ?? [{ runMs: 0, waitMs: 0 }];
      this.#samples.set(pid, [...samples, sample].slice(-WINDOW - 1));
    }
    this.#factors.push({ t: nowMs(), factor: this.factor });
  }
}

function scheduled(pid: number): Scheduled | undefined {
  try {
    const [run = 0, wait = 0] = readFileSync(`/proc/${pid}/schedstat`, 'utf8').split(' ').map(Number);
    return { runMs: run / 1e6, waitMs: wait / 1e6 };
  } catch {
    return undefined; // it has ended
  }
}
