import { monitorEventLoopDelay } from 'node:perf_hooks';

const WORK = 300_000;
const WINDOW = 20;
const MAX_FACTOR = 20;

/** How much slower the machine is now than when it is idle, from the time that a fixed amount of work takes. */
export class MachineLoad {
  readonly #timer: NodeJS.Timeout;
  readonly #samples: number[] = [];
  readonly #delay = monitorEventLoopDelay();
  #best = Number.POSITIVE_INFINITY;

  constructor() {
    for (let i = 0; i < 20; i++) this.#measure();
    this.#delay.enable();
    this.#timer = setInterval(() => this.#measure(), 500);
  }

  /** At least 1. The worst of the last ten seconds. */
  get factor(): number {
    return Math.min(MAX_FACTOR, Math.max(1, ...this.#samples.map((ms) => ms / this.#best)));
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
    const from = performance.now();
    let sum = 0;
    for (let i = 0; i < WORK; i++) sum = (sum + i * i) % 1_000_003;
    const ms = performance.now() - from + sum * 0;
    this.#best = Math.min(this.#best, ms);
    this.#samples.push(ms);
    if (this.#samples.length > WINDOW) this.#samples.shift();
  }
}
