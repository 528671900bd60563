import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parseAst } from 'vite';

/** A text in the sources. What a template inserts is written as {@link INSERTED}. */
export interface SourceMessage {
  readonly file: string;
  readonly line: number;
  readonly text: string;
}

export const INSERTED = '⟪⟫';

/** Two words in a row make a text a message for people: one may be a name. */
const WORDS = /[A-Za-z]{2,}[,;:"')]* [("']?[a-z]{2,}/;

interface Node {
  readonly type: string;
  readonly start: number;
  readonly value?: unknown;
  readonly source?: unknown;
  readonly operator?: string;
  readonly left?: Node;
  readonly right?: Node;
  readonly expressions?: readonly Node[];
  readonly quasis?: readonly { readonly value: { readonly cooked: string } }[];
}

/** The texts of a file or of all files of a folder in `packages/`, without comments and types. */
export function sourceMessages(path: string): readonly SourceMessage[] {
  const root = fileURLToPath(new URL('../../', import.meta.url));
  return (path.endsWith('.ts') ? [path] : filesBelow(root, path)).flatMap((file) => {
    const source = readFileSync(`${root}${file}`, 'utf8');
    const program = parseAst(source, { lang: 'ts' }) as unknown as Node;
    return textsIn(program)
      .filter(({ text }) => WORDS.test(text.replaceAll(INSERTED, '')))
      .map(({ text, start }) => ({ file, line: source.slice(0, start).split('\n').length, text }));
  });
}

function filesBelow(root: string, folder: string): readonly string[] {
  return readdirSync(`${root}${folder}`, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts'))
    .map((file) => `${folder}/${file.replaceAll('\\', '/')}`);
}

interface Found {
  readonly start: number;
  readonly text: string;
}

function textsIn(value: unknown): readonly Found[] {
  if (Array.isArray(value)) return value.flatMap(textsIn);
  if (typeof value !== 'object' || value === null) return [];
  const node = value as Node;
  if (isType(node) || node.type === 'ImportDeclaration' || (node.type === 'ExportNamedDeclaration' && node.source))
    return [];
  const text = textOf(node);
  if (text !== undefined) return [{ start: node.start, text }, ...insertedIn(node).flatMap(textsIn)];
  return Object.values(node).flatMap(textsIn);
}

function isType({ type = '' }: Node): boolean {
  return type.startsWith('TS') && !/^TS(?:As|Satisfies|NonNull)Expression$/.test(type);
}

/** The text of a string, a template, or a sum of them. */
function textOf(node: Node): string | undefined {
  const { type, value, quasis = [], operator, left, right } = node;
  if (type === 'Literal' && typeof value === 'string') return value;
  if (type === 'TemplateLiteral') return quasis.map((quasi) => quasi.value.cooked).join(INSERTED);
  if (type !== 'BinaryExpression' || operator !== '+' || !left || !right) return undefined;
  const [before, after] = [textOf(left), textOf(right)];
  return before === undefined && after === undefined ? undefined : (before ?? INSERTED) + (after ?? INSERTED);
}

function insertedIn(node: Node): readonly Node[] {
  if (node.type === 'TemplateLiteral') return node.expressions ?? [];
  if (node.type !== 'BinaryExpression' || !node.left || !node.right) return [];
  return [node.left, node.right].flatMap((side) => (textOf(side) === undefined ? [side] : insertedIn(side)));
}
