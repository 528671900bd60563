import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { Worker } from 'node:worker_threads';
import { SandboxError } from './errors.js';
import type { SandboxLimits } from './limits.js';
import { type FromWorker, SENT, type ToWorker, type WorkerData } from './messages.js';

/** The same file seen from `src` and from `dist`: a worker thread runs the build. Most processes start none. */
const workerFile = () => new URL('../dist/worker/worker.js', import.meta.url);

/** Heap and stack of our own code in a worker; the memory of the engine has its own limit. */
const RESOURCE_LIMITS = { maxOldGenerationSizeMb: 128, maxYoungGenerationSizeMb: 16, stackSizeMb: 16 };

/** A worker that is not ready for its next run after this time is replaced. */
const PREPARE_MS = 30_000;

/** The part of JavaScript's global that is used here: its types come with a browser's, which do not belong in Node. */
declare const WebAssembly: { compile(bytes: Uint8Array): Promise<object> };

let compiled: Promise<object> | undefined;

/** Compiled once per process and shared by all workers. */
function compileEngine(): Promise<object> {
  compiled ??= readFile(createRequire(import.meta.url).resolve('@jitl/quickjs-ng-wasmfile-release-sync/wasm')).then(
    (bytes) => WebAssembly.compile(bytes),
  );
  return compiled;
}

/** What the user of a worker learns from it. */
export interface WorkerListener {
  onMessage(message: FromWorker): void;
  onFailure(error: SandboxError): void;
}

/** One worker thread. It never keeps the process alive: the timers of a run do. */
export class SandboxWorker {
  /** Shared with the thread: see {@link WorkerData}. */
  readonly counters = new Int32Array(new SharedArrayBuffer(8));
  readonly #worker: Worker;
  listener: WorkerListener | undefined;
  /** Ends the worker when it is idle, or not ready, for too long. */
  idleTimer: NodeJS.Timeout | undefined;

  constructor(engine: object, limits: SandboxLimits, onFailure: (error: SandboxError) => void) {
    this.#worker = new Worker(workerFile(), {
      workerData: { engine, limits, counters: this.counters.buffer as SharedArrayBuffer } satisfies WorkerData,
      name: 'a2c-sandbox',
      // Nothing of this process reaches the worker: no environment, no flags, no arguments, no output streams.
      env: {},
      argv: [],
      execArgv: [],
      stdout: true,
      stderr: true,
      resourceLimits: RESOURCE_LIMITS,
    });
    this.#worker.on('message', (message: FromWorker) => this.listener?.onMessage(message));
    this.#worker.on('error', (error: Error & { code?: string }) => {
      const exhausted = error.code === 'ERR_WORKER_OUT_OF_MEMORY';
      const what = exhausted ? 'the worker thread ran out of memory' : `the worker thread failed: ${error.message}`;
      onFailure(new SandboxError(exhausted ? 'memory-limit' : 'engine', what));
    });
    this.#worker.on('exit', () => onFailure(new SandboxError('engine', 'the worker thread ended')));
    // A listener for messages references the thread again, so this comes last.
    this.#worker.unref();
  }

  send(message: ToWorker): void {
    this.#worker.postMessage(message);
    Atomics.add(this.counters, SENT, 1);
    Atomics.notify(this.counters, SENT);
  }

  async terminate(): Promise<void> {
    clearTimeout(this.idleTimer);
    this.listener = undefined;
    await this.#worker.terminate();
  }
}

/** A run that waits for a worker. */
export interface Waiter {
  onWorker(worker: SandboxWorker): void;
  onFailure(error: SandboxError): void;
}

/** Worker threads, up to a maximum, each prepared before it is needed and used by one run at a time. */
export class WorkerPool {
  readonly #limits: SandboxLimits;
  readonly #workers = new Set<SandboxWorker>();
  /** Workers that start or prepare their next engine. */
  readonly #preparing = new Set<SandboxWorker>();
  readonly #idle: SandboxWorker[] = [];
  readonly #waiting = new Set<Waiter>();
  /** Workers that are being constructed while the engine compiles. */
  #starting = 0;
  #ending: Promise<unknown> = Promise.resolve();
  #closed = false;

  constructor(limits: SandboxLimits) {
    this.#limits = limits;
  }

  /** Worker threads that exist now. */
  get size(): number {
    return this.#workers.size;
  }

  get waitingRuns(): number {
    return this.#waiting.size;
  }

  acquire(waiter: Waiter): void {
    this.#waiting.add(waiter);
    this.#balance();
  }

  /** Forgets a waiter that needs no worker any more. */
  cancel(waiter: Waiter): void {
    this.#waiting.delete(waiter);
  }

  /** Takes a worker back that prepares its next engine by itself. */
  release(worker: SandboxWorker): void {
    if (!this.#workers.has(worker)) return;
    this.#preparing.add(worker);
    worker.idleTimer = setTimeout(() => this.discard(worker), PREPARE_MS).unref();
    worker.listener = {
      onMessage: ({ type }) => {
        if (type === 'ready') this.#onReady(worker);
      },
      onFailure: () => {},
    };
  }

  /** Ends a worker whatever it does, and starts a spare one when none is left. */
  discard(worker: SandboxWorker): void {
    if (!this.#forget(worker)) return;
    const ended = worker.terminate();
    this.#ending = Promise.all([this.#ending, ended]);
    if (this.#closed) return;
    if (this.#idle.length + this.#preparing.size + this.#starting === 0) this.#start();
    this.#balance();
  }

  async close(): Promise<void> {
    this.#closed = true;
    const error = new SandboxError('closed', 'the sandbox is closed');
    for (const waiter of this.#waiting) waiter.onFailure(error);
    this.#waiting.clear();
    for (const worker of this.#workers) this.discard(worker);
    await this.#ending;
  }

  #balance(): void {
    for (const waiter of this.#waiting) {
      const worker = this.#idle.pop();
      if (!worker) break;
      clearTimeout(worker.idleTimer);
      this.#waiting.delete(waiter);
      waiter.onWorker(worker);
    }
    const coming = this.#preparing.size + this.#starting;
    const places = this.#limits.concurrentRuns - this.#workers.size - this.#starting;
    for (let missing = Math.min(this.#waiting.size - coming, places); missing > 0; missing--) this.#start();
  }

  #start(): void {
    this.#starting++;
    compileEngine().then(
      (engine) => {
        this.#starting--;
        if (this.#closed) return;
        const worker: SandboxWorker = new SandboxWorker(engine, this.#limits, (error) =>
          this.#onFailure(worker, error),
        );
        this.#workers.add(worker);
        this.release(worker);
      },
      (error: unknown) => {
        this.#starting--;
        this.#refuseOne(new SandboxError('engine', `the engine cannot be loaded: ${String(error)}`));
      },
    );
  }

  #onReady(worker: SandboxWorker): void {
    this.#preparing.delete(worker);
    this.#idle.push(worker);
    clearTimeout(worker.idleTimer);
    worker.idleTimer = setTimeout(() => this.#retire(worker), this.#limits.idleMs).unref();
    this.#balance();
  }

  #retire(worker: SandboxWorker): void {
    if (this.#forget(worker)) this.#ending = Promise.all([this.#ending, worker.terminate()]);
  }

  #onFailure(worker: SandboxWorker, error: SandboxError): void {
    const wasPreparing = this.#preparing.has(worker);
    if (!this.#forget(worker)) return;
    // A worker that cannot start must not be started over and over: each failure ends one waiting run.
    if (wasPreparing) this.#refuseOne(error);
    else worker.listener?.onFailure(error);
    this.#balance();
  }

  #refuseOne(error: SandboxError): void {
    for (const waiter of this.#waiting) {
      this.#waiting.delete(waiter);
      waiter.onFailure(error);
      return;
    }
  }

  #forget(worker: SandboxWorker): boolean {
    const place = this.#idle.indexOf(worker);
    if (place >= 0) this.#idle.splice(place, 1);
    this.#preparing.delete(worker);
    return this.#workers.delete(worker);
  }
}
