/**
 * Why a run ended without a result:
 *
 * - `syntax`: the code does not parse; `line`, `column` and a caret in the message show where.
 * - `runtime`: the code threw; `guestStack` holds its stack.
 * - `result-invalid`: the returned value has no JSON form, such as a function, a promise or a cycle.
 * - `result-too-large`: the returned value exceeds `resultBytes`.
 * - `stalled`: the code waits for a promise that nothing can settle.
 * - `cpu-limit`, `memory-limit`, `stack-limit`, `timeout`, `too-many-calls`, `code-too-large`: a limit was reached.
 * - `cancelled`: the `signal` of the run was aborted.
 * - `busy`: too many runs wait already.
 * - `closed`: the sandbox is closed.
 * - `engine`: the engine or its worker thread failed.
 */
export type SandboxErrorKind =
  | 'syntax'
  | 'runtime'
  | 'result-invalid'
  | 'result-too-large'
  | 'stalled'
  | 'cpu-limit'
  | 'memory-limit'
  | 'stack-limit'
  | 'timeout'
  | 'too-many-calls'
  | 'code-too-large'
  | 'cancelled'
  | 'busy'
  | 'closed'
  | 'engine';

/** A call that the code made, or an async function of its own, whose outcome it did not wait for. */
export interface UnawaitedCall {
  /** The name the code used, such as `['servers', 'files', 'read']`. Empty for an async function of the code. */
  readonly path: readonly string[];
  /** `pending`: cancelled by the end of the run. `rejected`: it failed and the code never looked at the failure. */
  readonly state: 'pending' | 'rejected';
  /** The error of a rejected call; with its line for an async function of the code. */
  readonly message?: string;
}

/** Facts about a failed run. */
export interface SandboxFailure {
  /** Line in the code, counted from 1. */
  readonly line?: number;
  /** Column in the line, counted from 1. */
  readonly column?: number;
  /** The stack of the error thrown in the code, in the code's own lines and columns. */
  readonly guestStack?: string;
  /** What the code printed before it failed. */
  readonly output?: string;
  /** True when `output` was cut at `outputBytes`. */
  readonly outputTruncated?: boolean;
  /** Host function calls and sleeps that the code started. */
  readonly calls?: number;
  /** Calls whose outcome the code did not wait for. */
  readonly unawaited?: readonly UnawaitedCall[];
}

/**
 * A run that ended without a result. `kind` is stable; `message` is written so that the author of the code, often a
 * model, can repair it.
 *
 * @example
 * ```ts
 * import { Sandbox, SandboxError } from '@a2c/sandbox';
 *
 * const sandbox = new Sandbox();
 * try {
 *   await sandbox.run('return 1 +');
 * } catch (error) {
 *   if (error instanceof SandboxError && error.kind === 'syntax') console.log(error.line, error.message);
 * }
 * ```
 */
export class SandboxError extends Error {
  override readonly name = 'SandboxError';
  /** Why the run ended; see {@link SandboxErrorKind}. */
  readonly kind: SandboxErrorKind;
  /** Line in the code, counted from 1, where known. */
  readonly line: number | undefined;
  /** Column in the line, counted from 1, where known. */
  readonly column: number | undefined;
  /** The stack of the error thrown in the code, in the code's own lines and columns. */
  readonly guestStack: string | undefined;
  /** What the code printed before it failed. */
  readonly output: string;
  /** True when `output` was cut at `outputBytes`. */
  readonly outputTruncated: boolean;
  /** Host function calls and sleeps that the code started. */
  readonly calls: number;
  /** Calls whose outcome the code did not wait for. */
  readonly unawaited: readonly UnawaitedCall[];

  constructor(kind: SandboxErrorKind, message: string, failure: SandboxFailure = {}) {
    super(message);
    this.kind = kind;
    this.line = failure.line;
    this.column = failure.column;
    this.guestStack = failure.guestStack;
    this.output = failure.output ?? '';
    this.outputTruncated = failure.outputTruncated ?? false;
    this.calls = failure.calls ?? 0;
    this.unawaited = failure.unawaited ?? [];
  }
}
