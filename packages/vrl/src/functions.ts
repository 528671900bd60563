import { withEngine } from './engine.js';

export interface FunctionExample {
  readonly title: string;
  readonly source: string;
  readonly input: string | null;
  readonly result: string | null;
  readonly error: string | null;
  /** False where every run gives something else, such as the time. */
  readonly deterministic: boolean;
  /** True where VRL itself does not run the example, because it needs something outside. */
  readonly skip: boolean;
}

export interface FunctionEntry {
  readonly name: string;
  readonly category: string;
  /** Why a script that calls the function does not compile here; null where it does. */
  readonly refused: string | null;
  readonly examples: readonly FunctionExample[];
}

/** The standard library as the engine describes it. */
export function describeFunctions(): readonly FunctionEntry[] {
  return JSON.parse(withEngine((instance) => instance.describeFunctions()).text) as readonly FunctionEntry[];
}
