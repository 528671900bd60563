/** Tools as TypeScript signatures, for people. */
import { oneLine, visibleText } from '@a2c/protocol';
import { SchemaConverter } from '@a2c/proxy';
import { wrapped } from '../computer/shell/display-width.js';
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
    const signature = `${paint('bold', oneLine(name))}(${input === '{}' ? '' : `args: ${visibleText(input)}`})${output}`;
    const [summary = ''] = description.trim().split('\n', 1);
    if (summary === '') return signature;
    const comment = wrapped(oneLine(summary), width - COMMENT.length).map((line) => paint('dim', COMMENT + line));
    return [...comment, signature].join('\n');
  });
  return [...entries, ...declarations.map(visibleText)].join('\n\n');
}

const COMMENT = '// ';
