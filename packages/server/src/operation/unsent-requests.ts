/** Requests up to this size pass where larger ones have to wait. Nearly all are smaller. */
export const SMALL_REQUEST_BYTES = 64 * 2 ** 10;

interface UnsentRequest {
  readonly sender: string;
  bytes: number;
  /** The position after the request in all that was queued for the Computer. */
  end: number;
}

/**
 * The requests to one Computer that are not sent yet, by their senders. A Computer is not at fault when more is sent to
 * it than its line carries, so requests are refused long before the Computer would be disconnected.
 */
export class UnsentRequests {
  readonly #requests: UnsentRequest[] = [];
  readonly #bytesOf = new Map<string, number>();
  #queued: number;

  /** @param unsent how much is queued for the Computer at this time */
  constructor(unsent: number) {
    this.#queued = unsent;
  }

  /** Counts a packet of any kind that is queued for the Computer. */
  count(bytes: number): void {
    this.#queued += bytes;
  }

  /**
   * Adds a request that is about to be queued, if it may be. One large request of a sender passes, and more up to half
   * of the limit, while less than the limit is unsent. Small requests pass up to the limit for each sender, and up to
   * twice the limit in all.
   *
   * @param unsent how much is queued for the Computer
   */
  add(sender: string, bytes: number, unsent: number, limit: number): boolean {
    this.#removeSent(unsent);
    const own = this.#bytesOf.get(sender) ?? 0;
    const isRefused =
      bytes <= SMALL_REQUEST_BYTES
        ? own > limit || unsent > 2 * limit
        : unsent > limit || (own > SMALL_REQUEST_BYTES && own + bytes > limit / 2);
    if (isRefused) return false;
    this.#bytesOf.set(sender, own + bytes);
    this.#append(sender, bytes);
    return true;
  }

  #append(sender: string, bytes: number): void {
    const end = this.#queued + bytes;
    const last = this.#requests.at(-1);
    const isSmall = last !== undefined && last.bytes + bytes <= SMALL_REQUEST_BYTES;
    if (isSmall && last.sender === sender) Object.assign(last, { bytes: last.bytes + bytes, end });
    else this.#requests.push({ sender, bytes, end });
  }

  #removeSent(unsent: number): void {
    const sent = this.#queued - unsent;
    const first = this.#requests.findIndex(({ end }) => end > sent);
    for (const { sender, bytes } of this.#requests.splice(0, first < 0 ? this.#requests.length : first)) {
      const left = (this.#bytesOf.get(sender) ?? 0) - bytes;
      if (left > 0) this.#bytesOf.set(sender, left);
      else this.#bytesOf.delete(sender);
    }
  }
}
