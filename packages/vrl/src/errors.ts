/** One message of the VRL compiler. */
export interface VrlDiagnostic {
  readonly severity: 'bug' | 'error' | 'warning' | 'note';
  /** For example `E103`; https://errors.vrl.dev documents each code. */
  readonly code: string;
  readonly message: string;
  /** 1-based; null when the message has no position. */
  readonly line: number | null;
  /** 1-based; null when the message has no position. */
  readonly column: number | null;
}

/** The messages of the VRL compiler about one script. */
export interface VrlDiagnostics {
  readonly messages: readonly VrlDiagnostic[];
  /** All messages as text for a person, with the source and carets below it. */
  readonly formatted: string;
}

/** The base class of all errors that this package throws. */
export class VrlError extends Error {
  override readonly name: string = 'VrlError';
}

/** The script does not compile. The error is permanent: it stays until the script changes. */
export class VrlCompileError extends VrlError {
  override readonly name = 'VrlCompileError';
  readonly diagnostics: VrlDiagnostics;

  constructor(diagnostics: VrlDiagnostics) {
    super(`the VRL script does not compile: ${diagnostics.formatted.trim()}`);
    this.diagnostics = diagnostics;
  }
}

/** `abort`: the script called `abort`. `error`: a function call failed. `timeout`: the script was stopped. */
export type VrlFailureReason = 'abort' | 'error' | 'timeout';

/** The script compiled, but did not produce a result for this event. */
export class VrlRuntimeError extends VrlError {
  override readonly name = 'VrlRuntimeError';
  readonly reason: VrlFailureReason;

  constructor(reason: VrlFailureReason, message: string) {
    super(message);
    this.reason = reason;
  }
}

/** The event or an option is invalid for every script. */
export class VrlInputError extends VrlError {
  override readonly name = 'VrlInputError';
}

/**
 * The engine failed: a bug in VRL, or its stack or memory was exhausted. The failed instance was dropped; the next
 * call, also of the same program, uses a new one.
 */
export class VrlPanicError extends VrlError {
  override readonly name = 'VrlPanicError';
}
