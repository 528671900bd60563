import { Bag, type BagEntry, ShortLivedMap } from './short-lived.js';

/** How late a deadline may fire. */
const TICK_MS = 50;

/** Something that ends at a deadline. */
export interface Expiring {
  /** The deadline has passed. */
  expire(): void;
}

/** Removes an entry from {@link Deadlines}. */
export interface DeadlineEntry extends BagEntry<Expiring> {
  tick?: number;
}

/**
 * The deadlines of many requests, with one timer: adding and removing costs no timer each. Deadlines are grouped by
 * ticks. The timer does not keep the process running.
 */
export class Deadlines {
  readonly #byTick = new ShortLivedMap<number, Bag<Expiring>>();
  #timer: ReturnType<typeof setInterval> | undefined;
  #lastTick = 0;

  /** Calls `expire` after the time, at most two ticks late, unless the entry is removed before. */
  add(ms: number, expiring: Expiring): DeadlineEntry {
    const now = performance.now();
    const tick = Math.ceil((now + ms) / TICK_MS) + 1;
    let entries = this.#byTick.get(tick);
    if (!entries) {
      entries = new Bag();
      this.#byTick.set(tick, entries);
    }
    const entry: DeadlineEntry = entries.add(expiring);
    entry.tick = tick;
    if (!this.#timer) {
      this.#lastTick = Math.floor(now / TICK_MS);
      this.#timer = setInterval(() => this.#advance(), TICK_MS);
      // A browser has no such method.
      (this.#timer as { unref?: () => void }).unref?.();
    }
    return entry;
  }

  /** Does nothing if the entry has expired or was removed. */
  remove(entry: DeadlineEntry): void {
    const tick = entry.tick as number;
    const entries = this.#byTick.get(tick);
    if (entries?.remove(entry) && entries.size === 0) this.#byTick.remove(tick);
  }

  #advance(): void {
    const current = Math.floor(performance.now() / TICK_MS);
    // After a pause of the process it is cheaper to look at all ticks that have deadlines.
    const due =
      current - this.#lastTick > this.#byTick.size
        ? this.#byTick
            .keys()
            .map(Number)
            .filter((tick) => tick <= current)
        : Array.from({ length: current - this.#lastTick }, (_, i) => this.#lastTick + 1 + i);
    this.#lastTick = current;
    for (const tick of due) {
      for (const expiring of this.#byTick.remove(tick)?.values() ?? []) expiring.expire();
    }
    if (this.#byTick.size > 0) return;
    clearInterval(this.#timer);
    this.#timer = undefined;
  }
}
