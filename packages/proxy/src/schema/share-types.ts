import { mapChildren } from './combine-types.js';
import { printType } from './print-type.js';
import type { TypeNames } from './type-names.js';
import { childrenOf, type TypeNode } from './type-node.js';

/** The characters of `\ntype N = ` besides the name. */
const DECLARATION_LENGTH = 8;

/** A smaller saving is not worth the indirection for the reader. */
const MIN_SAVING = 24;

/** Several types and the named types they refer to. */
export interface TypeSet {
  readonly types: readonly TypeNode[];
  readonly definitions: ReadonlyMap<string, TypeNode>;
}

interface Part {
  readonly text: string;
  readonly node: TypeNode;
  /** The property where it first occurs; its name is derived from it. */
  readonly hint: string;
  count: number;
}

/** Names types that occur several times, longest first, wherever that makes the whole text shorter. */
export function shareTypes({ types, definitions }: TypeSet, names: TypeNames): TypeSet {
  const parts = partsOf(types, definitions);
  const shared = new Map([...definitions].map(([name, node]) => [printType(node), name]));
  const declared: [string, TypeNode][] = [];
  for (const { text, node, hint, count } of [...parts.values()].toSorted((a, b) => b.text.length - a.text.length)) {
    const isDeclared = shared.has(text);
    if (!isDeclared) {
      const name = names.propose(hint);
      const saved = count * (text.length - name.length) - text.length - name.length - DECLARATION_LENGTH;
      if (saved < MIN_SAVING) continue;
      names.take(name);
      shared.set(text, name);
      declared.push([name, node]);
    }
    const copies = isDeclared ? count : count - 1;
    // Parts inside it are no longer written with each copy.
    forEachInside(node, hint, (inner) => {
      const part = parts.get(printType(inner));
      if (part) part.count -= copies;
    });
  }
  const replace = (node: TypeNode): TypeNode => {
    const name = isShareable(node) ? shared.get(printType(node)) : undefined;
    return name === undefined ? mapChildren(node, replace) : { kind: 'name', name };
  };
  const all = [...definitions, ...declared].map(([name, node]) => [name, mapChildren(node, replace)] as const);
  return { types: types.map(replace), definitions: new Map(all) };
}

function isShareable(node: TypeNode): boolean {
  return node.kind === 'object' ? node.properties.length > 0 : node.kind === 'union' || node.kind === 'tuple';
}

/** All types that could get a name, by their text, in order of appearance. */
function partsOf(types: readonly TypeNode[], definitions: ReadonlyMap<string, TypeNode>): Map<string, Part> {
  const parts = new Map<string, Part>();
  const count = (node: TypeNode, hint: string): void => {
    const text = printType(node);
    const known = parts.get(text);
    if (known) known.count++;
    else parts.set(text, { text, node, hint, count: 1 });
  };
  forEachInside({ kind: 'tuple', items: types, required: 0 }, 'Shared', count);
  for (const [name, node] of definitions) forEachInside(node, name, count);
  return parts;
}

function forEachInside(node: TypeNode, hint: string, visit: (node: TypeNode, hint: string) => void): void {
  for (const [index, child] of childrenOf(node).entries()) {
    const name = (node.kind === 'object' && node.properties[index]?.name) || hint;
    if (isShareable(child)) visit(child, name);
    forEachInside(child, name, visit);
  }
}
