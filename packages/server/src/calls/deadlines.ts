/** How late a deadline may fire. */
const TICK_MS = 50;

/** Something that ends at a deadline. */
export interface Expiring {
  expire(): void;
}

/** Removes an entry from {@link Deadlines}. */
export interface DeadlineEntry {
  readonly tick: number;
  readonly expiring: Expiring;
}

/**
 * The deadlines of all pending calls, with one timer: adding and removing costs no timer each. Deadlines are grouped by
 * ticks. The timer does not keep the process running.
 */
export class Deadlines {
  readonly #byTick = new Map<number, Set<DeadlineEntry>>();
  #timer: NodeJS.Timeout | undefined;
  #lastTick = 0;

  add(ms: number, expiring: Expiring): DeadlineEntry {
    const now = performance.now();
    const entry: DeadlineEntry = { tick: Math.ceil((now + ms) / TICK_MS) + 1, expiring };
    const entries = this.#byTick.get(entry.tick);
    if (entries) entries.add(entry);
    else this.#byTick.set(entry.tick, new Set([entry]));
    if (!this.#timer) {
      this.#lastTick = Math.floor(now / TICK_MS);
      this.#timer = setInterval(() => this.#advance(), TICK_MS).unref();
    }
    return entry;
  }

  remove(entry: DeadlineEntry): void {
    const entries = this.#byTick.get(entry.tick);
    if (entries?.delete(entry) && entries.size === 0) this.#byTick.delete(entry.tick);
  }

  #advance(): void {
    const current = Math.floor(performance.now() / TICK_MS);
    // After a pause of the process it is cheaper to look at all ticks that have deadlines.
    const due =
      current - this.#lastTick > this.#byTick.size
        ? [...this.#byTick.keys()].filter((tick) => tick <= current)
        : Array.from({ length: current - this.#lastTick }, (_, i) => this.#lastTick + 1 + i);
    this.#lastTick = current;
    for (const tick of due) {
      const entries = this.#byTick.get(tick);
      this.#byTick.delete(tick);
      for (const { expiring } of entries ?? []) expiring.expire();
    }
    if (this.#byTick.size > 0) return;
    clearInterval(this.#timer);
    this.#timer = undefined;
  }
}
