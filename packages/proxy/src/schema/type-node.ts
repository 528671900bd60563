/** A TypeScript type before it is text, so that parentheses, merging and naming need no string surgery. */
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
  /** The type of all other properties, where the schema speaks of them. */
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

export function isUnknown(node: TypeNode): boolean {
  return node.kind === 'word' && node.text === 'unknown';
}

/** `A | B`, flat and without repetition; unknown swallows everything, never nothing. */
export function union(members: readonly TypeNode[]): TypeNode {
  const flat = members.flatMap((member) => (member.kind === 'union' ? member.members : [member]));
  if (flat.some(isUnknown)) return UNKNOWN;
  const kept = distinct(flat.filter((member) => !isNever(member)));
  return single(kept) ?? (kept.length === 0 ? NEVER : { kind: 'union', members: kept });
}

/** `A & B`; objects become one object, unknown adds nothing. */
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
  if (nodes.length < 2) return nodes; // most are alone, and writing each down on every level would be most of the work
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
