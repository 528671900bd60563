import { SandboxError } from '../errors.js';
import type { SandboxLimits } from '../limits.js';
import type { FromWorker, ToWorker } from '../messages.js';
import { PATH_BYTES, readPath } from './guest-reports.js';
import { jsonShape } from './json-shape.js';

/** The outcome of a call or a sleep. */
export type Answer = ToWorker & { readonly type: 'fulfilled' | 'rejected' };

/** What the calls of a run need of the worker around it. */
export interface CallHost {
  readonly limits: SandboxLimits;
  post(message: FromWorker): void;
  /** The next message of the main thread. Blocks until there is one, or returns undefined after the time. */
  receive(waitMs: number): ToWorker | undefined;
}

interface Waiting {
  readonly path: readonly string[];
  readonly json: string;
}

/** The calls and sleeps of a run, within its limits. */
export class GuestCalls {
  readonly #host: CallHost;
  readonly #running = new Map<number, Waiting>();
  readonly #queue = new Map<number, Waiting>();
  readonly #paths = new Map<string, readonly string[]>();
  /** Sleeps with the time at which each ends. */
  readonly #sleeps = new Map<number, number>();
  /** Calls that are refused without the main thread. */
  readonly #refused: Answer[] = [];
  #queuedBytes = 0;
  #lastId = 0;
  #count = 0;

  constructor(host: CallHost) {
    this.#host = host;
  }

  /** How many calls and sleeps the code has started. */
  get count(): number {
    return this.#count;
  }

  /** Whether an answer will come. */
  get hasPending(): boolean {
    return this.#running.size + this.#sleeps.size > 0;
  }

  /** The names of the calls that have no outcome yet. */
  get pendingPaths(): readonly (readonly string[])[] {
    return [...this.#running.values(), ...this.#queue.values()].map(({ path }) => path);
  }

  /**
   * Starts or queues a call.
   *
   * @param message See `GuestHost.call`.
   * @throws SandboxError if the code has exceeded a limit that ends the run.
   */
  call(message: string): void {
    const [pathAt, jsonAt] = [message.indexOf('\n') + 1, message.indexOf('\n', message.indexOf('\n') + 1) + 1];
    const id = Number(message.slice(0, pathAt));
    this.#register(id);
    const path = this.#path(message.slice(pathAt, jsonAt - 1));
    const json = message.slice(jsonAt);
    const { callsInFlight, memoryBytes } = this.#host.limits;
    if (!path || !this.#areWithinLimits(json)) {
      const { argumentBytes, depth, values } = this.#host.limits;
      const limits = `${PATH_BYTES} bytes, ${argumentBytes} bytes, ${depth} levels, ${values} values`;
      const reason = `the name or the arguments exceed the limits: ${limits}`;
      this.#running.set(id, { path: [], json: '' });
      // Not from inside the call: the engine is not re-entered.
      this.#refused.push({ type: 'rejected', id, json: JSON.stringify({ name: 'Error', message: reason }) });
      return;
    }
    if (this.#running.size < callsInFlight) {
      this.#send(id, { path, json });
      return;
    }
    this.#queue.set(id, { path, json });
    this.#queuedBytes += json.length;
    if (this.#queuedBytes <= memoryBytes) return;
    throw new SandboxError('memory-limit', `calls that wait hold more than ${memoryBytes} bytes of arguments`);
  }

  #areWithinLimits(json: string): boolean {
    const { argumentBytes, depth, values } = this.#host.limits;
    if (Buffer.byteLength(json) > argumentBytes) return false;
    const shape = jsonShape(json);
    // The list of the arguments is one more level and value.
    return shape.depth <= depth + 1 && shape.values <= values + 1;
  }

  /** Throws as `call` does. */
  sleep(id: number, ms: number): void {
    this.#register(id);
    this.#sleeps.set(id, performance.now() + Math.min(Math.max(ms, 0), 2 ** 31 - 1));
  }

  /** Waits for the outcome of a call or the end of a sleep, and removes it from the pending ones. */
  next(): Answer {
    const answer = this.#nextAnswer();
    if (!this.#sleeps.delete(answer.id)) this.#freePlace(answer.id);
    return answer;
  }

  #nextAnswer(): Answer {
    for (;;) {
      const refused = this.#refused.shift();
      if (refused) return refused;
      const [id, endsAt] = this.#shortestSleep();
      const leftMs = endsAt - performance.now();
      if (leftMs <= 0) return { type: 'fulfilled', id, json: undefined };
      const message = this.#host.receive(leftMs);
      if (message && message.type !== 'run' && this.#running.has(message.id)) return message;
    }
  }

  #shortestSleep(): [id: number, endsAt: number] {
    let shortest: [number, number] = [0, Number.POSITIVE_INFINITY];
    for (const sleep of this.#sleeps) if (sleep[1] < shortest[1]) shortest = sleep;
    return shortest;
  }

  /** The next call that waits takes the place of one that has ended. */
  #freePlace(id: number): void {
    this.#running.delete(id);
    for (const [next, waiting] of this.#queue) {
      this.#queue.delete(next);
      this.#queuedBytes -= waiting.json.length;
      this.#send(next, waiting);
      return;
    }
  }

  #send(id: number, waiting: Waiting): void {
    this.#running.set(id, waiting);
    this.#host.post({ type: 'call', id, ...waiting });
  }

  /** Loops use the same names again. */
  #path(json: string): readonly string[] | undefined {
    const known = this.#paths.get(json);
    if (known) return known;
    const path = readPath(json);
    if (path) this.#paths.set(json, path);
    return path;
  }

  #register(id: number): void {
    const { calls } = this.#host.limits;
    if (++this.#count > calls) {
      throw new SandboxError('too-many-calls', `the code made more than ${calls} calls; fetch more with each call`);
    }
    // Ids only grow. Code that got hold of our functions could otherwise replace a call that is running.
    if (id <= this.#lastId || Number.isNaN(id)) {
      throw new SandboxError('engine', 'the code made a call in a way that is not provided');
    }
    this.#lastId = id;
  }
}
