import { NULL, type TypeNode, word } from './type-node.js';

/** The type that admits exactly one JSON value, as for `const` and each member of `enum`. */
export function literalType(value: unknown): TypeNode {
  if (value === null) return NULL;
  if (Array.isArray(value)) return { kind: 'tuple', items: value.map(literalType), required: value.length };
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
          type: literalType(member),
        })),
      };
    default:
      return word('unknown');
  }
}
