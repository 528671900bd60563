import type { BuiltType } from './build-type.js';
import { type Graph, leavesFirst, namesInCycles, without } from './cycles.js';
import { childrenOf, mapChildren, namesIn, type TypeNode, UNKNOWN } from './type-node.js';

/**
 * A definition with more nodes keeps its name: inlined repeatedly, it would make the type of a small schema very long.
 */
const MAX_INLINE_NODES = 64;

/**
 * Inlines small `$ref` targets; `shareTypes` names them again where they repeat. Recursive and large targets keep their
 * names.
 */
export function inlineReferences({ type, definitions }: BuiltType): BuiltType {
  const valid = withoutDirectCycles(definitions);
  const uses = graphOf(valid, namesIn);
  const inlined = new Map<string, TypeNode>();
  const inline = (node: TypeNode): TypeNode =>
    node.kind === 'name' ? (inlined.get(node.name) ?? node) : mapChildren(node, inline);
  for (const name of leavesFirst(without(namesInCycles(uses), uses))) {
    const node = inline(valid.get(name) ?? UNKNOWN);
    if (hasAtMost(MAX_INLINE_NODES, node)) inlined.set(name, node);
  }
  const named = [...valid].filter(([name]) => !inlined.has(name));
  return { type: inline(type), definitions: new Map(named.map(([name, node]) => [name, inline(node)])) };
}

/**
 * `type A = A | string` is invalid TypeScript: a name that refers to itself outside of an object, array or tuple
 * becomes `unknown`.
 */
function withoutDirectCycles(definitions: ReadonlyMap<string, TypeNode>): ReadonlyMap<string, TypeNode> {
  const cycles = namesInCycles(graphOf(definitions, directNames));
  return new Map([...definitions].map(([name, node]) => [name, cycles.has(name) ? UNKNOWN : node]));
}

/** Names that are not inside an object, array or tuple. */
function directNames(node: TypeNode): string[] {
  if (node.kind === 'name') return [node.name];
  return node.kind === 'union' || node.kind === 'intersection' ? node.members.flatMap(directNames) : [];
}

function graphOf(definitions: ReadonlyMap<string, TypeNode>, namesOf: (node: TypeNode) => readonly string[]): Graph {
  return new Map([...definitions].map(([name, node]) => [name, [...new Set(namesOf(node))]]));
}

function hasAtMost(limit: number, node: TypeNode): boolean {
  const nodes = [node];
  for (const part of nodes) {
    if (nodes.length > limit) return false;
    nodes.push(...childrenOf(part));
  }
  return true;
}
