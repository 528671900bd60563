import type { AnyNode, CallExpression, Expression, Node } from 'acorn';

/** Text that is added to the code, with its place in the original. Lines count from 1, columns from 0. */
export interface Insertion {
  readonly line: number;
  readonly column: number;
  readonly offset: number;
  readonly text: string;
}

/** Longer code is not parsed: its tree would take most of the worker's memory. */
const MAX_CHARACTERS = 64 * 1024;

/**
 * The calls whose result the code throws away: a call that is a statement, and an async function given to `forEach`.
 * Text is added around each, so that `watcher` receives the result, and with it a promise that is never awaited.
 * Code that cannot be parsed has none. The parser is loaded on first use.
 */
export async function watchDiscarded(source: string, watcher: string): Promise<readonly Insertion[]> {
  // Only an async function makes a promise whose failure the host does not see. The first one is the code itself.
  if (source.length > MAX_CHARACTERS || !/\basync\b/.test(source.slice('(async'.length))) return [];
  const { parse } = await import('acorn');
  let program: Node;
  try {
    program = parse(source, { ecmaVersion: 'latest', locations: true });
  } catch {
    return [];
  }
  const insertions: Insertion[] = [];
  const around = ({ start, end, loc }: Expression, before: string, after: string) => {
    if (!loc) return;
    insertions.push({ ...loc.start, offset: start, text: before }, { ...loc.end, offset: end, text: after });
  };
  for (const node of nodesIn(program)) {
    if (node.type === 'ExpressionStatement') {
      const { expression } = node;
      const isVoid = expression.type === 'UnaryExpression' && expression.operator === 'void';
      const value = isVoid ? expression.argument : expression;
      if (value.type === 'CallExpression') around(value, `${watcher}(`, ')');
    } else if (node.type === 'CallExpression' && isForEach(node)) {
      const [callback] = node.arguments;
      const isOwn = callback?.type === 'ArrowFunctionExpression' || callback?.type === 'FunctionExpression';
      if (isOwn && callback.async) around(callback, `${watcher}.of(`, ')');
    }
  }
  return insertions.toSorted((a, b) => a.offset - b.offset);
}

export function insert(source: string, insertions: readonly Insertion[]): string {
  let [result, from] = ['', 0];
  for (const { offset, text } of insertions) {
    result += source.slice(from, offset) + text;
    from = offset;
  }
  return result + source.slice(from);
}

/** The column in the original, counted from 1, of a column in the text with insertions. */
export function originalColumn(line: number, column: number, insertions: readonly Insertion[]): number {
  let original = column;
  for (const insertion of insertions) {
    const { column: at, text } = insertion;
    if (insertion.line === line && at < original) original = Math.max(at + 1, original - text.length);
  }
  return original;
}

function isForEach({ callee }: CallExpression): boolean {
  return callee.type === 'MemberExpression' && !callee.computed && 'name' in callee.property
    ? callee.property.name === 'forEach'
    : false;
}

/** All nodes of a tree, without recursion: code can be nested deeply. */
function* nodesIn(program: Node): Generator<AnyNode> {
  const queue: object[] = [program];
  for (let value = queue.pop(); value !== undefined; value = queue.pop()) {
    if ('type' in value && 'start' in value) yield value as AnyNode;
    for (const [key, child] of Object.entries(value)) {
      if (key !== 'loc' && typeof child === 'object' && child !== null) queue.push(child);
    }
  }
}
