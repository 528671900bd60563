import type { SandboxErrorKind, SandboxFailure, UnawaitedCall } from './errors.js';
import type { SandboxLimits } from './limits.js';

/** Everything a worker thread receives when it starts. */
export interface WorkerData {
  /** The compiled engine (`WebAssembly.Module`), shared by all workers. */
  readonly engine: object;
  readonly limits: SandboxLimits;
  /** The counters of {@link TURN} and {@link SENT}. */
  readonly counters: SharedArrayBuffer;
}

/** Odd while the worker is inside the engine. The main thread reads it to detect a stuck worker. */
export const TURN = 0;

/** Grows with every message to the worker, which sleeps on it while its code waits. */
export const SENT = 1;

/** Main thread → worker. */
export type ToWorker =
  | {
      readonly type: 'run';
      readonly code: string;
      readonly prelude: string | undefined;
      readonly functions: readonly string[];
      readonly namespaces: readonly string[];
    }
  | { readonly type: 'fulfilled'; readonly id: number; readonly json: string | undefined }
  | { readonly type: 'rejected'; readonly id: number; readonly json: string };

/** How a run ended, as the worker saw it. */
export type RunEnd = {
  readonly calls: number;
  readonly cpuMs: number;
  readonly unawaited: readonly UnawaitedCall[];
} & (
  | { readonly ok: true; readonly json: string | undefined }
  | { readonly ok: false; readonly kind: SandboxErrorKind; readonly message: string; readonly failure: SandboxFailure }
);

/** Worker → main thread. */
export type FromWorker =
  | { readonly type: 'ready' }
  | { readonly type: 'call'; readonly id: number; readonly path: readonly string[]; readonly json: string }
  | { readonly type: 'print'; readonly text: string; readonly truncated: boolean }
  /** `reusable`: the worker prepares a fresh engine and reports `ready` again. */
  | { readonly type: 'end'; readonly end: RunEnd; readonly reusable: boolean };
