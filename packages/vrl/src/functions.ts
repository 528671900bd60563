import { withEngine } from './engine.js';

/** An example from VRL's documentation of a function. */
export interface FunctionExample {
  readonly title: string;
  readonly source: string;
  readonly input: string | null;
  readonly result: string | null;
  readonly error: string | null;
  /** False when the result differs from run to run, such as the time. */
  readonly deterministic: boolean;
  /** True when VRL does not run the example itself, because it needs an external resource. */
  readonly skip: boolean;
}

/** A function of the standard library. */
export interface FunctionEntry {
  readonly name: string;
  readonly category: string;
  /** Why a script that calls the function does not compile; null when it compiles. */
  readonly refused: string | null;
  readonly examples: readonly FunctionExample[];
}

/** The standard library as the engine describes it. */
export function describeFunctions(): readonly FunctionEntry[] {
  return JSON.parse(withEngine((instance) => instance.describeFunctions()).text) as readonly FunctionEntry[];
}
