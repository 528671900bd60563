import { isDeeperThan, jsonSize } from '@a2c/protocol';

/** Keywords whose cost depends on more than the size of schema and value: the check can take forever. */
const UNBOUNDED = new Set(['pattern', 'patternProperties', 'uniqueItems', '$ref', '$dynamicRef', '$recursiveRef']);

/** Keywords whose values are compared with the arguments, and written into messages. */
const COMPARED = new Set(['enum', 'const']);

/** Keywords that read a string from beginning to end. */
const LENGTHS = new Set(['minLength', 'maxLength']);

/** The validator writes the path of each part: in a deeper schema the paths would cost more than the parts. */
const MAX_DEPTH = 64;

/** Parts of the schema times parts of the value that are checked in the main thread: a few milliseconds. */
const MAX_CHEAP = 20_000;

/** To read so many characters takes as long as to check one part. */
const CHARACTERS_PER_PART = 50;

/** What a check of arguments costs for each part of them. */
export interface SchemaCost {
  /** Parts of the schema; infinite if it has a keyword whose cost is not bounded by the sizes. */
  readonly parts: number;
  /** Rules for the length of strings: each may read all characters of the arguments. */
  readonly lengths: number;
}

/** Counts what a check has to look at. Stops where the schema is known to be costly. */
export function schemaCost(schema: unknown): SchemaCost {
  const costly = { parts: Number.POSITIVE_INFINITY, lengths: 0 };
  const pending = [schema];
  let [parts, lengths] = [0, 0];
  while (pending.length > 0) {
    const part = pending.pop();
    if (++parts > MAX_CHEAP) return costly;
    if (typeof part !== 'object' || part === null) continue;
    for (const [key, member] of Object.entries(part)) {
      if (UNBOUNDED.has(key)) return costly;
      if (LENGTHS.has(key)) lengths++;
      parts += key.length / CHARACTERS_PER_PART;
      if (COMPARED.has(key)) parts += jsonSize(member, MAX_CHEAP * CHARACTERS_PER_PART) / CHARACTERS_PER_PART;
      pending.push(member);
    }
  }
  return isDeeperThan(schema, MAX_DEPTH) ? costly : { parts, lengths };
}

/** Whether a check may take longer than a few milliseconds. */
export function mayBeCostly({ parts, lengths }: SchemaCost, args: unknown): boolean {
  const left = MAX_CHEAP - parts * countParts(args, MAX_CHEAP / parts);
  if (left < 0 || lengths === 0) return left < 0;
  const most = (left * CHARACTERS_PER_PART) / lengths;
  return jsonSize(args, most) > most;
}

/**
 * Counts values within a value, and stops beyond `most`. The characters of keys count too: the validator encodes each
 * key for each part of the schema that reads it.
 */
function countParts(value: unknown, most: number): number {
  const pending = [value];
  let count = 0;
  while (pending.length > 0 && count <= most) {
    const part = pending.pop();
    count++;
    if (typeof part !== 'object' || part === null) continue;
    for (const [key, member] of Object.entries(part)) {
      count += key.length / CHARACTERS_PER_PART;
      pending.push(member);
    }
  }
  return count;
}
