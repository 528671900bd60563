/** Keywords whose cost depends on more than the size of schema and value: the check can take forever. */
const UNBOUNDED = new Set(['pattern', 'patternProperties', 'uniqueItems', '$ref', '$dynamicRef', '$recursiveRef']);

/** Parts of the schema times parts of the value that are checked in the main thread: a few milliseconds. */
const MAX_CHEAP = 20_000;

/** The number of parts of a schema; infinite if it has a keyword whose cost is not bounded by the sizes. */
export function schemaCost(schema: unknown): number {
  return countParts(schema, MAX_CHEAP, UNBOUNDED);
}

/** Whether a check may take longer than a few milliseconds. */
export function mayBeCostly(cost: number, args: unknown): boolean {
  return cost > MAX_CHEAP || countParts(args, MAX_CHEAP / cost) * cost > MAX_CHEAP;
}

/** Counts values within a value, and stops beyond `most`. */
function countParts(value: unknown, most: number, unbounded?: ReadonlySet<string>): number {
  const pending = [value];
  let count = 0;
  while (pending.length > 0 && count <= most) {
    const part = pending.pop();
    count++;
    if (typeof part !== 'object' || part === null) continue;
    for (const [key, member] of Object.entries(part)) {
      if (unbounded?.has(key)) return Number.POSITIVE_INFINITY;
      pending.push(member);
    }
  }
  return count;
}
