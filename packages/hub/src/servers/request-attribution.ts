import type { JsonObject } from '@a2c/config';
import { ShortLivedMap } from '@a2c/protocol';
import type { ClientHandlers, ServerRequestContext, ServerRequestHandlers } from '../clients/client-handlers.js';
import { configuredRoots } from '../clients/configured-roots.js';
import type { ServedClient } from '../clients/served-client.js';
import { Deadline } from '../deadline.js';

/** A pending client request and the handlers of the server requests it may cause. */
export interface PendingRequest extends ServerRequestHandlers {
  /** Identifies the client that sent the request. */
  readonly client?: ServedClient | undefined;
  /** Receives the log messages that belong to the request. */
  readonly onLog?: ((params: JsonObject) => void) | undefined;
  /** The inputs that the server waits for before it continues. */
  readonly inputsPending?: number;
}

/** A server request that no client request answers, and the client requests one of which it belongs to. */
interface OpenQuestion {
  readonly requests: Set<PendingRequest>;
  readonly ended: AbortController;
}

type Handler<Args extends unknown[], T> = (...args: Args) => Promise<T>;

/** How long a server may still work on a request that was given up here. */
const ABANDONED_MS = 10_000;

/**
 * Finds out which client request a server request belongs to. Legacy servers do not say it. But a request that waits
 * for the answer to its server request cannot end before, so the request that is left when the others have ended is the
 * one.
 */
export class RequestAttribution {
  readonly #timeoutMs: number;
  /** By the order of their beginning. */
  readonly #pending = new ShortLivedMap<number, PendingRequest>();
  #lastPlace = 0;
  /** Timed out or cancelled here; the server may still work on them. */
  readonly #abandoned = new Map<PendingRequest, NodeJS.Timeout>();
  readonly #waiters = new Set<() => void>();
  readonly #questions = new Set<OpenQuestion>();
  /** The server has sent a request. */
  hasAsked = false;

  constructor(timeoutMs: number) {
    this.#timeoutMs = timeoutMs;
  }

  get isIdle(): boolean {
    return this.#pending.size === 0;
  }

  /** The client of all requests that the server works on; undefined if there are several or none. */
  get onlyClient(): object | undefined {
    const clients = new Set(this.#active().map(({ client }) => client));
    return clients.size === 1 ? [...clients][0] : undefined;
  }

  /**
   * Passes a log message to the client whose request it belongs to: if several clients have requests, to all of them,
   * because the message does not say which. Returns false if there is no request.
   */
  log(params: JsonObject): boolean {
    const latest = new Map<unknown, PendingRequest>();
    for (const request of this.#active()) if (request.onLog) latest.set(request.client ?? request, request);
    for (const { onLog } of latest.values()) onLog?.(params);
    return latest.size > 0;
  }

  /** A request that waits for input causes neither questions nor log messages. */
  #active(): readonly PendingRequest[] {
    return this.#all().filter(({ inputsPending = 0 }) => inputsPending === 0);
  }

  /** Returns the place by which the request is removed. */
  add(request: PendingRequest): number {
    this.#pending.set(++this.#lastPlace, request);
    return this.#lastPlace;
  }

  /** `isAbandoned`: the server may still work on the request. */
  remove(place: number, isAbandoned: boolean): void {
    const request = this.#pending.remove(place);
    if (!request) return;
    for (const { requests, ended } of this.#questions) {
      if (requests.delete(request) && requests.size === 0) ended.abort();
    }
    if (isAbandoned) {
      this.#abandoned.set(request, setTimeout(() => this.#forget(request), ABANDONED_MS).unref());
    }
    this.#wakeWaiters();
  }

  /** The connection is gone, and with it all work on abandoned requests. */
  forgetAbandoned(): void {
    for (const request of [...this.#abandoned.keys()]) this.#forget(request);
  }

  /** Wraps the handlers so that each server request goes to the client request it belongs to, else to `handlers`. */
  attribute(handlers: ClientHandlers): ClientHandlers {
    return {
      ...handlers,
      onElicit: this.#wrap(handlers.onElicit, ({ onElicit }) => onElicit),
      onSample: this.#wrap(handlers.onSample, ({ onSample }) => onSample),
      onRoots: configuredRoots(handlers.client) ?? this.#wrap(handlers.onRoots, ({ onRoots }) => onRoots),
    };
  }

  #wrap<Args extends unknown[], T>(
    fallback: Handler<Args, T> | undefined,
    handlerOf: (request: PendingRequest) => Handler<Args, T> | undefined,
  ): Handler<Args, T> | undefined {
    return (
      fallback &&
      (async (...args) => {
        this.hasAsked = true;
        for (;;) {
          await this.#untilUnambiguous();
          const request = this.#isAmbiguous
            ? undefined
            : this.#pending.values().findLast((pending) => handlerOf(pending));
          const handler = request && handlerOf(request);
          if (!handler) return this.#whileWanted(fallback, args);
          try {
            return await handler(...args);
          } catch (error) {
            if (this.#pending.values().includes(request)) throw error;
            // The request ended while its handler ran: try another request of the same client.
          }
        }
      })
    );
  }

  /** The signal of the question aborts also when all requests have ended that it can belong to. */
  async #whileWanted<Args extends unknown[], T>(handler: Handler<Args, T>, args: Args): Promise<T> {
    if (this.isIdle) return handler(...args);
    const question = { requests: new Set(this.#pending.values()), ended: new AbortController() };
    const context = args.at(-1) as ServerRequestContext;
    const signal = AbortSignal.any([context.signal, question.ended.signal]);
    this.#questions.add(question);
    try {
      return await handler(...([...args.slice(0, -1), { ...context, signal }] as unknown as Args));
    } finally {
      this.#questions.delete(question);
    }
  }

  /** Requests of several clients, or of unnamed ones. */
  get #isAmbiguous(): boolean {
    return this.#active().length > 1 && this.onlyClient === undefined;
  }

  /** Bounded in time: two requests that both wait for answers would wait for each other. */
  async #untilUnambiguous(): Promise<void> {
    if (!this.#isAmbiguous) return;
    await Deadline.run(this.#timeoutMs, { what: 'attributing a server request' }, async (deadline) => {
      while (this.#isAmbiguous && !deadline.signal.aborted) {
        const removal = new Promise<void>((resolve) => this.#waiters.add(resolve));
        await deadline.race(removal).catch(() => {}); // The loop condition checks the signal.
      }
    });
  }

  #all(): readonly PendingRequest[] {
    return [...this.#pending.values(), ...this.#abandoned.keys()];
  }

  #forget(request: PendingRequest): void {
    clearTimeout(this.#abandoned.get(request));
    this.#abandoned.delete(request);
    this.#wakeWaiters();
  }

  #wakeWaiters(): void {
    if (this.#waiters.size === 0) return; // Clearing creates a new table, to which the former one refers.
    for (const wake of this.#waiters) wake();
    this.#waiters.clear();
  }
}

/** The handlers of a request, which count the inputs that a modern server waits for before it continues. */
export function whileCounted(request: PendingRequest & { inputsPending: number }): ServerRequestHandlers {
  const counted = <Args extends unknown[], T>(handler: ((...args: Args) => Promise<T>) | undefined) =>
    handler &&
    (async (...args: Args) => {
      request.inputsPending++;
      try {
        return await handler(...args);
      } finally {
        request.inputsPending--;
      }
    });
  return {
    onElicit: counted(request.onElicit),
    onSample: counted(request.onSample),
    onRoots: counted(request.onRoots),
  };
}
