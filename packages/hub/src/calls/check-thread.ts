import { Worker } from 'node:worker_threads';
import type { JsonObject } from '@a2c/config';
import type { ArgumentProblem } from '@a2c/protocol';
import type { HubError } from '../errors.js';
import { SerialQueue } from '../serial-queue.js';

/** The same file seen from `src` and from `dist`: a worker thread runs the build. */
const WORKER_FILE = new URL('../../dist/calls/check-worker.js', import.meta.url);

const RESOURCE_LIMITS = { maxOldGenerationSizeMb: 64, maxYoungGenerationSizeMb: 8 };

/** An idle thread is ended after this time. */
const IDLE_MS = 30_000;

/** What a thread is asked to check. */
export interface CheckTask {
  readonly schema: object;
  readonly args: JsonObject;
}

/**
 * Checks arguments in a worker thread, one check at a time. A check that takes too long, or whose call is cancelled,
 * ends the thread; the next check starts another one. The thread does not keep the process alive.
 */
export class CheckThread {
  readonly #limitMs: number;
  readonly #queue = new SerialQueue();
  readonly #closed = new AbortController();
  #worker: Worker | undefined;
  #idleTimer: NodeJS.Timeout | undefined;

  constructor(limitMs: number) {
    this.#limitMs = limitMs;
  }

  /** Returns the problems, or `too-slow`. Rejects with the reason of the signal when it aborts. */
  check(schema: object, args: JsonObject, signal: AbortSignal): Promise<readonly ArgumentProblem[] | 'too-slow'> {
    return this.#queue.run(async () => {
      const ended = AbortSignal.any([signal, this.#closed.signal]);
      ended.throwIfAborted();
      return this.#run({ schema, args }, ended);
    });
  }

  /** Rejects pending checks with `reason`. */
  close(reason: HubError): void {
    this.#closed.abort(reason);
    this.#end();
  }

  #end(): void {
    clearTimeout(this.#idleTimer);
    void this.#worker?.terminate();
    this.#worker = undefined;
  }

  #run(task: CheckTask, signal: AbortSignal): Promise<readonly ArgumentProblem[] | 'too-slow'> {
    clearTimeout(this.#idleTimer);
    this.#worker ??= this.#start();
    const worker = this.#worker;
    return new Promise<readonly ArgumentProblem[] | 'too-slow'>((resolve, reject) => {
      const settle = (end: () => void) => {
        clearTimeout(timer);
        signal.removeEventListener('abort', onAbort);
        worker.removeAllListeners('message').removeAllListeners('exit');
        worker.unref();
        end();
      };
      const onAbort = () => {
        this.#end();
        settle(() => reject(signal.reason));
      };
      const timer = setTimeout(() => {
        this.#end();
        settle(() => resolve('too-slow'));
      }, this.#limitMs);
      signal.addEventListener('abort', onAbort);
      worker.once('message', (problems: readonly ArgumentProblem[]) => {
        this.#idleTimer = setTimeout(() => this.#end(), IDLE_MS).unref();
        settle(() => resolve(problems));
      });
      // The thread ran out of memory or stack.
      worker.once('exit', () => {
        this.#worker = undefined;
        settle(() => resolve('too-slow'));
      });
      worker.postMessage(task);
    });
  }

  #start(): Worker {
    const worker = new Worker(WORKER_FILE, {
      name: 'a2c-argument-check',
      env: {},
      argv: [],
      execArgv: [],
      stdout: true,
      stderr: true,
      resourceLimits: RESOURCE_LIMITS,
    });
    // `exit` follows and ends the check.
    worker.on('error', () => {});
    return worker;
  }
}
