import { delay } from '@a2c/protocol';

/** How long work on what a Computer sent may take in one turn of the event loop. Milliseconds. */
const TURN_MS = 10;

/** Divides work into turns of the event loop: a Computer must not block its Agents. */
export class Turns {
  #ends = performance.now() + TURN_MS;

  /** Whether the rest has to be done in another turn. */
  get isOver(): boolean {
    return performance.now() >= this.#ends;
  }

  /** Resolves in the next turn. */
  async next(): Promise<void> {
    await delay(0);
    this.#ends = performance.now() + TURN_MS;
  }
}
