/** Something of a peer that stays in the memory of the Server until the peer sends or reads the rest of it. */
export interface Holder {
  /** Whose it is. All that one owner has is added up. */
  readonly owner: string;
  /** Set by the budget. */
  heldBytes: number;
  /** Ends the connection, and so frees the memory. */
  end(): void;
}

/** What is smaller is not counted: nearly all messages are, and sockets have buffers of this size anyway. */
const SMALL_BYTES = 64 * 2 ** 10;

/**
 * Limits what all peers together keep in the memory of the Server. Over the limit, the owner that has most loses its
 * largest part, so that others are not affected by it.
 */
export class MemoryBudget {
  readonly #limit: number;
  readonly #onEnd: (holder: Holder, bytes: number) => void;
  readonly #holders = new Set<Holder>();
  #total = 0;

  constructor(limit: number, onEnd: (holder: Holder, bytes: number) => void) {
    this.#limit = limit;
    this.#onEnd = onEnd;
  }

  /** Sets how much a holder keeps. */
  set(holder: Holder, bytes: number): void {
    const counted = bytes > SMALL_BYTES ? bytes : 0;
    if (counted === holder.heldBytes) return;
    this.#total += counted - holder.heldBytes;
    holder.heldBytes = counted;
    if (counted === 0) this.#holders.delete(holder);
    else this.#holders.add(holder);
    while (this.#total > this.#limit) this.#endLargest();
  }

  #endLargest(): void {
    const sums = new Map<string, number>();
    for (const { owner, heldBytes } of this.#holders) sums.set(owner, (sums.get(owner) ?? 0) + heldBytes);
    const [[most] = ['']] = [...sums].sort(([, a], [, b]) => b - a);
    const [largest] = [...this.#holders]
      .filter(({ owner }) => owner === most)
      .sort((a, b) => b.heldBytes - a.heldBytes) as [Holder];
    const { heldBytes } = largest;
    this.set(largest, 0);
    this.#onEnd(largest, heldBytes);
    largest.end();
  }
}
