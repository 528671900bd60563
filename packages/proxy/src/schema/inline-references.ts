import type { BuiltType } from './build-type.js';
import { mapChildren } from './combine-types.js';
import { type Graph, leavesFirst, namesInCycles, without } from './cycles.js';
import { printType } from './print-type.js';
import { childrenOf, namesIn, type TypeNode, UNKNOWN } from './type-node.js';
import type { WorkBudget } from './work-budget.js';

/**
 * A definition with more nodes keeps its name: inlined repeatedly, it would make the type of a small schema very long.
 */
const MAX_INLINE_NODES = 64;

/**
 * Inlines small `$ref` targets; `shareTypes` names them again where they repeat. Recursive and large targets keep their
 * names, and those whose copies together are beyond the budget.
 */
export function inlineReferences({ type, definitions }: BuiltType, budget: WorkBudget): BuiltType {
  const valid = withoutDirectCycles(definitions);
  const uses = graphOf(valid, namesIn);
  const copies = countNames([type, ...valid.values()]);
  const inlined = new Map<string, TypeNode>();
  const inline = (node: TypeNode): TypeNode =>
    node.kind === 'name' ? (inlined.get(node.name) ?? node) : mapChildren(node, inline);
  for (const name of leavesFirst(without(namesInCycles(uses), uses))) {
    const node = inline(valid.get(name) ?? UNKNOWN);
    const length = (copies.get(name) ?? 0) * printType(node).length;
    if (length <= budget.left && hasAtMost(MAX_INLINE_NODES, node) && budget.spend(length)) inlined.set(name, node);
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
    const children = childrenOf(part);
    if (nodes.length + children.length > limit) return false;
    nodes.push(...children);
  }
  return true;
}

function countNames(nodes: readonly TypeNode[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const name of nodes.flatMap(namesIn)) counts.set(name, (counts.get(name) ?? 0) + 1);
  return counts;
}
