import type { BuiltType } from './build-type.js';
import { type TypeNode, UNKNOWN } from './type-node.js';
import { mapChildren, namesIn } from './walk-type.js';

/** Recursive `$ref` targets keep their names; all others are written in place, where repetition is found later by its text. */
export function settleReferences({ type, definitions }: BuiltType): BuiltType {
  const grounded = new Map([...definitions].map(([name, node]) => [name, cutCircle(node, name, definitions)]));
  const recursive = new Set([...grounded.keys()].filter((name) => isRecursive(name, grounded)));
  const inPlace = (node: TypeNode): TypeNode =>
    node.kind === 'name' && !recursive.has(node.name)
      ? inPlace(grounded.get(node.name) ?? UNKNOWN)
      : mapChildren(node, inPlace);
  return {
    type: inPlace(type),
    definitions: new Map([...recursive].map((name) => [name, inPlace(grounded.get(name) ?? UNKNOWN)])),
  };
}

/** `type A = A | string` is no type: a name that is met again before any object or array stands for nothing. */
function cutCircle(node: TypeNode, name: string, all: ReadonlyMap<string, TypeNode>): TypeNode {
  const leadsBack = (other: string, seen: ReadonlySet<string>): boolean => {
    if (other === name) return true;
    if (seen.has(other)) return false;
    return bareNames(all.get(other) ?? UNKNOWN).some((next) => leadsBack(next, new Set([...seen, other])));
  };
  return bareNames(node).some((other) => leadsBack(other, new Set())) ? UNKNOWN : node;
}

/** Names that stand in the open, not inside an object, array or tuple. */
function bareNames(node: TypeNode): string[] {
  if (node.kind === 'name') return [node.name];
  return node.kind === 'union' || node.kind === 'intersection' ? node.members.flatMap(bareNames) : [];
}

function isRecursive(name: string, all: ReadonlyMap<string, TypeNode>): boolean {
  const seen = new Set<string>();
  const queue = namesIn(all.get(name) ?? UNKNOWN);
  for (let next = queue.pop(); next !== undefined; next = queue.pop()) {
    if (next === name) return true;
    if (seen.has(next)) continue;
    seen.add(next);
    queue.push(...namesIn(all.get(next) ?? UNKNOWN));
  }
  return false;
}
