/** How long handshakes may take in one turn of the event loop. */
const SLICE_MS = 3;
/** How many may wait. Each keeps its request and its socket in memory. */
const MAX_WAITING = 20_000;

interface Handshake {
  readonly address: string;
  readonly pass: () => void;
}

/**
 * Lets handshakes pass in short slices, oldest first. When thousands of clients come back at once, for example from a
 * node that was lost, the messages of those that are connected are handled in between.
 */
export class HandshakeQueue {
  readonly #maxPerAddress: number;
  readonly #maxWaiting: number;
  readonly #byAddress = new Map<string, number>();
  #waiting: Handshake[] = [];

  constructor(maxPerAddress: number, maxWaiting = MAX_WAITING) {
    this.#maxPerAddress = maxPerAddress;
    this.#maxWaiting = maxWaiting;
  }

  /**
   * Calls `pass` at the end of this turn of the event loop or of a later one.
   *
   * @returns false if too many wait already; then `pass` is not called
   */
  add(address: string, pass: () => void): boolean {
    const fromAddress = this.#byAddress.get(address) ?? 0;
    if (fromAddress >= this.#maxPerAddress || this.#waiting.length >= this.#maxWaiting) return false;
    this.#byAddress.set(address, fromAddress + 1);
    if (this.#waiting.push({ address, pass }) === 1) setImmediate(this.#run);
    return true;
  }

  readonly #run = (): void => {
    const end = performance.now() + SLICE_MS;
    let count = 0;
    try {
      while (count < this.#waiting.length && performance.now() < end) this.#pass(this.#waiting[count++] as Handshake);
    } finally {
      this.#waiting = this.#waiting.slice(count);
      if (this.#waiting.length > 0) setImmediate(this.#run);
    }
  };

  #pass({ address, pass }: Handshake): void {
    const left = (this.#byAddress.get(address) ?? 1) - 1;
    if (left > 0) this.#byAddress.set(address, left);
    else this.#byAddress.delete(address);
    pass();
  }
}
