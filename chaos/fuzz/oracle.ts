import type { WatchedProcess } from './watched-process.js';
import { threadTimes } from './watched-process.js';

/** How long an honest peer waits, not counting the time in which other programs had the processors. */
const HONEST_MS = 1_000;
/** The same, if the process used no processor time meanwhile: the machine may have stood still. */
const IDLE_MS = 10_000;

/** One message of an attacker, sent in a way that can be repeated. */
export interface Shot {
  readonly text: string;
  /** The CPU time that it may cost. */
  readonly limitMs: number;
  /** Sends it. Resolves when it was taken, or refused. */
  readonly fire: () => Promise<void>;
}

/** Checks a process under attack: its cost per message, and honest peers beside the attackers. */
export class Oracle {
  readonly #process: WatchedProcess;
  readonly #honest: () => Promise<void>;
  readonly failures: string[] = [];
  /** The CPU time of the costliest message that was measured alone. */
  costliestMs = 0;
  /** The longest time that an honest peer waited. */
  slowestMs = 0;

  constructor(process: WatchedProcess, honest: () => Promise<void>) {
    this.#process = process;
    this.#honest = honest;
  }

  /** Fires all, then serves an honest peer. If all together cost more than one may, each is measured alone. */
  async attack(shots: readonly Shot[]): Promise<void> {
    const cost = await this.#costOf(shots);
    if (this.#isOver()) return;
    const limit = Math.min(...shots.map(({ limitMs }) => limitMs)) * speed();
    if (cost <= limit) return;
    for (const shot of shots) {
      // The lowest of three: the first may compile code, and each may meet a garbage collection.
      let lowest = Number.POSITIVE_INFINITY;
      for (let i = 0; i < 3 && lowest > shot.limitMs * speed(); i++)
        lowest = Math.min(lowest, await this.#costOf([shot]));
      if (this.#isOver()) return;
      this.costliestMs = Math.max(this.costliestMs, lowest / speed());
      if (lowest > shot.limitMs * speed())
        this.failures.push(`${lowest.toFixed(0)} ms of CPU for ${JSON.stringify(shot.text.slice(0, 300))}`);
    }
  }

  /** The CPU time of the process for these messages and one of an honest peer. */
  async #costOf(shots: readonly Shot[]): Promise<number> {
    if (this.#isOver()) return 0;
    const before = this.#process.times.cpu;
    await Promise.all(shots.map(({ fire }) => fire()));
    if (this.#isOver()) return 0;
    await this.#serveHonest();
    if (this.#isOver()) return 0;
    return this.#process.times.cpu - before;
  }

  async #serveHonest(): Promise<void> {
    const others = () => this.#process.times.waited + threadTimes(process.pid).waited;
    const [from, othersBefore, cpuBefore] = [performance.now(), others(), this.#process.times.cpu];
    try {
      await this.#honest();
    } catch (error) {
      this.failures.push(this.#process.failure ?? `an honest peer was not served: ${error}`);
      return;
    }
    if (this.#isOver()) return;
    const ms = performance.now() - from - (others() - othersBefore);
    const isBusy = this.#process.times.cpu - cpuBefore > HONEST_MS / 2;
    this.slowestMs = Math.max(this.slowestMs, ms);
    if (ms > (isBusy ? HONEST_MS : IDLE_MS) * speed())
      this.failures.push(`an honest peer waited for ${ms.toFixed(0)} ms`);
  }

  #isOver(): boolean {
    const { failure } = this.#process;
    if (failure !== undefined && !this.failures.includes(failure)) this.failures.push(failure);
    return this.failures.length > 0;
  }
}

const ITEMS = JSON.stringify(Array.from({ length: 20_000 }, (_, i) => ({ id: i, name: `n${i}` })));
/** CPU time of parsing it on a usual machine. */
const USUAL_MS = 4;
const PARSES = 5;
let measured: { readonly factor: number; readonly at: number } | undefined;

/** How much slower a processor is than a usual one, at least 1. Processors that share a core slow each other down. */
export function speed(): number {
  if (measured && performance.now() - measured.at < 2_000) return measured.factor;
  const times = Array.from({ length: PARSES }, parseMs).toSorted((a, b) => a - b);
  const median = times[Math.floor(PARSES / 2)] as number;
  measured = { factor: Math.max(1, median / USUAL_MS), at: performance.now() };
  return measured.factor;
}

/** The CPU time of parsing: at most what passed, and at most what all threads of this process used. */
function parseMs(): number {
  const [cpu, from] = [process.cpuUsage(), performance.now()];
  JSON.parse(ITEMS);
  const { user, system } = process.cpuUsage(cpu);
  return Math.min(performance.now() - from, (user + system) / 1_000);
}
