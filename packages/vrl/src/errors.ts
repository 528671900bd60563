/** One of VRL's own messages. Line and column count from 1; both are null where VRL names no place in the source. */
export interface VrlDiagnostic {
  readonly severity: 'bug' | 'error' | 'warning' | 'note';
  /** For example `E103`; VRL documents each at https://errors.vrl.dev. */
  readonly code: string;
  readonly message: string;
  readonly line: number | null;
  readonly column: number | null;
}

/** What VRL has to say about a script. `formatted` is the text for a person, with the source and carets under it. */
export interface VrlDiagnostics {
  readonly messages: readonly VrlDiagnostic[];
  readonly formatted: string;
}

/** Everything this package throws, so that a caller can tell a script's failure from a fault of its own. */
export class VrlError extends Error {
  override readonly name: string = 'VrlError';
}

/** The script is not a valid program. */
export class VrlCompileError extends VrlError {
  override readonly name = 'VrlCompileError';
  readonly diagnostics: VrlDiagnostics;

  constructor(diagnostics: VrlDiagnostics) {
    super(`the VRL script does not compile: ${diagnostics.formatted.trim()}`);
    this.diagnostics = diagnostics;
  }
}

/** `abort`: the script ended itself on purpose. `error`: a call failed in it. `timeout`: it was stopped. */
export type VrlFailureReason = 'abort' | 'error' | 'timeout';

/** The script compiled, and ended without a result. */
export class VrlRuntimeError extends VrlError {
  override readonly name = 'VrlRuntimeError';
  readonly reason: VrlFailureReason;

  constructor(reason: VrlFailureReason, message: string) {
    super(message);
    this.reason = reason;
  }
}

/** An event or an option that no script could be run with. */
export class VrlInputError extends VrlError {
  override readonly name = 'VrlInputError';
}

/**
 * The engine itself broke: a bug in VRL, or the end of its stack or memory. The broken instance is gone; the next call,
 * also on the same program, starts with a fresh one.
 */
export class VrlPanicError extends VrlError {
  override readonly name = 'VrlPanicError';
}
