/**
 * What the type of one schema may be made of, in parts and characters of the schema. Types of real tools need a small
 * fraction of it.
 */
const MAX_OF_SCHEMA = 100_000;

/** The same for all schemas that are converted together: the tools of one server, or of one search. */
const MAX_OF_ALL = 10 * MAX_OF_SCHEMA;

/**
 * Bounds the work of a conversion, whose time grows with the size of the type: a small schema can refer to one
 * definition many times. What comes after the end of the budget becomes `unknown`.
 */
export class WorkBudget {
  #left: number;

  constructor(left = MAX_OF_ALL) {
    this.#left = left;
  }

  get left(): number {
    return Math.max(0, this.#left);
  }

  /** Returns false if that much is not left; then nothing is. */
  spend(size: number): boolean {
    this.#left -= size;
    return this.#left >= 0;
  }

  /** Runs the conversion of one schema with a budget of its own, and subtracts what it has used. */
  forSchema<T>(convert: (budget: WorkBudget) => T): T {
    const given = Math.min(MAX_OF_SCHEMA, this.left);
    const own = new WorkBudget(given);
    const result = convert(own);
    this.spend(given - own.left);
    return result;
  }
}
