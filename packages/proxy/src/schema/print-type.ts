import { childrenOf, type ObjectNode, type PropertyNode, type TypeNode } from './type-node.js';

/** A space after the comma would cost 5 % more tokens in a catalogue. */
const SEPARATOR = ',';

const IDENTIFIER = /^[A-Za-z_$][A-Za-z0-9_$]*$/;

/** Nodes are immutable, and the search for repetitions prints each many times. */
const printed = new WeakMap<TypeNode, string>();

/** Prints a type as one line of valid TypeScript. */
export function printType(node: TypeNode): string {
  const known = printed.get(node);
  if (known !== undefined) return known;
  const text = print(node);
  printed.set(node, text);
  return text;
}

function print(node: TypeNode): string {
  switch (node.kind) {
    case 'word':
      return node.text;
    case 'name':
      return node.name;
    case 'union':
      return node.members.map((member) => printInside(member, ['intersection'])).join('|');
    case 'intersection':
      return node.members.map((member) => printInside(member, ['union'])).join('&');
    case 'array':
      return `${printInside(node.item, ['union', 'intersection'])}[]`;
    case 'tuple':
      return printTuple(node);
    case 'object':
      return printObject(node);
  }
}

function printInside(node: TypeNode, bracketed: readonly TypeNode['kind'][]): string {
  const text = printType(node);
  return bracketed.includes(node.kind) ? `(${text})` : text;
}

function printTuple({ items, required, rest }: Extract<TypeNode, { kind: 'tuple' }>): string {
  const fixed = items.map((item, index) => {
    if (index < required) return printType(item);
    return `${printInside(item, ['union', 'intersection'])}?`;
  });
  const others = rest ? [`...${printType({ kind: 'array', item: rest })}`] : [];
  return `[${[...fixed, ...others].join(SEPARATOR)}]`;
}

function printObject({ properties, others }: ObjectNode): string {
  if (properties.length === 0 && others) return printMap(others);
  const members = properties.map(printProperty);
  // A typed index signature must also cover the named properties; `unknown` is always valid.
  if (others) members.push('[key: string]: unknown');
  return `{${members.join(SEPARATOR)}}`;
}

/** `Record` is shorter, but a type alias cannot refer to itself inside it. */
function printMap(values: TypeNode): string {
  const text = printType(values);
  return mentionsName(values) ? `{[key: string]: ${text}}` : `Record<string,${text}>`;
}

function printProperty({ name, optional, type, comment }: PropertyNode): string {
  const key = IDENTIFIER.test(name) ? name : JSON.stringify(name);
  return `${key}${optional ? '?' : ''}: ${printType(type)}${comment ? ` /* ${comment} */` : ''}`;
}

function mentionsName(node: TypeNode): boolean {
  return node.kind === 'name' || childrenOf(node).some(mentionsName);
}
