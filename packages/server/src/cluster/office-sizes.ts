/** How long a size is used. */
const KEPT_MS = 2_000;
const MAX_OFFICES = 10_000;

/** How many members offices have on all nodes, as it was a moment ago: what a notification costs the other nodes. */
export class OfficeSizes {
  readonly #ask: (office: string) => Promise<number>;
  readonly #sizes = new Map<string, { size: number; until: number }>();

  constructor(ask: (office: string) => Promise<number>) {
    this.#ask = ask;
  }

  /** The last size that is known, or 0. Asks for the next one in the background. */
  sizeOf(office: string): number {
    const now = performance.now();
    const known = this.#sizes.get(office);
    if (known && known.until > now) return known.size;
    const entry = this.set(office, known?.size ?? 0);
    this.#ask(office).then(
      (size) => {
        entry.size = size;
      },
      () => {}, // Without Redis no other node is notified, and the outage is reported by the requests that fail.
    );
    return entry.size;
  }

  set(office: string, size: number): { size: number } {
    if (this.#sizes.size >= MAX_OFFICES && !this.#sizes.has(office)) this.#sizes.clear();
    const entry = { size, until: performance.now() + KEPT_MS };
    this.#sizes.set(office, entry);
    return entry;
  }
}
