/**
 * The Vector Remap Language, compiled to WebAssembly. Start with `checkSyntax`, `compile` or `run`.
 *
 * @packageDocumentation
 */

export {
  VrlCompileError,
  type VrlDiagnostic,
  type VrlDiagnostics,
  VrlError,
  type VrlFailureReason,
  VrlInputError,
  VrlPanicError,
  VrlRuntimeError,
} from './errors.js';
export { DEFAULT_TIMEOUT_MS, type RunOptions, type RunResult, type VrlProgram } from './program.js';
export { toJson, type VrlObject, type VrlValue } from './values.js';
export { checkSyntax, compile, run } from './vrl.js';
