import { SandboxError } from './errors.js';
import { SANDBOX_LIMITS, type SandboxLimits } from './limits.js';
import type { RunOptions, RunOutcome } from './options.js';
import { Run } from './run.js';
import { WorkerPool } from './worker-pool.js';

/** Options of a {@link Sandbox}. */
export interface SandboxOptions {
  /** Replaces single limits of {@link SANDBOX_LIMITS}. */
  readonly limits?: Partial<SandboxLimits>;
}

/**
 * Runs untrusted JavaScript or TypeScript, each run in a fresh QuickJS engine (WebAssembly) in a worker thread. Code
 * reaches nothing but the functions it is given. Runs share no state. An idle sandbox does not keep the process alive.
 *
 * @example
 * ```ts
 * import { Sandbox } from '@a2c/sandbox';
 *
 * const sandbox = new Sandbox({ limits: { cpuMs: 1_000 } });
 * const { value } = await sandbox.run('return (await add(1, 2)) * 10', {
 *   functions: { add: ([a, b]) => Number(a) + Number(b) },
 * });
 * console.log(value); // 30
 * await sandbox.close();
 * ```
 */
export class Sandbox {
  /** The limits of this sandbox. */
  readonly limits: SandboxLimits;
  readonly #pool: WorkerPool;
  readonly #runs = new Set<Run>();
  #closed = false;

  constructor({ limits = {} }: SandboxOptions = {}) {
    this.limits = { ...SANDBOX_LIMITS, ...limits };
    this.#pool = new WorkerPool(this.limits);
  }

  /** Worker threads that exist now: those that run code and idle ones. */
  get workers(): number {
    return this.#pool.size;
  }

  /**
   * Runs code. It may use top-level `await` and `return`, `print(...)`, `sleep(ms)` and what the options provide.
   *
   * @returns the returned value with the printed text and facts about the run
   * @throws {SandboxError} when the code fails, a limit is reached or the run is cancelled; `kind` says which
   */
  async run(code: string, options: RunOptions = {}): Promise<RunOutcome> {
    if (this.#closed) throw new SandboxError('closed', 'the sandbox is closed');
    if (options.signal?.aborted) throw new SandboxError('cancelled', 'the run was cancelled');
    const { codeBytes, waitingRuns } = this.limits;
    const bytes = Buffer.byteLength(code);
    if (bytes > codeBytes) {
      throw new SandboxError('code-too-large', `the code has ${bytes} bytes; the limit is ${codeBytes}`);
    }
    if (this.#pool.waitingRuns >= waitingRuns) {
      throw new SandboxError('busy', `${waitingRuns} runs wait already; try again later`);
    }
    const run = new Run(this.#pool, this.limits, code, options);
    this.#runs.add(run);
    try {
      return await run.outcome;
    } finally {
      this.#runs.delete(run);
    }
  }

  /** Ends all runs with an error of kind `closed` and all worker threads. */
  async close(): Promise<void> {
    this.#closed = true;
    for (const run of this.#runs) run.fail(new SandboxError('closed', 'the sandbox is closed'));
    await this.#pool.close();
  }
}
