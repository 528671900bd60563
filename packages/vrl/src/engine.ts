import { VrlPanicError } from './errors.js';
import { Instance } from './instance.js';

/**
 * WebAssembly memory never shrinks. An instance that grew beyond this size for one large event is dropped after the
 * call, which frees its memory; programs are compiled again on their next run.
 */
const RETIRE_ABOVE_BYTES = 128 * 1024 * 1024;

/** The instance that all programs of the process share. Scripts run synchronously, so only one runs at a time. */
let current: Instance | undefined;

/** Calls the engine and starts it on first use. An instance that is broken or too large is dropped after the call. */
export function withEngine<T>(call: (instance: Instance) => T): T {
  const instance = current ?? new Instance();
  current = instance;
  try {
    return call(instance);
  } finally {
    if (instance.broken || instance.memoryBytes > RETIRE_ABOVE_BYTES) current = undefined;
  }
}

/** Frees a program in the instance that compiled it. Does nothing when that instance was dropped. */
export function freeProgram(instanceId: symbol, handle: number): void {
  if (current?.id !== instanceId) return;
  try {
    withEngine((instance) => instance.freeProgram(handle));
  } catch (error) {
    // A panic drops the instance and the program with it. In a finalizer it would be an uncaught exception.
    if (!(error instanceof VrlPanicError)) throw error;
  }
}

/** The memory of the engine in bytes: 0 before the first script and after a panic. */
export function engineMemoryBytes(): number {
  return current?.memoryBytes ?? 0;
}
