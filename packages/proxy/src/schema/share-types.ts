import { printType } from './print-type.js';
import type { TypeNames } from './type-names.js';
import type { TypeNode } from './type-node.js';
import { childrenOf, mapChildren } from './walk-type.js';

/** `\ntype N = `: what a named type costs beyond its name and its text. */
const DECLARATION_LENGTH = 8;

/** A name must save at least this much: reading on elsewhere is a cost too. */
const LEAST_SAVING = 24;

export interface Forest {
  readonly types: readonly TypeNode[];
  readonly definitions: ReadonlyMap<string, TypeNode>;
}

interface Repeated {
  readonly text: string;
  readonly node: TypeNode;
  /** The property it first stood under, which is what it will be called. */
  readonly hint: string;
  count: number;
}

/** Gives a name to what is written several times, the longest first, wherever that makes the whole shorter. */
export function shareTypes(forest: Forest, names: TypeNames): Forest {
  let { types, definitions } = forest;
  for (const { text, hint } of repeatedIn(types, definitions)) {
    const found = occurrences([...types, ...definitions.values()], text);
    if (found.count < 2) continue;
    const name = names.propose(hint);
    const saved = found.count * (text.length - name.length) - text.length - name.length - DECLARATION_LENGTH;
    if (saved < LEAST_SAVING || !found.node) continue;
    names.take(name);
    const replace = (node: TypeNode): TypeNode =>
      isShareable(node) && printType(node) === text ? { kind: 'name', name } : mapChildren(node, replace);
    types = types.map(replace);
    definitions = new Map([...definitions].map(([known, node]) => [known, mapChildren(node, replace)]));
    definitions = new Map([...definitions, [name, found.node]]);
  }
  return { types, definitions };
}

function isShareable(node: TypeNode): boolean {
  return node.kind === 'object' ? node.properties.length > 0 : node.kind === 'union' || node.kind === 'tuple';
}

/** Candidates, longest text first; equal lengths in order of appearance. */
function repeatedIn(types: readonly TypeNode[], definitions: ReadonlyMap<string, TypeNode>): Repeated[] {
  const found = new Map<string, Repeated>();
  const visit = (node: TypeNode, hint: string): void => {
    if (isShareable(node)) {
      const text = printType(node);
      const known = found.get(text);
      if (known) known.count++;
      else found.set(text, { text, node, hint, count: 1 });
    }
    if (node.kind === 'object') for (const { name, type } of node.properties) visit(type, name);
    else for (const child of childrenOf(node)) visit(child, hint);
    if (node.kind === 'object' && node.others) visit(node.others, hint);
  };
  for (const type of types) visit(type, 'Input');
  for (const [name, node] of definitions) visit(node, name);
  return [...found.values()].filter(({ count }) => count > 1).toSorted((a, b) => b.text.length - a.text.length);
}

function occurrences(forest: readonly TypeNode[], text: string): { count: number; node: TypeNode | undefined } {
  let count = 0;
  let node: TypeNode | undefined;
  const visit = (here: TypeNode): void => {
    if (isShareable(here) && printType(here) === text) {
      count++;
      node ??= here;
      return;
    }
    for (const child of childrenOf(here)) visit(child);
  };
  for (const tree of forest) visit(tree);
  return { count, node };
}
