import { setImmediate } from 'node:timers/promises';

/** What the messages of one connection may take of a turn of the event loop, if they take that much again and again. */
const TURN_MS = 8;

/** Time that is further apart is not added up. */
const WINDOW_MS = 2 * TURN_MS;

/**
 * Shares the event loop: a server may send small messages faster than they can be handled, and other servers, clients
 * and timers wait meanwhile. The messages of one connection are handled until its time is spent, then in the next turn.
 */
export class TurnBudget {
  #windowEnds = 0;
  #spent = 0;
  #began = 0;

  /** Messages are going to be handled. */
  begin(): void {
    this.#began = performance.now();
    if (this.#began < this.#windowEnds) return;
    this.#windowEnds = this.#began + WINDOW_MS;
    this.#spent = 0;
  }

  /** The messages so far are handled. */
  end(): void {
    this.#spent += performance.now() - this.#began;
  }

  isSpent(): boolean {
    return this.#spent + performance.now() - this.#began > TURN_MS;
  }

  /** Begins anew in the next turn. */
  async nextTurn(): Promise<void> {
    await setImmediate();
    this.#windowEnds = 0;
    this.begin();
  }
}

/** Long lists are handled in several turns of the event loop. */
export async function mapInTurns<T, R>(items: readonly T[], map: (item: T) => R): Promise<readonly R[]> {
  const budget = new TurnBudget();
  budget.begin();
  const results: R[] = [];
  for (const item of items) {
    results.push(map(item));
    if (budget.isSpent()) await budget.nextTurn();
  }
  return results;
}
