const WORK = 2_000_000;
const WINDOW = 20;
const MAX_FACTOR = 8;

/** How much slower the machine is now than when it is idle, from the time that a fixed amount of work takes. */
export class MachineLoad {
  readonly #timer: NodeJS.Timeout;
  readonly #samples: number[] = [];
  #best = Number.POSITIVE_INFINITY;

  constructor() {
    for (let i = 0; i < 5; i++) this.#measure();
    this.#timer = setInterval(() => this.#measure(), 500);
  }

  /** At least 1. The worst of the last ten seconds. */
  get factor(): number {
    return Math.min(MAX_FACTOR, Math.max(1, ...this.#samples.map((ms) => ms / this.#best)));
  }

  close(): void {
    clearInterval(this.#timer);
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
