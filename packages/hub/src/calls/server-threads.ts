import type { Cancellation } from '../cancellation.js';
import type { HubError } from '../errors.js';
import { type Caller, type CallQueue, serverQueue } from './call-queue.js';
import { ServerThread, type ThreadTask } from './server-thread.js';

/**
 * The worker threads of one MCP server: one for each caller, up to four, which are created when they are needed. So
 * the costly checks of one caller do not delay those of another.
 */
export class ServerThreads {
  readonly #queue: CallQueue;
  readonly #idle: ServerThread[] = [];
  readonly #threads: ServerThread[] = [];
  #closed: HubError | undefined;

  constructor(server: string, limits: { readonly callsQueued: number }) {
    this.#queue = serverQueue(server, { callsInFlight: 1, callsQueued: limits.callsQueued });
  }

  /** Returns the answer, or `too-slow`. Rejects with the reason of the cancellation. */
  async run<T>(caller: Caller, task: ThreadTask, limitMs: number, cancellation: Cancellation): Promise<T | 'too-slow'> {
    await this.#queue.enter(caller, cancellation);
    const thread = this.#idle.pop() ?? this.#add();
    try {
      return await thread.run<T>(task, limitMs, cancellation.signal);
    } finally {
      this.#idle.push(thread);
      this.#queue.leave(caller);
    }
  }

  /** Rejects all tasks with `reason`. */
  close(reason: HubError): void {
    this.#closed = reason;
    for (const thread of this.#threads) thread.close(reason);
  }

  #add(): ServerThread {
    if (this.#closed) throw this.#closed;
    const thread = new ServerThread();
    this.#threads.push(thread);
    return thread;
  }
}
