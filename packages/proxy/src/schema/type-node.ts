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

function isUnknown(node: TypeNode): boolean {
  return node.kind === 'word' && node.text === 'unknown';
}

/** `A | B`, flat and without repetition. `unknown` absorbs all members; `never` is left out. */
export function union(members: readonly TypeNode[]): TypeNode {
  const flat = members.flatMap((member) => (member.kind === 'union' ? member.members : [member]));
  if (flat.some(isUnknown)) return UNKNOWN;
  const kept = distinct(flat.filter((member) => !isNever(member)));
  return single(kept) ?? (kept.length === 0 ? NEVER : { kind: 'union', members: kept });
}

/** `A & B`, flat and without repetition. Objects are merged into one; `unknown` is left out. */
export function intersection(members: readonly TypeNode[]): TypeNode {
  const flat = members
    .flatMap((member) => (member.kind === 'intersection' ? member.members : [member]))
    .filter((member) => !isUnknown(member));
  const objects = flat.filter((member) => member.kind === 'object');
  const others = flat.filter((member) => member.kind !== 'object');
  const kept = distinct([...(objects.length > 0 ? [objects.reduce(mergeObjects)] : []), ...others]);
  return single(kept) ?? (kept.length === 0 ? UNKNOWN : { kind: 'intersection', members: kept });
}

function mergeObjects(a: ObjectNode, b: ObjectNode): ObjectNode {
  const merged = new Map(a.properties.map((property) => [property.name, property]));
  for (const property of b.properties) {
    const same = merged.get(property.name);
    merged.set(property.name, same ? mergeProperties(same, property) : property);
  }
  const others = a.others && b.others ? intersection([a.others, b.others]) : (a.others ?? b.others);
  return { kind: 'object', properties: [...merged.values()], ...(others && { others }) };
}

function mergeProperties(a: PropertyNode, b: PropertyNode): PropertyNode {
  const comment = b.comment ?? a.comment;
  return {
    name: a.name,
    optional: a.optional && b.optional,
    type: intersection([a.type, b.type]),
    ...(comment && { comment }),
  };
}

function isNever(node: TypeNode): boolean {
  return node.kind === 'word' && node.text === 'never';
}

function distinct(nodes: readonly TypeNode[]): readonly TypeNode[] {
  if (nodes.length < 2) return nodes; // the usual case; serialising it on every level would dominate the time
  const seen = new Map<string, TypeNode>();
  for (const node of nodes) {
    const key = JSON.stringify(node);
    if (!seen.has(key)) seen.set(key, node);
  }
  return [...seen.values()];
}

function single(nodes: readonly TypeNode[]): TypeNode | undefined {
  return nodes.length === 1 ? nodes[0] : undefined;
}

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

/** The node with changed children. Returns the same object if no child changed, so that its cached text stays valid. */
export function mapChildren(node: TypeNode, change: (child: TypeNode) => TypeNode): TypeNode {
  const before = childrenOf(node);
  const after = before.map(change);
  return after.every((child, index) => child === before[index]) ? node : withChildren(node, after);
}

function withChildren(node: TypeNode, children: readonly TypeNode[]): TypeNode {
  switch (node.kind) {
    case 'word':
    case 'name':
      return node;
    case 'union':
      return union(children);
    case 'intersection':
      return intersection(children);
    case 'array':
      return { ...node, item: children[0] as TypeNode };
    case 'tuple': {
      const items = children.slice(0, node.items.length);
      return { ...node, items, ...(node.rest && { rest: children.at(-1) as TypeNode }) };
    }
    case 'object': {
      const properties = node.properties.map((property, index) => ({ ...property, type: children[index] as TypeNode }));
      return { ...node, properties, ...(node.others && { others: children.at(-1) as TypeNode }) };
    }
  }
}

/** Every name the node refers to, with repetitions. */
export function namesIn(node: TypeNode): string[] {
  return node.kind === 'name' ? [node.name] : childrenOf(node).flatMap(namesIn);
}
