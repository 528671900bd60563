import type { Cancellation } from '../cancellation.js';
import { HubError } from '../errors.js';

/** Limits the calls that one server executes at a time. Further calls wait in the order of their arrival. */
export class CallQueue {
  readonly #server: string;
  readonly #limits: { readonly callsInFlight: number; readonly callsQueued: number };
  readonly #waiting = new Set<() => void>();
  #inFlight = 0;

  constructor(server: string, limits: { readonly callsInFlight: number; readonly callsQueued: number }) {
    this.#server = server;
    this.#limits = limits;
  }

  get inFlight(): number {
    return this.#inFlight;
  }

  get waiting(): number {
    return this.#waiting.size;
  }

  /** Takes a place. Returns a promise if the call has to wait for it. Call `leave()` when the call has ended. */
  enter(cancellation: Cancellation): void | Promise<void> {
    if (this.#inFlight >= this.#limits.callsInFlight) return this.#waitForPlace(cancellation);
    this.#inFlight++;
  }

  /** Passes the place of an ended call on to the next waiting call, so that a new call cannot overtake it. */
  leave(): void {
    const [next] = this.#waiting;
    if (next) next();
    else this.#inFlight--;
  }

  #waitForPlace(cancellation: Cancellation): Promise<void> {
    if (this.#waiting.size >= this.#limits.callsQueued) {
      const { callsInFlight, callsQueued } = this.#limits;
      const message = `server "${this.#server}" is busy: ${callsInFlight} calls in flight, ${callsQueued} waiting; try again later`;
      throw new HubError('overloaded', message, { server: this.#server });
    }
    return new Promise((resolve, reject) => {
      const { reason } = cancellation;
      if (reason) return reject(reason);
      const stopListening = cancellation.onAbort((reason) => {
        this.#waiting.delete(enter);
        reject(reason);
      });
      const enter = () => {
        this.#waiting.delete(enter);
        stopListening();
        resolve();
      };
      this.#waiting.add(enter);
    });
  }
}
