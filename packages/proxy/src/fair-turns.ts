import type { Caller } from '@a2c/hub';

type Begin = () => void;

/**
 * One request in each turn of the event loop: for those that are worked off in memory, which a client may send faster
 * than they are answered. Those that wait begin in rotation, by groups of callers and by the callers of a group. A
 * request without others waits for nothing.
 */
export class FairTurns {
  #isTaken = false;
  /** By group and by caller. Those whose turn is next come first. */
  readonly #waiting = new Map<unknown, Map<unknown, Begin[]>>();

  /** Takes this turn, or returns a promise of a later one. */
  take({ id, group }: Caller): Promise<void> | undefined {
    if (this.#isTaken) return new Promise((resolve) => this.#add(id, group, resolve));
    this.#isTaken = true;
    setImmediate(this.#next);
    return undefined;
  }

  readonly #next = (): void => {
    const begin = this.#first();
    this.#isTaken = begin !== undefined;
    if (!begin) return;
    setImmediate(this.#next);
    begin();
  };

  #add(id: unknown, group: unknown, begin: Begin): void {
    const callers = this.#waiting.get(group) ?? new Map<unknown, Begin[]>();
    this.#waiting.set(group, callers);
    const own = callers.get(id) ?? [];
    callers.set(id, own);
    own.push(begin);
  }

  /** The next of the caller whose turn it is, of the group whose turn it is. Both are last then. */
  #first(): Begin | undefined {
    for (const [group, callers] of this.#waiting) {
      this.#waiting.delete(group);
      for (const [id, own] of callers) {
        const begin = own.shift();
        callers.delete(id);
        if (own.length > 0) callers.set(id, own);
        if (callers.size > 0) this.#waiting.set(group, callers);
        return begin;
      }
    }
    return undefined;
  }
}
