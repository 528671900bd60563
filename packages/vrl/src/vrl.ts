import { VrlCompileError, type VrlDiagnostics } from './errors.js';
import { type RunOptions, type RunResult, VrlProgram } from './program.js';

/** Null when the script compiles, else what is wrong with it. An unhandled fallible call is wrong, too. */
export function checkSyntax(source: string): VrlDiagnostics | null {
  try {
    compile(source).dispose();
    return null;
  } catch (error) {
    if (error instanceof VrlCompileError) return error.diagnostics;
    throw error;
  }
}

/** Compiles a script that will run more than once. Throws a VrlCompileError when it is not valid. */
export function compile(source: string): VrlProgram {
  return new VrlProgram(source);
}

/** Compiles and runs a script once. */
export function run(source: string, event: unknown, options?: RunOptions): RunResult {
  const program = compile(source);
  try {
    return program.run(event, options);
  } finally {
    program.dispose();
  }
}
