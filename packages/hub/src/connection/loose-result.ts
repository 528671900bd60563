import type { StandardSchemaV1 } from '@modelcontextprotocol/client';

/** JSON can be read at any depth, but not written again: what is deeper than this would never be answered by whoever passes it on. */
const DEEPEST = 1_000;

/**
 * The SDK's own schemas reject whole lists for one odd tool, and results for one unknown block; they also strip what they
 * do not know. This one passes every result object on as it came.
 */
export const LOOSE_RESULT: StandardSchemaV1<unknown, Record<string, unknown>> = {
  '~standard': {
    version: 1,
    vendor: 'a2c',
    validate: (value) => {
      if (!isNode(value) || Array.isArray(value)) return { issues: [{ message: 'expected an object' }] };
      if (isTooDeep(value)) return { issues: [{ message: `it is nested deeper than ${DEEPEST} levels` }] };
      return { value: value as Record<string, unknown> };
    },
  },
};

/** Level by level, because whatever goes down by calling itself ends where JSON does. */
function isTooDeep(value: object): boolean {
  let level: object[] = [value];
  for (let depth = 0; depth <= DEEPEST; depth++) {
    const below: object[] = [];
    for (const node of level) for (const child of Object.values(node)) if (isNode(child)) below.push(child);
    if (below.length === 0) return false;
    level = below;
  }
  return true;
}

function isNode(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}
