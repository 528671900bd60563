import { timerMs } from '@a2c/protocol';

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
    }, timerMs(ms));
    signal?.addEventListener('abort', onAbort);
  });
}

/** The work's outcome, unless its time is over or the signal aborted first. */
export function within<T>(
  work: Promise<T>,
  ms: number,
  signal: AbortSignal | undefined,
  tooLate: () => Error,
): Promise<T> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(signal.reason);
    const settle = () => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', onAbort);
    };
    const onAbort = () => {
      settle();
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      settle();
      reject(tooLate());
    }, timerMs(ms));
    signal?.addEventListener('abort', onAbort);
    work.then(resolve, reject).finally(settle);
  });
}
