import { type BagEntry, type ComputerRequest, type RequestOf, SMCPError } from '@a2c/protocol';
import type { Connection } from '../rooms/connection.js';
import type { Member } from '../rooms/registry.js';
import type { Holder, MemoryBudget } from '../wire/memory-budget.js';
import { type Answer, type PendingCall, timedOut } from './pending-calls.js';

export interface BlobFetchOptions {
  /** The Agent's connection. */
  readonly owner: Connection;
  readonly target: Member;
  /** The call whose result has blobs. */
  readonly request: ComputerRequest;
  /** The time limit of the call, and when it ends, as `performance.now()`. */
  readonly timeoutMs: number;
  readonly endsAt: number;
  readonly memory: MemoryBudget;
  readonly send: (owner: Connection, payload: RequestOf<'client:get_blob'>, maxMs: number) => Promise<Answer>;
}

/**
 * The fetching of the blobs of one result. It is a part of the call: it has the same deadline, ends when the Agent is
 * gone or cancels the call, and counts to the memory of the Agent's identity.
 */
export class BlobFetch implements PendingCall {
  readonly reqId: string;
  readonly agent: string;
  readonly wantsProgress = false;
  readonly target: Member;
  owner: Connection;
  readonly #options: BlobFetchOptions;
  readonly #holder: Holder;
  readonly #ended: Promise<never>;
  #entry: BagEntry<PendingCall>;
  #error: SMCPError | undefined;
  #reject!: (error: SMCPError) => void;

  constructor(options: BlobFetchOptions) {
    const { owner, target, request } = options;
    this.#options = options;
    this.reqId = request.req_id;
    this.agent = request.agent;
    this.target = target;
    this.owner = owner;
    this.#entry = owner.calls.add(this);
    this.#holder = { owner: owner.owner, heldBytes: 0, end: () => this.fail(outOfMemory()) };
    this.#ended = new Promise<never>((_resolve, reject) => {
      this.#reject = reject;
    });
    this.#ended.catch(() => {}); // Avoids an unhandled rejection when nothing awaits this.
  }

  /** Asks for a part of a blob. */
  async ask(payload: RequestOf<'client:get_blob'>): Promise<Answer> {
    const { send, target, timeoutMs, endsAt } = this.#options;
    const leftMs = endsAt - performance.now();
    if (this.#error) throw this.#error;
    if (leftMs <= 0) throw timedOut(target, 'client:tool_call', timeoutMs);
    try {
      return await Promise.race([send(this.owner, payload, leftMs), this.#ended]);
    } catch (error) {
      throw performance.now() < endsAt ? error : timedOut(target, 'client:tool_call', timeoutMs);
    }
  }

  /**
   * Sets how many bytes are in memory.
   *
   * @throws SMCPError if this identity has too much there
   */
  hold(bytes: number): void {
    if (!this.#error) this.#options.memory.set(this.#holder, bytes);
    if (this.#error) throw this.#error;
  }

  /** The blobs are fetched, or will not be. */
  close(): void {
    this.owner.calls.remove(this.#entry);
    this.#options.memory.set(this.#holder, 0);
  }

  transfer(to: Connection): void {
    if (!this.owner.calls.remove(this.#entry)) return;
    this.owner = to;
    this.#entry = to.calls.add(this);
  }

  cancelled(): void {
    const details = { reason: 'cancelled' };
    this.fail(
      new SMCPError('ToolExecutionFailed', 'the call was cancelled before all of its result was here', { details }),
    );
  }

  fail(error: SMCPError): void {
    this.#error ??= error;
    this.#reject(this.#error);
  }
}

function outOfMemory(): SMCPError {
  const message =
    'the results of this identity need too much memory at once; make fewer calls with large results at once';
  return new SMCPError('ToolExecutionFailed', message, { details: { reason: 'memory' } });
}
