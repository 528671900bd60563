import type { Cancellation } from '../cancellation.js';
import { HubError } from '../errors.js';

/** The calls of one caller. */
interface Share {
  inFlight: number;
  readonly waiting: Set<() => void>;
}

/**
 * Limits the calls that one server executes at a time; further calls wait. Callers have fair shares: one may use as
 * many places as stay free for others, so there are twice as many places as one caller can use alone. The waiting calls
 * of different callers take turns.
 */
export class CallQueue {
  readonly #server: string;
  readonly #limits: { readonly callsInFlight: number; readonly callsQueued: number };
  /** Of the callers that have calls. The one whose turn is next comes first. */
  readonly #shares = new Map<unknown, Share>();
  #inFlight = 0;
  #waiting = 0;

  constructor(server: string, limits: { readonly callsInFlight: number; readonly callsQueued: number }) {
    this.#server = server;
    this.#limits = limits;
  }

  get inFlight(): number {
    return this.#inFlight;
  }

  get waiting(): number {
    return this.#waiting;
  }

  /** Takes a place. Returns a promise if the call has to wait for it. Call `leave()` when the call has ended. */
  enter(caller: unknown, cancellation: Cancellation): void | Promise<void> {
    let share = this.#shares.get(caller);
    if (!share) {
      share = { inFlight: 0, waiting: new Set() };
      this.#shares.set(caller, share);
    }
    if (!this.#mayStart(share)) return this.#waitForPlace(caller, share, cancellation);
    this.#start(share);
  }

  /** Gives the place of an ended call to those that wait. */
  leave(caller: unknown): void {
    const share = this.#shares.get(caller);
    if (!share) return;
    share.inFlight--;
    this.#inFlight--;
    if (this.#waiting > 0) this.#startWaiting();
    this.#forget(caller, share);
  }

  #mayStart({ inFlight }: Share): boolean {
    return inFlight < 2 * this.#limits.callsInFlight - this.#inFlight;
  }

  #start(share: Share): void {
    share.inFlight++;
    this.#inFlight++;
  }

  /** A call that waits may start as soon as its caller may, so no new call can overtake it. */
  #startWaiting(): void {
    for (const [caller, share] of [...this.#shares]) {
      const [next] = share.waiting;
      if (!next || !this.#mayStart(share)) continue;
      next();
      this.#start(share);
      this.#shares.delete(caller);
      this.#shares.set(caller, share);
    }
  }

  #forget(caller: unknown, { inFlight, waiting }: Share): void {
    if (inFlight + waiting.size === 0) this.#shares.delete(caller);
  }

  #waitForPlace(caller: unknown, share: Share, cancellation: Cancellation): Promise<void> {
    const { waiting } = share;
    if (waiting.size >= 2 * this.#limits.callsQueued - this.#waiting) {
      this.#forget(caller, share);
      const message = `server "${this.#server}" is busy: ${this.#inFlight} calls in flight, ${this.#waiting} waiting; try again later`;
      throw new HubError('overloaded', message, { server: this.#server });
    }
    return new Promise((resolve, reject) => {
      const { reason } = cancellation;
      if (reason) {
        this.#forget(caller, share);
        return reject(reason);
      }
      const end = () => {
        waiting.delete(enter);
        this.#waiting--;
      };
      const stopListening = cancellation.onAbort((reason) => {
        end();
        this.#forget(caller, share);
        reject(reason);
      });
      const enter = () => {
        end();
        stopListening();
        resolve();
      };
      waiting.add(enter);
      this.#waiting++;
    });
  }
}
