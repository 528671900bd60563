import type { CallId } from './once-only.js';

/** Memory of a value besides its JSON: `{}` has two bytes of JSON, and more than fifty as an object. */
const VALUE_BYTES = 64;

/** The values of smaller arguments are not counted: this costs more than they take. */
const FEW_BYTES = 4 * 1_024;

/** The limits of what Agents keep in the memory of a Computer with calls that are not finished. */
export interface UnfinishedLimits {
  /** The size of the arguments of all unfinished calls, including those that wait for consent. */
  readonly unfinishedBytes: number;
  /** The size of those of one Agent, so that it leaves room for others. */
  readonly unfinishedBytesPerAgent: number;
}

export const UNFINISHED_LIMITS: UnfinishedLimits = {
  unfinishedBytes: 64 * 2 ** 20,
  unfinishedBytesPerAgent: 32 * 2 ** 20,
};

/** The call whose arguments are counted. */
type Caller = Pick<CallId, 'office' | 'agent' | 'owner'>;

/** The memory that arguments take, of which the size as JSON is known. */
export function memoryOf(parameters: object, jsonBytes: number): number {
  return jsonBytes <= FEW_BYTES ? jsonBytes : jsonBytes + VALUE_BYTES * valuesIn(parameters);
}

function valuesIn(value: object): number {
  const pending = [value];
  let count = 0;
  for (let part = pending.pop(); part; part = pending.pop()) {
    for (const member of Object.values(part)) {
      count++;
      if (typeof member === 'object' && member !== null) pending.push(member);
    }
  }
  return count;
}

/**
 * Counts the bytes of the arguments of unfinished calls. A call keeps its arguments until it is answered, also one that
 * repeats another and waits for its result.
 */
export class UnfinishedCalls {
  readonly #limits: UnfinishedLimits;
  readonly #bytesOf = new Map<string, number>();
  #bytes = 0;

  constructor(limits: UnfinishedLimits) {
    this.#limits = limits;
  }

  /** Why there is no room for a call; undefined if there is. Local calls have no limit of their own. */
  problem(caller: Caller, bytes: number): string | undefined {
    const { unfinishedBytes, unfinishedBytesPerAgent } = this.#limits;
    if (this.#bytes + bytes > unfinishedBytes) return problemOf(`all calls may have ${unfinishedBytes}`, bytes);
    const own = this.#bytesOf.get(caller.owner) ?? 0;
    if (isLocal(caller) || own + bytes <= unfinishedBytesPerAgent) return undefined;
    return problemOf(`calls of one Agent may have ${unfinishedBytesPerAgent}`, bytes);
  }

  /** Call `remove` when the call is answered. */
  add({ owner }: Caller, bytes: number): void {
    this.#bytes += bytes;
    const own = (this.#bytesOf.get(owner) ?? 0) + bytes;
    if (own === 0) this.#bytesOf.delete(owner);
    else this.#bytesOf.set(owner, own);
  }

  remove(caller: Caller, bytes: number): void {
    this.add(caller, -bytes);
  }
}

function problemOf(limit: string, bytes: number): string {
  return `too many bytes of arguments in unfinished calls: ${limit}, and this one has ${bytes}`;
}

function isLocal({ office, agent }: Caller): boolean {
  return office === null && agent === '';
}
