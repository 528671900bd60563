/** The syntax tree of a TypeScript type. */
export type TypeNode =
  | { readonly kind: 'word'; readonly text: string }
  | { readonly kind: 'name'; readonly name: string }
  | { readonly kind: 'union'; readonly members: readonly TypeNode[] }
  | { readonly kind: 'intersection'; readonly members: readonly TypeNode[] }
  | { readonly kind: 'array'; readonly item: TypeNode }
  | { readonly kind: 'tuple'; readonly items: readonly TypeNode[]; readonly required: number; readonly rest?: TypeNode }
  | ObjectNode;

export interface ObjectNode {
  readonly kind: 'object';
  readonly properties: readonly PropertyNode[];
  /** The type of all other properties, if the schema restricts them. */
  readonly others?: TypeNode;
}

export interface PropertyNode {
  readonly name: string;
  readonly optional: boolean;
  readonly type: TypeNode;
  readonly comment?: string;
}

export const word = (text: string): TypeNode => ({ kind: 'word', text });
export const UNKNOWN = word('unknown');
export const NEVER = word('never');
export const NULL = word('null');

/** Values nested deeper become `unknown`. */
const MAX_LITERAL_DEPTH = 16;

/** The type of exactly one JSON value: of `const`, or of one member of `enum`. */
export function literalType(value: unknown, depth = 0): TypeNode {
  if (value === null) return NULL;
  if (depth > MAX_LITERAL_DEPTH) return UNKNOWN;
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

export function childrenOf(node: TypeNode): readonly TypeNode[] {
  switch (node.kind) {
    case 'word':
    case 'name':
      return [];
    case 'union':
    case 'intersection':
      return node.members;
    case 'array':
      return [node.item];
    case 'tuple':
      return node.rest ? [...node.items, node.rest] : node.items;
    case 'object':
      return [...node.properties.map(({ type }) => type), ...(node.others ? [node.others] : [])];
  }
}

/** Every name the node refers to, with repetitions. */
export function namesIn(node: TypeNode): string[] {
  return node.kind === 'name' ? [node.name] : childrenOf(node).flatMap(namesIn);
}
