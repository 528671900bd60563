import { type CallerOptions, CallQueue, Canceller, callerOf, HubError } from '@a2c/hub';
import { timerMs } from '@a2c/protocol';
import { SandboxError, type SandboxLimits } from '@a2c/sandbox';

/** A caller that is alone may use this part of the places: see `CallQueue`. */
const CALLERS = 4;

interface RunLimits {
  readonly signal?: AbortSignal | undefined;
  /** The time of the run, waiting included. */
  readonly timeoutMs: number;
}

/** Divides the places of the sandbox fairly between the clients, so that the runs of one do not keep out others. */
export class RunQueue {
  readonly #queue: CallQueue;

  constructor({ concurrentRuns, waitingRuns }: Pick<SandboxLimits, 'concurrentRuns' | 'waitingRuns'>) {
    const limits = { callsInFlight: concurrentRuns / CALLERS, callsQueued: waitingRuns / CALLERS };
    this.#queue = new CallQueue('code mode', limits);
  }

  /**
   * Starts the run when there is a place for it, with the time that is left.
   *
   * @throws {SandboxError} of kind `busy`, or of `timeout` or `cancelled` while it waits
   */
  async run<T>(options: CallerOptions, limits: RunLimits, start: (timeoutMs: number) => Promise<T>): Promise<T> {
    const caller = callerOf(options);
    const waitedMs = await this.#enter(caller, limits);
    try {
      return await start(limits.timeoutMs - waitedMs);
    } finally {
      this.#queue.leave(caller);
    }
  }

  /** Returns the whole milliseconds that the run has waited. */
  async #enter(caller: ReturnType<typeof callerOf>, { signal, timeoutMs }: RunLimits): Promise<number> {
    const canceller = new Canceller();
    const onAbort = () => canceller.abort(new SandboxError('cancelled', 'the run was cancelled'));
    if (signal?.aborted) onAbort();
    const startedAt = performance.now();
    let timer: NodeJS.Timeout | undefined;
    try {
      const waiting = this.#queue.enter(caller, canceller);
      if (!waiting) return 0;
      const message = `the code did not start within ${timeoutMs} ms, because other runs take long: try again later`;
      timer = setTimeout(() => canceller.abort(new SandboxError('timeout', message)), timerMs(timeoutMs));
      signal?.addEventListener('abort', onAbort, { once: true });
      await waiting;
      return Math.floor(performance.now() - startedAt);
    } catch (error) {
      throw error instanceof HubError ? new SandboxError('busy', error.message) : error;
    } finally {
      clearTimeout(timer);
      signal?.removeEventListener('abort', onAbort);
    }
  }
}
