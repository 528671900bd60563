/** The longest delay a timer accepts: 24.8 days. A longer one would fire at once. */
const MAX_TIMER_MS = 2 ** 31 - 1;

/** Limits a delay to what a timer accepts: 24.8 days. */
export function timerMs(ms: number): number {
  return Math.min(ms, MAX_TIMER_MS);
}

/**
 * Delays between attempts: exponential up to a maximum, with jitter so that many clients do not reconnect at once.
 *
 * @example
 * ```ts
 * const backoff = new Backoff(1_000, 30_000);
 * while (!(await tryToConnect())) await delay(backoff.next());
 * ```
 */
export class Backoff {
  readonly #maxMs: number;
  #nextMs: number;

  /** Starts at `minMs` and doubles up to `maxMs`. */
  constructor(minMs: number, maxMs: number) {
    this.#nextMs = Math.min(minMs, maxMs);
    this.#maxMs = maxMs;
  }

  /** Returns the next delay in milliseconds. */
  next(): number {
    const delayMs = this.#nextMs;
    this.#nextMs = Math.min(delayMs * 2, this.#maxMs);
    return timerMs(delayMs) * (0.5 + Math.random() / 2);
  }
}

/**
 * Settles with the promise, or rejects with the reason of the signal if it aborts first. The promise is not cancelled.
 */
export function raceSignal<T>(promise: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (!signal) return promise;
  return new Promise((resolve, reject) => {
    const onAbort = () => reject(signal.reason);
    promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', onAbort));
    if (signal.aborted) onAbort();
    else signal.addEventListener('abort', onAbort, { once: true });
  });
}

/** Resolves after the delay, or rejects with the reason of the signal when it aborts first. */
export function delay(ms: number, signal?: AbortSignal): Promise<void> {
  let timer: ReturnType<typeof setTimeout>;
  const elapsed = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, timerMs(ms));
  });
  const settled = raceSignal(elapsed, signal);
  if (signal) settled.catch(() => clearTimeout(timer));
  return settled;
}

/** When `withTimeout` gives up on a promise. */
export interface TimeoutOptions {
  readonly ms: number;
  /** Creates the error to reject with after the time. */
  readonly onTimeout: () => Error;
  /** Aborting it rejects with its reason. */
  readonly signal?: AbortSignal | undefined;
}

/** Settles with the promise, or rejects after the time or when the signal aborts. The promise is not cancelled. */
export function withTimeout<T>(promise: Promise<T>, { ms, onTimeout, signal }: TimeoutOptions): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(onTimeout()), timerMs(ms));
    raceSignal(promise, signal)
      .finally(() => clearTimeout(timer))
      .then(resolve, reject);
  });
}
