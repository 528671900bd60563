import { setTimeout } from 'node:timers/promises';

/** Runs tasks one after another, in order. A task that fails rejects its own promise; the next task still runs. */
export class SerialQueue {
  #last: Promise<unknown> = Promise.resolve();

  run<T>(task: () => Promise<T>): Promise<T> {
    const result = this.#last.then(task, task);
    this.#last = result.catch(() => {});
    return result;
  }
}

/** Between two runs of a task: a server may ask for the next one without end. */
const PAUSE_MS = 50;
/** The pause doubles with each further run in a minute. So there are about 15 runs in a minute without end. */
const RUNS_WITHOUT_DELAY = 8;
const MINUTE_MS = 60_000;

/**
 * Coalesces requests for one task: any number of requests during a run cause exactly one more run, after a pause. The
 * pause grows while runs are requested again and again.
 */
export class CoalescedTask {
  readonly #task: () => Promise<void>;
  #requested = false;
  #running: Promise<void> | undefined;
  /** When the runs of the last minute ended. */
  #ends: readonly number[] = [];

  /** `task` handles its own errors. */
  constructor(task: () => Promise<void>) {
    this.#task = task;
  }

  /** Runs the task, now or after the present run. */
  request(): void {
    this.#requested = true;
    this.#running ??= this.#run().finally(() => {
      this.#running = undefined;
    });
  }

  async #run(): Promise<void> {
    while (this.#requested) {
      const pause = this.#pauseMs();
      if (pause > 0) await setTimeout(pause, undefined, { ref: false });
      this.#requested = false;
      await this.#task();
      this.#ends = [...this.#ends, performance.now()];
    }
  }

  #pauseMs(): number {
    const now = performance.now();
    this.#ends = this.#ends.filter((end) => now - end < MINUTE_MS);
    const pause = PAUSE_MS * 2 ** Math.max(0, this.#ends.length - RUNS_WITHOUT_DELAY);
    return (this.#ends.at(-1) ?? -pause) + pause - now;
  }
}
