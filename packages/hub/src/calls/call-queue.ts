import { HubError } from '../errors.js';

/** How many calls one server works on at a time, and how many may wait for it. First come, first served. */
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

  async run<T>(signal: AbortSignal, call: () => Promise<T>): Promise<T> {
    if (this.#inFlight >= this.#limits.callsInFlight) await this.#turn(signal);
    else this.#inFlight++;
    try {
      return await call();
    } finally {
      this.#passOn();
    }
  }

  /** The place of a call that ended goes to the next one waiting, so that nobody can slip in between. */
  #passOn(): void {
    const [next] = this.#waiting;
    if (next) next();
    else this.#inFlight--;
  }

  #turn(signal: AbortSignal): Promise<void> {
    if (this.#waiting.size >= this.#limits.callsQueued) {
      const { callsInFlight, callsQueued } = this.#limits;
      const message = `server "${this.#server}" is busy: ${callsInFlight} calls in flight, ${callsQueued} waiting; try again later`;
      throw new HubError('overloaded', message, { server: this.#server });
    }
    return new Promise((resolve, reject) => {
      const leave = () => {
        this.#waiting.delete(enter);
        signal.removeEventListener('abort', giveUp);
      };
      const enter = () => {
        leave();
        resolve();
      };
      const giveUp = () => {
        leave();
        reject(signal.reason);
      };
      if (signal.aborted) return reject(signal.reason);
      this.#waiting.add(enter);
      signal.addEventListener('abort', giveUp, { once: true });
    });
  }
}
