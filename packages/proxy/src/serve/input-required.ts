import { randomUUID } from 'node:crypto';
import { setImmediate as nextTick } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import { type Cancellation, Canceller } from '@a2c/hub';
import { isRecord, jsonSize, type Progress, Shares } from '@a2c/protocol';
import { ProtocolError, ProtocolErrorCode } from '@modelcontextprotocol/server';
import type { ProxyLimits } from '../limits.js';
import type { ServerRequest, ToolboxCallOptions } from '../toolbox.js';

/** The options under which work runs for a request. */
export interface WorkOptions extends Pick<ToolboxCallOptions, 'onProgress' | 'onServerRequest'> {
  /** Cancels the work. */
  readonly cancelled: Canceller | AbortSignal;
  readonly onLog: (params: Readonly<Record<string, unknown>>) => void;
}

/** How a resumable call begins. */
export interface ResumableCallOptions {
  /** Sent without a `requestState`, for a server that keeps none and knows its inputs by their keys. */
  readonly responses?: Readonly<Record<string, unknown>> | undefined;
  /** The client asks for progress. */
  readonly hasProgress?: boolean;
}

/** The state of a call at the end of one client request. */
export type CallStep<T> =
  | { readonly kind: 'input-required'; readonly inputRequests: Readonly<Record<string, ServerRequest>> }
  | { readonly kind: 'done'; readonly result: T };

interface PendingInput {
  readonly request: ServerRequest;
  readonly resolve: (response: Record<string, unknown>) => void;
  readonly reject: (reason: unknown) => void;
  /** A result has listed it, so that the client may be asking its user. */
  isListed: boolean;
}

/**
 * A call that continues between two requests of its client. Clients of MCP 2026-07-28 cannot receive requests: the
 * result of their request lists the required input, and their next request carries the responses. This class keeps the
 * call running in between.
 */
export class ResumableCall<T> {
  readonly #canceller = new Canceller();
  readonly #inputs = new Map<string, PendingInput>();
  /** Undefined for most calls: they have none. */
  readonly #responses: Map<string, unknown> | undefined;
  readonly #usedKeys = new Set<string>();
  #wake: () => void = () => {};
  /** How the work has ended. */
  #outcome: { readonly result: T } | { readonly error: unknown } | undefined;
  /** Receives progress while a client request is open. */
  onProgress: ((progress: Progress) => void) | undefined;
  /** Receives log messages while a client request is open. */
  onLog: WorkOptions['onLog'] | undefined;

  constructor(
    work: (options: WorkOptions) => Promise<T>,
    { responses, hasProgress = false }: ResumableCallOptions = {},
  ) {
    this.#responses = responses && new Map(Object.entries(responses));
    const working = work({
      cancelled: this.#canceller,
      onProgress: hasProgress ? (progress) => this.onProgress?.(progress) : undefined,
      onLog: (params) => this.onLog?.(params),
      onServerRequest: (request) => this.#requireInput(request),
    });
    working.then(
      (result) => this.#end({ result }),
      (error: unknown) => this.#end({ error }),
    );
  }

  /** A server request that is pending at the end belongs to another call. It goes there unless the client has it. */
  #end(outcome: { readonly result: T } | { readonly error: unknown }): void {
    this.#outcome = outcome;
    this.#rejectInputs(ENDED, ({ isListed }) => !isListed);
    this.#wake();
  }

  /**
   * Waits until the call ends or requires input. Returns all pending inputs, because the server may ask for several at
   * once.
   */
  async next(cancellation: Cancellation): Promise<CallStep<T>> {
    if (cancellation.reason !== undefined) this.cancel(cancellation.reason);
    const stopListening = cancellation.onAbort((reason) => this.cancel(reason));
    try {
      for (;;) {
        await new Promise<void>((resolve) => {
          this.#wake = resolve;
          if (this.#outcome || this.#inputs.size > 0) resolve();
        });
        const outcome = this.#outcome;
        if (outcome && 'error' in outcome) throw outcome.error;
        if (outcome) return { kind: 'done', result: outcome.result };
        await nextTick();
        const inputs = [...this.#inputs].map(([key, input]) => {
          input.isListed = true;
          return [key, forClient(input.request)];
        });
        // The server may have cancelled its request at once.
        if (inputs.length > 0) return { kind: 'input-required', inputRequests: Object.fromEntries(inputs) };
      }
    } finally {
      stopListening();
      this.onProgress = undefined;
      this.onLog = undefined;
    }
  }

  /** Resolves inputs by key. An input without a response stays pending and is listed again. */
  respond(responses: Readonly<Record<string, unknown>>): void {
    for (const [key, { resolve }] of this.#inputs) {
      const response = responses[key];
      if (typeof response !== 'object' || response === null) continue;
      this.#inputs.delete(key);
      resolve(response as Record<string, unknown>);
    }
    if (this.#outcome) this.#rejectInputs(ENDED);
  }

  cancel(reason?: unknown): void {
    this.#canceller.abort(reason);
    this.#rejectInputs(reason);
  }

  /**
   * The server's own key, unless an earlier input of this call had it: the client may still be asking its user, and the
   * answer to that question must not become the answer to this one.
   */
  #keyFor({ key: own }: ServerRequest): string {
    let key = own;
    for (let number = this.#usedKeys.size + 1; key === undefined || this.#usedKeys.has(key); number++)
      key = `question-${number}`;
    this.#usedKeys.add(key);
    return key;
  }

  #requireInput(request: ServerRequest): Promise<Record<string, unknown>> {
    const key = this.#keyFor(request);
    const { signal } = request;
    // Only the keys of servers: the client was not asked any other question before.
    const response = request.key === key ? this.#responses?.get(key) : undefined;
    if (isRecord(response)) return Promise.resolve(response);
    return new Promise((resolve, reject) => {
      const { reason } = this.#canceller;
      if (reason !== undefined || signal?.aborted) {
        reject(signal?.reason ?? reason);
        return;
      }
      const onAbort = () => {
        this.#inputs.delete(key);
        reject(signal?.reason);
      };
      signal?.addEventListener('abort', onAbort, { once: true });
      this.#inputs.set(key, { request, resolve, reject, isListed: false });
      this.#wake();
    });
  }

  #rejectInputs(reason: unknown, isRejected: (input: PendingInput) => boolean = () => true): void {
    if (this.#inputs.size === 0) return;
    const inputs = [...this.#inputs].filter(([, input]) => isRejected(input));
    for (const [key] of inputs) this.#inputs.delete(key);
    for (const [, { reject }] of inputs) reject(reason);
  }
}

const ENDED = new Error('the call ended before its server request was answered');

/** Without what belongs to the connection to the server, or to MCP 2025. */
function forClient({ method, params }: ServerRequest): ServerRequest {
  const { elicitationId: _, ...others } = params ?? {};
  return { method, ...(params && { params: others }) };
}

interface SuspendedCall {
  /** Method and parameters of the client request. */
  readonly request: unknown;
  readonly call: ResumableCall<unknown>;
  readonly timer: NodeJS.Timeout;
  /** The characters of the request. */
  readonly size: number;
  /** The address of its client. */
  readonly address: string;
}

/**
 * The calls that wait for input, by the `requestState` their client received. A `requestState` can be used once. Over a
 * limit, the oldest call of the address with the most ends.
 */
export class ResumableCalls {
  readonly #calls = new Map<string, SuspendedCall>();
  readonly #limits: ProxyLimits;
  readonly #counts = new Shares();
  readonly #sizes = new Shares();

  constructor(limits: ProxyLimits) {
    this.#limits = limits;
  }

  /** How long a person may take to answer. */
  get timeoutMs(): number {
    return this.#limits.inputTimeoutMs;
  }

  /**
   * Keeps a call and returns its `requestState`, which is random because it is the only proof of ownership.
   *
   * @throws {ProtocolError} The call takes more than the share of its address, and was cancelled.
   */
  suspend(call: ResumableCall<unknown>, request: unknown, address = ''): string {
    const size = jsonSize(request);
    const state = randomUUID();
    const timer = setTimeout(() => this.#expire(state), this.timeoutMs).unref();
    this.#calls.set(state, { call, request, timer, size, address });
    this.#counts.add(address, 1);
    this.#sizes.add(address, size);
    this.#makeRoom();
    if (this.#calls.has(state)) return state;
    throw new ProtocolError(ProtocolErrorCode.InternalError, 'Too many calls wait for input; try again later');
  }

  #makeRoom(): void {
    const { waitingCalls, waitingCharacters } = this.#limits;
    while (this.#calls.size > 1) {
      const isTooMany = this.#counts.total > waitingCalls;
      if (!isTooMany && this.#sizes.total <= waitingCharacters) break;
      const largest = (isTooMany ? this.#counts : this.#sizes).largest();
      const [state = ''] = [...this.#calls].find(([, { address }]) => address === largest) ?? [];
      this.#expire(state);
    }
  }

  /**
   * Returns the call of a `requestState`, for the same request only.
   *
   * @throws {ProtocolError} The state is unknown, used, expired, or belongs to another request.
   */
  resume<T>(state: string, request: unknown): ResumableCall<T> {
    const suspended = this.#calls.get(state);
    if (!suspended || !isDeepStrictEqual(suspended.request, request))
      throw new ProtocolError(ProtocolErrorCode.InvalidParams, 'Invalid or expired requestState');
    this.#remove(state, suspended);
    return suspended.call as ResumableCall<T>;
  }

  /** Cancels all suspended calls. */
  close(): void {
    for (const state of [...this.#calls.keys()]) this.#expire(state);
  }

  #expire(state: string): void {
    const suspended = this.#calls.get(state);
    if (!suspended) return;
    this.#remove(state, suspended);
    suspended.call.cancel(new Error('no answer in time'));
  }

  #remove(state: string, { timer, size, address }: SuspendedCall): void {
    clearTimeout(timer);
    this.#counts.add(address, -1);
    this.#sizes.add(address, -size);
    this.#calls.delete(state);
  }
}
