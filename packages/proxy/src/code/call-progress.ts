import type { CallOptions } from '@a2c/protocol';

/** Progress is reported at most this often. */
const INTERVAL_MS = 100;

/** Counts the tool calls of one run and reports how many are done. */
export class CallProgress {
  readonly #onProgress: CallOptions['onProgress'];
  #started = 0;
  #done = 0;
  #reportedAt = Number.NEGATIVE_INFINITY;
  #timer: NodeJS.Timeout | undefined;

  constructor(onProgress: CallOptions['onProgress']) {
    this.#onProgress = onProgress;
  }

  /** Counts one call while it runs. */
  async count<T>(call: () => Promise<T>): Promise<T> {
    this.#started += 1;
    try {
      return await call();
    } finally {
      this.#done += 1;
      this.#reportSoon();
    }
  }

  /** Reports nothing from now on. */
  stop(): void {
    clearTimeout(this.#timer);
  }

  #reportSoon(): void {
    if (!this.#onProgress || this.#timer) return;
    const waitMs = this.#reportedAt + INTERVAL_MS - performance.now();
    if (waitMs <= 0) this.#report();
    else this.#timer = setTimeout(() => this.#report(), waitMs);
  }

  #report(): void {
    this.#timer = undefined;
    this.#reportedAt = performance.now();
    const message = `${this.#done} of ${this.#started} calls done`;
    this.#onProgress?.({ progress: this.#done, message });
  }
}
