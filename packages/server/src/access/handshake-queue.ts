/** How long handshakes may take in one turn of the event loop. */
const SLICE_MS = 3;

/**
 * Lets handshakes pass in short slices, oldest first. When thousands of clients come back at once, for example from a
 * node that was lost, the messages of those that are connected are handled in between.
 */
export class HandshakeQueue {
  #waiting: (() => void)[] = [];

  /** Calls `pass` at the end of this turn of the event loop or of a later one. */
  add(pass: () => void): void {
    if (this.#waiting.push(pass) === 1) setImmediate(this.#run);
  }

  readonly #run = (): void => {
    const end = performance.now() + SLICE_MS;
    let count = 0;
    try {
      while (count < this.#waiting.length && performance.now() < end) this.#waiting[count++]?.();
    } finally {
      this.#waiting = this.#waiting.slice(count);
      if (this.#waiting.length > 0) setImmediate(this.#run);
    }
  };
}
