import { setImmediate as nextTurn } from 'node:timers/promises';

type Start = () => void;

/**
 * Gives large conversions turns of the event loop, one in each. Without it, all answers that arrived together would be
 * converted in the same turn. The offices alternate, so that one with many conversions does not delay the others.
 */
class ConversionTurns {
  readonly #offices = new Map<string, Start[]>();
  #isRunning = false;

  /** Resolves in a turn in which no other conversion starts. */
  next(office: string): Promise<void> {
    return new Promise((start) => {
      const waiting = this.#offices.get(office);
      if (waiting) waiting.push(start);
      else this.#offices.set(office, [start]);
      if (!this.#isRunning) void this.#run();
    });
  }

  async #run(): Promise<void> {
    this.#isRunning = true;
    // An office that is added again is visited again, after the others.
    for (const [office, waiting] of this.#offices) {
      await nextTurn();
      const start = waiting.shift();
      this.#offices.delete(office);
      if (waiting.length > 0) this.#offices.set(office, waiting);
      start?.();
    }
    this.#isRunning = false;
  }
}

/** One for the process, as its event loop. */
export const CONVERSION_TURNS = new ConversionTurns();
