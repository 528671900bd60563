import { intersection, type TypeNode, union } from './type-node.js';

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

/** The same node with other children; the very same one when none changed, so that what is known about it stays known. */
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

/** Every name that is used, as often as it is used. */
export function namesIn(node: TypeNode): string[] {
  return node.kind === 'name' ? [node.name] : childrenOf(node).flatMap(namesIn);
}
