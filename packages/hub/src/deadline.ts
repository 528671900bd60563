import { setMaxListeners } from 'node:events';
import { raceSignal, timerMs } from '@a2c/protocol';
import { HubError, type HubErrorOptions } from './errors.js';

export interface DeadlineOptions extends Pick<HubErrorOptions, 'server' | 'tool'> {
  /** What must end in time, for the error message. */
  readonly what: string;
  /** The caller's signal: aborting it cancels the work. */
  readonly signal?: AbortSignal | undefined;
}

/** When work has to stop, and why. */
export interface Cancellation {
  /** Why it has to stop; undefined while it may go on. */
  readonly reason: Error | undefined;
  /** Calls the listener once when the work has to stop. Call the returned function at the end of the work. */
  onAbort(listener: (reason: Error) => void): () => void;
}

/** The cancellation of work that has only a signal. */
export function cancellationOf(signal: AbortSignal): Cancellation {
  return {
    get reason() {
      return signal.aborted ? (signal.reason as Error) : undefined;
    },
    onAbort: (listener) => {
      const onAbort = () => listener(signal.reason as Error);
      signal.addEventListener('abort', onAbort, { once: true });
      return () => signal.removeEventListener('abort', onAbort);
    },
  };
}

/**
 * A time limit and a cancellation in one. It ends with a `HubError` of kind `timeout` or `cancelled`. Call `release()`
 * at the end: the caller's signal may outlive thousands of calls.
 */
export class Deadline implements Cancellation {
  readonly #startedAt = performance.now();
  readonly #options: DeadlineOptions;
  readonly #listeners = new Set<(reason: Error) => void>();
  #endsAt: number;
  #timer: NodeJS.Timeout;
  #reason: HubError | undefined;
  #isReleased = false;
  /** Created when a signal is needed: most calls end without one. */
  #controller: AbortController | undefined;
  readonly #onAbort = () => this.#abort('cancelled', 'the call was cancelled', this.#options.signal?.reason);

  constructor(ms: number, options: DeadlineOptions) {
    const { signal } = options;
    this.#options = options;
    this.#endsAt = this.#startedAt + timerMs(ms);
    this.#timer = setTimeout(this.#onTimeout, timerMs(ms));
    if (!signal) return;
    // All concurrent calls of a caller may listen to one signal, and all requests of a start to that of the start.
    setMaxListeners(0, signal);
    if (signal.aborted) this.#onAbort();
    else signal.addEventListener('abort', this.#onAbort, { once: true });
  }

  get reason(): HubError | undefined {
    return this.#reason;
  }

  onAbort(listener: (reason: Error) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  get signal(): AbortSignal {
    if (!this.#controller) {
      this.#controller = new AbortController();
      setMaxListeners(0, this.#controller.signal);
      if (this.#reason) this.#controller.abort(this.#reason);
    }
    return this.#controller.signal;
  }

  #abort(kind: 'timeout' | 'cancelled', message: string, cause?: unknown): void {
    if (this.#reason) return;
    const { server, tool } = this.#options;
    const subject = { ...(server !== undefined && { server }), ...(tool !== undefined && { tool }) };
    const reason = new HubError(kind, message, { ...subject, cause });
    this.#reason = reason;
    this.#controller?.abort(reason);
    for (const listener of this.#listeners) listener(reason);
    this.#listeners.clear();
  }

  readonly #onTimeout = () => {
    const seconds = Math.round(this.#endsAt - this.#startedAt) / 1_000;
    this.#abort('timeout', `${this.#options.what} took longer than ${seconds} s`);
  };

  /** Moves the end to `ms` from now if that is later, and at most to `maxMs` after the beginning. */
  extend(ms: number, maxMs: number): void {
    const endsAt = Math.min(performance.now() + timerMs(ms), this.#startedAt + timerMs(maxMs));
    if (endsAt <= this.#endsAt || this.#reason || this.#isReleased) return;
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
    this.#options.signal?.removeEventListener('abort', this.#onAbort);
  }
}
