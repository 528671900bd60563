import { HubError } from './errors.js';

/**
 * One bound in time and one way to give up, for everything a request does. Its signal aborts with a `HubError` that says
 * which of the two it was. Always `release()`d: a caller's signal may outlive thousands of calls.
 */
export class Deadline {
  readonly #controller = new AbortController();
  readonly #endsAt: number;
  readonly #timer: NodeJS.Timeout;
  readonly #caller: AbortSignal | undefined;
  readonly #onAbort = () =>
    this.#controller.abort(
      new HubError('cancelled', 'the call was cancelled', {
        cause: this.#caller?.reason,
      }),
    );

  constructor(seconds: number, what: string, caller?: AbortSignal) {
    const ms = Math.min(seconds * 1_000, LONGEST_TIMER_MS);
    this.#endsAt = performance.now() + ms;
    const expire = () => this.#controller.abort(new HubError('timeout', `${what} took longer than ${seconds} s`));
    this.#timer = setTimeout(expire, ms);
    this.#caller = caller;
    if (caller?.aborted) this.#onAbort();
    else caller?.addEventListener('abort', this.#onAbort, { once: true });
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  get remainingMs(): number {
    return Math.max(0, this.#endsAt - performance.now());
  }

  /** Settles with the promise, or rejects as soon as the deadline does. What was begun goes on by itself. */
  race<T>(promise: Promise<T>): Promise<T> {
    return raceSignal(promise, this.signal);
  }

  release(): void {
    clearTimeout(this.#timer);
    this.#caller?.removeEventListener('abort', this.#onAbort);
  }
}

/** Beyond this Node fires at once. */
export const LONGEST_TIMER_MS = 2 ** 31 - 1;

/** Settles with the promise, or rejects with the signal's reason as soon as it aborts. */
export async function raceSignal<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  if (signal.aborted) {
    promise.catch(() => {}); // The one who asked has his answer; nobody is left to tell.
    throw signal.reason;
  }
  let giveUp: () => void = () => {};
  try {
    return await Promise.race([
      promise,
      new Promise<never>((_, reject) => {
        giveUp = () => reject(signal.reason);
        signal.addEventListener('abort', giveUp, { once: true });
      }),
    ]);
  } finally {
    signal.removeEventListener('abort', giveUp);
  }
}
