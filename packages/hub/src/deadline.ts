import { setMaxListeners } from 'node:events';
import { raceSignal, timerMs } from '@a2c/protocol';
import { type Cancellation, Canceller, cancellationOf } from './cancellation.js';
import { HubError } from './errors.js';

export interface DeadlineOptions {
  /** The server and the tool, for the error. */
  readonly server?: string | undefined;
  readonly tool?: string | undefined;
  /** What must end in time, for the error message. */
  readonly what: string;
  /** The caller's signal: aborting it cancels the work. */
  readonly signal?: AbortSignal | undefined;
  /** The same, of a caller that may need no signal. */
  readonly cancellation?: Cancellation | undefined;
}

/**
 * A time limit and a cancellation in one. It ends with a `HubError` of kind `timeout` or `cancelled`. Call `release()`
 * at the end: the caller's signal may outlive thousands of calls.
 */
export class Deadline extends Canceller {
  readonly #startedAt = performance.now();
  readonly #options: DeadlineOptions;
  readonly #stopListening: (() => void) | undefined;
  #endsAt: number;
  #timer: NodeJS.Timeout;
  #isReleased = false;

  constructor(ms: number, options: DeadlineOptions) {
    super();
    const { signal } = options;
    this.#options = options;
    this.#endsAt = this.#startedAt + timerMs(ms);
    this.#timer = setTimeout(this.#onTimeout, timerMs(ms));
    // All concurrent calls of a caller may listen to one signal, and all requests of a start to that of the start.
    if (signal) setMaxListeners(0, signal);
    const caller = options.cancellation ?? (signal && cancellationOf(signal));
    if (!caller) return;
    if (caller.reason !== undefined) this.#cancel(caller.reason);
    else this.#stopListening = caller.onAbort((reason) => this.#cancel(reason));
  }

  #cancel(cause: unknown): void {
    this.#end('cancelled', 'the call was cancelled', cause);
  }

  #end(kind: 'timeout' | 'cancelled', message: string, cause?: unknown): void {
    if (this.reason) return;
    const { server, tool } = this.#options;
    const subject = { ...(server !== undefined && { server }), ...(tool !== undefined && { tool }) };
    this.abort(new HubError(kind, message, { ...subject, cause }));
  }

  readonly #onTimeout = () => {
    const seconds = Math.round(this.#endsAt - this.#startedAt) / 1_000;
    this.#end('timeout', `${this.#options.what} took longer than ${seconds} s`);
  };

  /** Moves the end to `ms` from now if that is later, and at most to `maxMs` after the beginning. */
  extend(ms: number, maxMs: number): void {
    const endsAt = Math.min(performance.now() + timerMs(ms), this.#startedAt + timerMs(maxMs));
    if (endsAt <= this.#endsAt || this.reason || this.#isReleased) return;
    clearTimeout(this.#timer);
    this.#endsAt = endsAt;
    this.#timer = setTimeout(this.#onTimeout, this.remainingMs);
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

  get remainingMs(): number {
    return Math.max(0, this.#endsAt - performance.now());
  }

  /** Settles with the promise, or rejects when the deadline aborts first. The promise itself goes on. */
  race<T>(promise: Promise<T>): Promise<T> {
    return raceSignal(promise, this.signal);
  }

  release(): void {
    this.#isReleased = true;
    clearTimeout(this.#timer);
    this.#stopListening?.();
  }
}
