import { setMaxListeners } from 'node:events';
import { raceSignal, timerMs } from '@a2c/protocol';
import { HubError, type HubErrorOptions } from './errors.js';

export interface DeadlineOptions extends Pick<HubErrorOptions, 'server' | 'tool'> {
  /** What must end in time, for the error message. */
  readonly what: string;
  /** The caller's signal: aborting it cancels the work. */
  readonly signal?: AbortSignal | undefined;
}

/**
 * A time limit and a cancellation in one signal. The signal aborts with a `HubError` of kind `timeout` or `cancelled`.
 * Call `release()` at the end: the caller's signal may outlive thousands of calls.
 */
export class Deadline {
  readonly #controller = new AbortController();
  readonly #startedAt = performance.now();
  #endsAt: number;
  #timer: NodeJS.Timeout;
  readonly #options: DeadlineOptions;
  readonly #onAbort = () => this.#abort('cancelled', 'the call was cancelled', this.#options.signal?.reason);

  constructor(ms: number, options: DeadlineOptions) {
    const { signal } = options;
    // All concurrent calls of a caller may listen to one signal, and all requests of a start to that of the start.
    setMaxListeners(0, this.signal, ...(signal ? [signal] : []));
    this.#options = options;
    this.#endsAt = this.#startedAt + timerMs(ms);
    this.#timer = this.#arm();
    if (signal?.aborted) this.#onAbort();
    else signal?.addEventListener('abort', this.#onAbort, { once: true });
  }

  #abort(kind: 'timeout' | 'cancelled', message: string, cause?: unknown): void {
    const { server, tool } = this.#options;
    const subject = { ...(server !== undefined && { server }), ...(tool !== undefined && { tool }) };
    this.#controller.abort(new HubError(kind, message, { ...subject, cause }));
  }

  #arm(): NodeJS.Timeout {
    const totalMs = this.#endsAt - this.#startedAt;
    const message = `${this.#options.what} took longer than ${Math.round(totalMs) / 1_000} s`;
    return setTimeout(() => this.#abort('timeout', message), this.remainingMs);
  }

  /** Moves the end to `ms` from now if that is later, and at most to `maxMs` after the beginning. */
  extend(ms: number, maxMs: number): void {
    const endsAt = Math.min(performance.now() + timerMs(ms), this.#startedAt + timerMs(maxMs));
    if (endsAt <= this.#endsAt || this.signal.aborted) return;
    clearTimeout(this.#timer);
    this.#endsAt = endsAt;
    this.#timer = this.#arm();
  }

  /** Runs `work` under a deadline and releases it. */
  static async run<T>(ms: number, options: DeadlineOptions, work: (deadline: Deadline) => Promise<T>): Promise<T> {
    const deadline = new Deadline(ms, options);
    try {
      return await work(deadline);
    } finally {
      deadline.release();
    }
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  get remainingMs(): number {
    return Math.max(0, this.#endsAt - performance.now());
  }

  /** Settles with the promise, or rejects when the deadline aborts first. The promise itself goes on. */
  race<T>(promise: Promise<T>): Promise<T> {
    return raceSignal(promise, this.signal);
  }

  release(): void {
    clearTimeout(this.#timer);
    this.#options.signal?.removeEventListener('abort', this.#onAbort);
  }
}
