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

/** Coalesces requests for one task: any number of requests during a run cause exactly one more run, after a pause. */
export class CoalescedTask {
  readonly #task: () => Promise<void>;
  #requested = false;
  #running: Promise<void> | undefined;

  /** `task` handles its own errors. */
  constructor(task: () => Promise<void>) {
    this.#task = task;
  }

  request(): void {
    this.#requested = true;
    this.#running ??= this.#run().finally(() => {
      this.#running = undefined;
    });
  }

  async #run(): Promise<void> {
    while (this.#requested) {
      this.#requested = false;
      await this.#task();
      if (this.#requested) await setTimeout(PAUSE_MS, undefined, { ref: false });
    }
  }
}
