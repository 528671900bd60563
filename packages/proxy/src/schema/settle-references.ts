import type { BuiltType } from './build-type.js';
import { circular, type Graph, leavesFirst, without } from './circles.js';
import { type TypeNode, UNKNOWN } from './type-node.js';
import { childrenOf, mapChildren, namesIn } from './walk-type.js';

/** A definition of more parts than this keeps its name: written in place again and again, a small schema becomes an endless type. */
const MAX_PARTS_IN_PLACE = 64;

/** Small `$ref` targets are written in place, where repetition is found later by its text; recursive and large ones keep their names. */
export function settleReferences({ type, definitions }: BuiltType): BuiltType {
  const grounded = withoutBareCircles(definitions);
  const uses = graphOf(grounded, namesIn);
  const recursive = circular(uses);
  const inPlace = new Map<string, TypeNode>();
  const settle = (node: TypeNode): TypeNode =>
    node.kind === 'name' ? (inPlace.get(node.name) ?? node) : mapChildren(node, settle);
  for (const name of leavesFirst(without(recursive, uses))) {
    const settled = settle(grounded.get(name) ?? UNKNOWN);
    if (hasAtMost(MAX_PARTS_IN_PLACE, settled)) inPlace.set(name, settled);
  }
  const named = [...grounded].filter(([name]) => !inPlace.has(name));
  return { type: settle(type), definitions: new Map(named.map(([name, node]) => [name, settle(node)])) };
}

/** `type A = A | string` is no type: a name that is met again before any object or array stands for nothing. */
function withoutBareCircles(definitions: ReadonlyMap<string, TypeNode>): ReadonlyMap<string, TypeNode> {
  const circles = circular(graphOf(definitions, bareNames));
  return new Map([...definitions].map(([name, node]) => [name, circles.has(name) ? UNKNOWN : node]));
}

/** Names that stand in the open, not inside an object, array or tuple. */
function bareNames(node: TypeNode): string[] {
  if (node.kind === 'name') return [node.name];
  return node.kind === 'union' || node.kind === 'intersection' ? node.members.flatMap(bareNames) : [];
}

function graphOf(definitions: ReadonlyMap<string, TypeNode>, namesOf: (node: TypeNode) => readonly string[]): Graph {
  return new Map([...definitions].map(([name, node]) => [name, [...new Set(namesOf(node))]]));
}

function hasAtMost(limit: number, node: TypeNode): boolean {
  const parts = [node];
  for (const part of parts) {
    if (parts.length > limit) return false;
    parts.push(...childrenOf(part));
  }
  return true;
}
