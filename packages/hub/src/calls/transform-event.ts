import { compile, toJson, type VrlProgram } from '@a2c/vrl';
import type { TransformTask } from './server-thread.js';

/** The event after the script as JSON, or why there is none. */
export type Transformed = { readonly output: string } | { readonly problem: string };

/** A script may copy its event, and a list of short values takes many times its JSON in memory. */
const MAX_LENGTH = 2 * 2 ** 20;

const programs = new Map<string, VrlProgram>();

/** Runs a VRL script, in a `ServerThread`. */
export function transformEvent({ script, event, timeoutMs }: TransformTask): Transformed {
  const { length } = JSON.stringify(event);
  if (length > MAX_LENGTH)
    return { problem: `the result has ${length} characters, and a script gets up to ${MAX_LENGTH}` };
  try {
    const program = programs.get(script) ?? compile(script);
    programs.set(script, program);
    const output = toJson(program.run(event, { timezone: localTimeZone(), timeoutMs }).processedEvent);
    if (output.length <= 2 * MAX_LENGTH) return { output };
    return { problem: `its output has ${output.length} characters, and the limit is ${2 * MAX_LENGTH}` };
  } catch (error) {
    return { problem: (error as Error).message };
  }
}

function localTimeZone(): string {
  return Intl.DateTimeFormat().resolvedOptions().timeZone || 'UTC';
}
