import { type Backoff, delay, raceSignal, SMCPError, withTimeout } from '@a2c/protocol';

export interface Retry {
  /** How long transient failures are retried. 0: one attempt. */
  readonly forMs: number;
  /** Ends the attempt and the retries; the promise rejects with its reason. */
  readonly signal: AbortSignal;
  readonly backoff: Backoff;
  /** Where the attempts lead, for the message of a timeout. */
  readonly origin: string;
  /** Whether the failure ends the retries. */
  readonly isFinal: (error: SMCPError) => boolean;
  readonly onFailure: (error: SMCPError) => void;
}

/** Repeats an attempt with backoff until it succeeds, fails finally, or the time is over. */
export async function retry<T>(attempt: () => Promise<T>, options: Retry): Promise<T> {
  const { forMs, signal, backoff, origin, isFinal, onFailure } = options;
  const deadline = performance.now() + forMs;
  let failure: SMCPError | undefined;
  let isTooLate = false;
  const tooLate = () => {
    isTooLate = true;
    return timedOut(failure, origin, forMs);
  };
  for (;;) {
    try {
      if (forMs === 0) return await raceSignal(attempt(), signal);
      return await withTimeout(attempt(), { ms: deadline - performance.now(), onTimeout: tooLate, signal });
    } catch (error) {
      signal.throwIfAborted();
      if (forMs === 0 || isTooLate) throw error;
      failure = SMCPError.from(error);
      if (isFinal(failure)) throw failure;
      onFailure(failure);
    }
    await delay(Math.min(backoff.next(), Math.max(0, deadline - performance.now())), signal);
    if (performance.now() >= deadline) throw tooLate();
  }
}

/** The last failure, with the time that was spent on retries. */
function timedOut(failure: SMCPError | undefined, origin: string, ms: number): SMCPError {
  const seconds = ms / 1_000;
  if (!failure) return new SMCPError('Timeout', `${origin} did not answer within ${seconds} s`);
  const { kind, message, details, cause } = failure;
  return new SMCPError(kind, `${message} (tried for ${seconds} s)`, { details, cause });
}
