/** Pauses between attempts: doubling up to a bound, spread so that many Agents do not come back in one moment. */
export class Backoff {
  readonly #maxMs: number;
  #nextMs: number;

  constructor(minMs: number, maxMs: number) {
    this.#nextMs = minMs;
    this.#maxMs = maxMs;
  }

  next(): number {
    const pause = this.#nextMs;
    this.#nextMs = Math.min(pause * 2, this.#maxMs);
    return pause * (0.5 + Math.random());
  }
}

/** Resolves after the time; rejects with the signal's reason when it is aborted first. */
export function pause(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(signal.reason);
    const onAbort = () => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', onAbort);
      resolve();
    }, ms);
    signal?.addEventListener('abort', onAbort);
  });
}
