/** Waits that double up to a limit, each shortened by chance so that many servers do not come back in one instant. */
export class Backoff {
  readonly #firstMs: number;
  readonly #maxMs: number;
  #failures = 0;

  constructor(firstMs: number, maxMs: number) {
    this.#firstMs = firstMs;
    this.#maxMs = maxMs;
  }

  next(): number {
    const full = Math.min(this.#firstMs * 2 ** this.#failures++, this.#maxMs);
    return full * (0.5 + Math.random() / 2);
  }

  reset(): void {
    this.#failures = 0;
  }
}
