/** A token bucket: `perSecond` on average, bursts of twice as many. */
export class TokenBucket {
  readonly #perSecond: number;
  #tokens: number;
  #filledAt = performance.now();

  constructor(perSecond: number) {
    this.#perSecond = perSecond;
    this.#tokens = perSecond * 2;
  }

  /** Takes a token and returns 0, or returns the seconds until the next one is available. */
  take(): number {
    this.#fill();
    if (this.#tokens < 1) return (1 - this.#tokens) / this.#perSecond;
    this.#tokens -= 1;
    return 0;
  }

  /** Whether it may be spent from. */
  get hasTokens(): boolean {
    this.#fill();
    return this.#tokens > 0;
  }

  /** Takes any number of tokens. What is missing is a debt, which delays the next ones. */
  spend(count: number): void {
    this.#tokens -= count;
  }

  #fill(): void {
    const now = performance.now();
    this.#tokens = Math.min(this.#perSecond * 2, this.#tokens + ((now - this.#filledAt) / 1_000) * this.#perSecond);
    this.#filledAt = now;
  }

  get isFull(): boolean {
    return this.#tokens + ((performance.now() - this.#filledAt) / 1_000) * this.#perSecond >= this.#perSecond * 2;
  }
}

/** A token bucket per key. Full buckets are removed, so that memory is bounded by the active keys. */
export class KeyedBuckets {
  readonly #buckets = new Map<string, TokenBucket>();
  readonly #perSecond: number;
  #sweepAt = 1_000;

  constructor(perSecond: number) {
    this.#perSecond = perSecond;
  }

  /** Takes a token of this key; see {@link TokenBucket.take}. */
  take(key: string): number {
    let bucket = this.#buckets.get(key);
    if (!bucket) {
      if (this.#buckets.size >= this.#sweepAt) this.#sweep();
      bucket = new TokenBucket(this.#perSecond);
      this.#buckets.set(key, bucket);
    }
    return bucket.take();
  }

  #sweep(): void {
    for (const [key, bucket] of this.#buckets) if (bucket.isFull) this.#buckets.delete(key);
    this.#sweepAt = Math.max(1_000, this.#buckets.size * 2);
  }
}
