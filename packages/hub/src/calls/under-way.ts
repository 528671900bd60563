import type { Answerers } from '../connection/our-side.js';
import { Deadline } from '../deadline.js';

/** Who asked something of a server, and can be asked in turn. */
export interface Asker extends Answerers {
  /** Requests with the same one are of one person. */
  readonly client?: object | undefined;
}

/** How long a request that was given up may still be worked on, and ask. */
const LINGERING_MS = 10_000;

/**
 * The requests a server is working on, and whose its questions are. A server of the older generation does not say which request a question
 * belongs to; but the one that asks cannot end before it has its answer, so whoever is left when the others have gone is the one.
 */
export class UnderWay {
  readonly #attributionTimeout: number;
  readonly #requests = new Set<Asker>();
  /** Given up here, and perhaps still worked on there: a question may be theirs. */
  readonly #lingering = new Map<Asker, NodeJS.Timeout>();
  readonly #departures = new Set<() => void>();

  constructor(attributionTimeout: number) {
    this.#attributionTimeout = attributionTimeout;
  }

  get isEmpty(): boolean {
    return this.#requests.size === 0;
  }

  /** The client that everything is of, if there is one. */
  get onlyClient(): object | undefined {
    const clients = new Set(this.#all().map(({ client }) => client));
    return clients.size === 1 ? [...clients][0] : undefined;
  }

  enter(request: Asker): void {
    this.#requests.add(request);
  }

  leave(request: Asker, isStillWorkedOn: boolean): void {
    this.#requests.delete(request);
    if (isStillWorkedOn) {
      const forget = setTimeout(() => this.#forget(request), LINGERING_MS).unref();
      this.#lingering.set(request, forget);
    }
    this.#tellDeparture();
  }

  /** There is no connection any more on which they could be worked on. */
  forgetLingering(): void {
    for (const request of [...this.#lingering.keys()]) this.#forget(request);
  }

  /** Puts a question to whom it belongs; to `otherwise` when that does not come out, or that one cannot be asked. */
  async ask<T>(how: (asker: Asker) => (() => Promise<T>) | undefined, otherwise: () => Promise<T>): Promise<T> {
    for (;;) {
      await this.#attributed();
      const asker = this.#isAmbiguous ? undefined : [...this.#requests].findLast((request) => how(request));
      const put = asker && how(asker);
      if (!put) return otherwise();
      try {
        return await put();
      } catch (error) {
        if (this.#requests.has(asker)) throw error;
        // The call that we asked in has ended; there may be another of the same client.
      }
    }
  }

  /** Of several clients, or of some that nobody named. */
  get #isAmbiguous(): boolean {
    return this.#all().length > 1 && this.onlyClient === undefined;
  }

  /** Waits until it is clear whose a question is, but not for long: two that wait for their answers wait for each other. */
  async #attributed(): Promise<void> {
    if (!this.#isAmbiguous) return;
    const patience = new Deadline(this.#attributionTimeout, 'finding out who is asked');
    while (this.#isAmbiguous && !patience.signal.aborted) {
      const departure = new Promise<void>((resolve) => this.#departures.add(resolve));
      await patience.race(departure).catch(() => {}); // It is looked at above.
    }
    patience.release();
  }

  #all(): readonly Asker[] {
    return [...this.#requests, ...this.#lingering.keys()];
  }

  #forget(request: Asker): void {
    clearTimeout(this.#lingering.get(request));
    this.#lingering.delete(request);
    this.#tellDeparture();
  }

  #tellDeparture(): void {
    for (const tell of this.#departures) tell();
    this.#departures.clear();
  }
}
