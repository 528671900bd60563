/** What one run may use. Times are in milliseconds, sizes in bytes. */
export interface SandboxLimits {
  /** Memory of the engine: values, strings and compiled code of one run. */
  readonly memoryBytes: number;
  /** Call stack of the code. Deeper recursion throws a `RangeError` in the code. */
  readonly stackBytes: number;
  /** Time in which the code itself runs. Waiting for host functions and `sleep` is free. */
  readonly cpuMs: number;
  /** Time from `run` to its end, waiting included. The `timeoutMs` option of a run replaces it. */
  readonly wallMs: number;
  /** Host function calls and sleeps of one run. */
  readonly calls: number;
  /** Host function calls that run at the same time; further ones wait for a free place. */
  readonly callsInFlight: number;
  /** Source text of a run. */
  readonly codeBytes: number;
  /** Arguments of one host function call, as JSON. */
  readonly argumentBytes: number;
  /** Result of one host function call, as JSON. */
  readonly callResultBytes: number;
  /** The value that the code returns, as JSON. */
  readonly resultBytes: number;
  /** Text of all `print` calls together. What exceeds it is dropped. */
  readonly outputBytes: number;
  /** Nesting of arguments and of the returned value. */
  readonly depth: number;
  /** Values in the arguments of one call and in the returned value, all levels together. Each takes time to read. */
  readonly values: number;
  /** Runs at the same time, each in its own worker thread; further ones wait for a free worker. */
  readonly concurrentRuns: number;
  /** Runs that wait for a worker. One more is refused. */
  readonly waitingRuns: number;
  /** An idle worker thread ends after this time. */
  readonly idleMs: number;
}

/** The limits that apply unless an option of {@link Sandbox} replaces them. */
export const SANDBOX_LIMITS: SandboxLimits = {
  memoryBytes: 64 * 1024 * 1024,
  stackBytes: 256 * 1024,
  cpuMs: 5_000,
  wallMs: 60_000,
  calls: 1_000,
  callsInFlight: 16,
  codeBytes: 256 * 1024,
  argumentBytes: 1024 * 1024,
  callResultBytes: 4 * 1024 * 1024,
  resultBytes: 1024 * 1024,
  outputBytes: 64 * 1024,
  depth: 64,
  values: 50_000,
  concurrentRuns: 8,
  waitingRuns: 100,
  idleMs: 60_000,
};
