import { Worker } from 'node:worker_threads';
import type { JsonObject } from '@a2c/config';
import type { HubError } from '../errors.js';

/** The same file seen from `src` and from `dist`: a worker thread runs the build. Most processes start none. */
const workerFile = () => new URL('../../dist/calls/server-worker.js', import.meta.url);

const RESOURCE_LIMITS = { maxOldGenerationSizeMb: 64, maxYoungGenerationSizeMb: 8 };

/** An idle thread is ended after this time. */
const IDLE_MS = 300_000;

/** The check of arguments. The answer is a list of `ArgumentProblem`. */
interface CheckTask {
  readonly kind: 'check';
  readonly schema: object;
  readonly args: JsonObject;
}

/** A VRL script and the event it runs on. The answer is a `Transformed`. */
export interface TransformTask {
  readonly kind: 'transform';
  readonly script: string;
  readonly event: object;
  readonly timeoutMs: number;
}

export type ThreadTask = CheckTask | TransformTask;

/**
 * A worker thread for work on data of one MCP server, which may be hostile: argument checks and VRL scripts. Give it
 * one task at a time. A task that takes too long, or whose call is cancelled, ends the thread; the next one starts
 * another. The thread does not keep the process alive. Its start, which may take seconds on a busy machine, counts
 * towards the deadline of the call, but not towards the limit of the task.
 */
export class ServerThread {
  readonly #closed = new AbortController();
  #worker: Worker | undefined;
  #isReady = false;
  #idleTimer: NodeJS.Timeout | undefined;

  /** Returns the answer, or `too-slow`. Rejects with the reason of the signal when it aborts. */
  async run<T>(task: ThreadTask, limitMs: number, signal: AbortSignal): Promise<T | 'too-slow'> {
    const ended = AbortSignal.any([signal, this.#closed.signal]);
    ended.throwIfAborted();
    return this.#run<T>(task, limitMs, ended);
  }

  /** Rejects the pending task, and those that follow, with `reason`. */
  close(reason: HubError): void {
    this.#closed.abort(reason);
    this.#end();
  }

  #end(): void {
    clearTimeout(this.#idleTimer);
    void this.#worker?.terminate();
    this.#worker = undefined;
  }

  #run<T>(task: ThreadTask, limitMs: number, signal: AbortSignal): Promise<T | 'too-slow'> {
    clearTimeout(this.#idleTimer);
    this.#worker ??= this.#start();
    const worker = this.#worker;
    return new Promise<T | 'too-slow'>((resolve, reject) => {
      let timer: NodeJS.Timeout | undefined;
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
      const startTimer = () => {
        timer = setTimeout(() => {
          this.#end();
          settle(() => resolve('too-slow'));
        }, limitMs);
      };
      if (this.#isReady) startTimer();
      signal.addEventListener('abort', onAbort);
      worker.on('message', (answer: T | 'ready') => {
        if (answer === 'ready') {
          this.#isReady = true;
          startTimer();
          return;
        }
        this.#idleTimer = setTimeout(() => this.#end(), IDLE_MS).unref();
        settle(() => resolve(answer));
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
    this.#isReady = false;
    const worker = new Worker(workerFile(), {
      name: 'a2c-server-thread',
      env: {},
      argv: [],
      execArgv: [],
      stdout: true,
      stderr: true,
      resourceLimits: RESOURCE_LIMITS,
    });
    // `exit` follows and ends the task.
    worker.on('error', () => {});
    return worker;
  }
}
