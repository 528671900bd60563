import { NULL, type TypeNode, UNKNOWN, word } from './type-node.js';

/** A value nested deeper than this is not for reading. */
const MAX_DEPTH = 16;

/** The type that admits exactly one JSON value, as for `const` and each member of `enum`; its depths become `unknown`. */
export function literalType(value: unknown, depth = 0): TypeNode {
  if (value === null) return NULL;
  if (depth > MAX_DEPTH) return UNKNOWN;
  if (Array.isArray(value)) {
    return { kind: 'tuple', items: value.map((item) => literalType(item, depth + 1)), required: value.length };
  }
  switch (typeof value) {
    case 'string':
      return word(JSON.stringify(value));
    case 'number':
      return word(Number.isFinite(value) ? String(value) : 'number');
    case 'boolean':
      return word(String(value));
    case 'object':
      return {
        kind: 'object',
        properties: Object.entries(value).map(([name, member]) => ({
          name,
          optional: false,
          type: literalType(member, depth + 1),
        })),
      };
    default:
      return UNKNOWN;
  }
}
