/** Nobody waits for it any more. */
export class Interrupted extends Error {
  override readonly name = 'Interrupted';
}

/** The outcome of work, unless the signal is aborted first: then it rejects with `Interrupted`, and the work goes on alone. */
export async function unlessInterrupted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  let interrupt = () => {};
  const interrupted = new Promise<never>((_, reject) => {
    interrupt = () => reject(new Interrupted('interrupted'));
    if (signal.aborted) interrupt();
    signal.addEventListener('abort', interrupt);
  });
  try {
    return await Promise.race([work, interrupted]);
  } finally {
    signal.removeEventListener('abort', interrupt); // a script of many lines has one signal
  }
}
