/** Pauses between attempts: doubling up to a bound, each shortened by chance so that many do not come back in one moment. */
export class Backoff {
  readonly #maxMs: number;
  #nextMs: number;

  constructor(minMs: number, maxMs: number) {
    this.#nextMs = Math.min(minMs, maxMs);
    this.#maxMs = maxMs;
  }

  next(): number {
    const pause = this.#nextMs;
    this.#nextMs = Math.min(pause * 2, this.#maxMs);
    return timerMs(pause) * (0.5 + Math.random() / 2);
  }
}

/** The longest wait of a timer, 24.8 days. What is longer would not be waited for at all. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

/** A wait that a timer can keep. */
export function timerMs(ms: number): number {
  return Math.min(ms, LONGEST_TIMER_MS);
}
