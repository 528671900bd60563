import { VrlCompileError, type VrlDiagnostics } from './errors.js';
import { type RunOptions, type RunResult, VrlProgram } from './program.js';

/**
 * Checks a script by compiling it. Returns null when it is valid, otherwise the messages of the compiler. An unhandled
 * fallible call is an error.
 *
 * @example
 * ```ts
 * console.log(checkSyntax('.data = parse_json(.text)')?.formatted);
 * ```
 */
export function checkSyntax(source: string): VrlDiagnostics | null {
  try {
    compile(source).dispose();
    return null;
  } catch (error) {
    if (error instanceof VrlCompileError) return error.diagnostics;
    throw error;
  }
}

/**
 * Compiles a script that will run more than once.
 *
 * @throws VrlCompileError when the script is invalid.
 *
 * @example
 * ```ts
 * const program = compile('.name = upcase!(.name)');
 * program.run({ name: 'a2c' }).processedEvent; // { name: 'A2C' }
 * ```
 */
export function compile(source: string): VrlProgram {
  return new VrlProgram(source);
}

/**
 * Compiles and runs a script once.
 *
 * @throws VrlCompileError when the script is invalid, and everything that `VrlProgram.run` throws.
 *
 * @example
 * ```ts
 * run('upcase!(.name)', { name: 'a2c' }).result; // 'A2C'
 * ```
 */
export function run(source: string, event: unknown, options?: RunOptions): RunResult {
  const program = compile(source);
  try {
    return program.run(event, options);
  } finally {
    program.dispose();
  }
}
