import { VrlPanicError } from './errors.js';
import { Instance } from './instance.js';

/**
 * WebAssembly memory grows and never shrinks. An instance that had to grow beyond this for one huge event is dropped
 * after the call, so that its memory returns to the system; programs compile again when they next run.
 */
const RETIRE_ABOVE_BYTES = 128 * 1024 * 1024;

/** All programs of a process share one instance: a script runs to its end before another can start. */
let current: Instance | undefined;

/** Calls the engine, starting it on first need. A broken or bloated instance does not outlive the call. */
export function withEngine<T>(call: (instance: Instance) => T): T {
  const instance = current ?? new Instance();
  current = instance;
  try {
    return call(instance);
  } finally {
    if (instance.broken || instance.memoryBytes > RETIRE_ABOVE_BYTES) current = undefined;
  }
}

/** Frees a program where it was compiled; nothing is left to do when that instance is gone. */
export function freeProgram(instanceId: symbol, handle: number): void {
  if (current?.id !== instanceId) return;
  try {
    withEngine((instance) => instance.freeProgram(handle));
  } catch (error) {
    // A panic here took the instance and the program with it, which is what was wanted, and may hit a finalizer, which
    // has nobody to throw to.
    if (!(error instanceof VrlPanicError)) throw error;
  }
}

/** Bytes that the engine holds at the moment: 0 until the first script, and after a panic. */
export function engineMemoryBytes(): number {
  return current?.memoryBytes ?? 0;
}
