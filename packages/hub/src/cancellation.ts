import { setMaxListeners } from 'node:events';

/** When work has to stop, and why. */
export interface Cancellation {
  /** Why it has to stop; undefined while it may go on. */
  readonly reason: Error | undefined;
  /** The same as a signal. Creating one for each call is costly: use the other members where they suffice. */
  readonly signal: AbortSignal;
  /** Calls the listener once when the work has to stop. Call the returned function at the end of the work. */
  onAbort(listener: (reason: Error) => void): () => void;
}

/** The cancellation of work that has only a signal. */
export function cancellationOf(signal: AbortSignal): Cancellation {
  return {
    get reason() {
      return signal.aborted ? (signal.reason as Error) : undefined;
    },
    signal,
    onAbort: (listener) => {
      const onAbort = () => listener(signal.reason as Error);
      signal.addEventListener('abort', onAbort, { once: true });
      return () => signal.removeEventListener('abort', onAbort);
    },
  };
}

/** Cancels work. An `AbortController` that creates its signal when it is needed: most calls end without one. */
export class Canceller implements Cancellation {
  readonly #listeners: ((reason: Error) => void)[] = [];
  #reason: Error | undefined;
  #controller: AbortController | undefined;

  get reason(): Error | undefined {
    return this.#reason;
  }

  get signal(): AbortSignal {
    if (!this.#controller) {
      this.#controller = new AbortController();
      setMaxListeners(0, this.#controller.signal);
      if (this.#reason !== undefined) this.#controller.abort(this.#reason);
    }
    return this.#controller.signal;
  }

  onAbort(listener: (reason: Error) => void): () => void {
    this.#listeners.push(listener);
    return () => {
      const place = this.#listeners.indexOf(listener);
      if (place >= 0) this.#listeners.splice(place, 1);
    };
  }

  /** The first reason counts; without one it is that of an `AbortController`. */
  abort(given?: unknown): void {
    if (this.#reason !== undefined) return;
    const reason = (given ?? new DOMException('This operation was aborted', 'AbortError')) as Error;
    this.#reason = reason;
    this.#controller?.abort(reason);
    for (const listener of this.#listeners.splice(0)) listener(reason);
  }
}
