/** Tools as TypeScript signatures, for people. */
import { oneLine, visibleText } from '@a2c/protocol';
import { SchemaConverter } from '@a2c/proxy';
import { displayWidth, wrapped } from '../computer/shell/display-width.js';
import type { View } from '../computer/shell/view.js';

export interface ListedTool {
  readonly name: string;
  readonly description?: string | undefined;
  readonly inputSchema: unknown;
  readonly outputSchema?: unknown;
}

/** `name(args: {…}): {…}` for each tool, below the first line of its description. Shared types follow. */
export function signatures(tools: readonly ListedTool[], { paint, width }: View): string {
  const schemas = tools.flatMap(({ inputSchema, outputSchema }) => [inputSchema, outputSchema ?? true]);
  const { types, declarations } = new SchemaConverter().convertAll(schemas);
  const entries = tools.map(({ name, description = '', outputSchema }, index) => {
    const input = types[index * 2] ?? '{}';
    const output = outputSchema === undefined ? '' : `: ${visibleText(types[index * 2 + 1] ?? 'unknown')}`;
    const shown = oneLine(name);
    const plain = `${shown}(${input === '{}' ? '' : `args: ${visibleText(input)}`})${output}`;
    const lines = plain.split('\n').flatMap((line) => folded(line, width));
    const signature = paint('bold', shown) + lines.join('\n').slice(shown.length);
    const [summary = ''] = description.trim().split('\n', 1);
    if (summary === '') return signature;
    const comment = wrapped(oneLine(summary), width - COMMENT.length).map((line) => paint('dim', COMMENT + line));
    return [...comment, signature].join('\n');
  });
  return [...entries, ...declarations.map(visibleText)].join('\n\n');
}

const COMMENT = '// ';
const INDENT = '  ';

/** Breaks a line between words, and indents its continuations. */
function folded(line: string, width: number): readonly string[] {
  if (displayWidth(line) <= width) return [line];
  const [first = '', ...more] = wrapped(line, width);
  return [first, ...wrapped(more.join(' '), width - INDENT.length).map((part) => INDENT + part)];
}
