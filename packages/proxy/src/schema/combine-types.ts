import { printType } from './print-type.js';
import { childrenOf, NEVER, type ObjectNode, type PropertyNode, type TypeNode, UNKNOWN } from './type-node.js';

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
  const kept = distinct([...(objects.length > 0 ? [mergeObjects(objects)] : []), ...others]);
  return single(kept) ?? (kept.length === 0 ? UNKNOWN : { kind: 'intersection', members: kept });
}

function mergeObjects(objects: readonly ObjectNode[]): ObjectNode {
  if (objects.length === 1) return objects[0] as ObjectNode;
  const byName = new Map<string, PropertyNode[]>();
  for (const property of objects.flatMap(({ properties }) => properties)) {
    const same = byName.get(property.name);
    if (same) same.push(property);
    else byName.set(property.name, [property]);
  }
  const others = objects.flatMap((object) => object.others ?? []);
  return {
    kind: 'object',
    properties: [...byName.values()].map(mergeProperties),
    ...(others.length > 0 && { others: single(others) ?? intersection(others) }),
  };
}

function mergeProperties(same: readonly PropertyNode[]): PropertyNode {
  const first = same[0] as PropertyNode;
  if (same.length === 1) return first;
  const comment = same.findLast((property) => property.comment !== undefined)?.comment;
  return {
    name: first.name,
    optional: same.every(({ optional }) => optional),
    type: intersection(same.map(({ type }) => type)),
    ...(comment && { comment }),
  };
}

const isUnknown = (node: TypeNode): boolean => node.kind === 'word' && node.text === 'unknown';

const isNever = (node: TypeNode): boolean => node.kind === 'word' && node.text === 'never';

/** Types are the same if their texts are; a text is made once for each type. */
function distinct(nodes: readonly TypeNode[]): readonly TypeNode[] {
  if (nodes.length < 2) return nodes;
  const seen = new Map<string, TypeNode>();
  for (const node of nodes) if (!seen.has(printType(node))) seen.set(printType(node), node);
  return [...seen.values()];
}

function single(nodes: readonly TypeNode[]): TypeNode | undefined {
  return nodes.length === 1 ? nodes[0] : undefined;
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
