import { oneLine, visibleText } from '@a2c/protocol';
/** Tools as TypeScript signatures, for people. */
import { SchemaConverter } from '@a2c/proxy';
import { createView } from '../computer/shell/view.js';

export interface ListedTool {
  readonly name: string;
  readonly description?: string | undefined;
  readonly inputSchema: unknown;
  readonly outputSchema?: unknown;
}

/** `name(args: {…}): {…}` for each tool, below the first line of its description. Shared types follow. */
export function signatures(tools: readonly ListedTool[], colour: boolean): string {
  const { paint } = createView({ language: 'en', colour });
  const schemas = tools.flatMap(({ inputSchema, outputSchema }) => [inputSchema, outputSchema ?? true]);
  const { types, declarations } = new SchemaConverter().convertAll(schemas);
  const lines = tools.map(({ name, description = '', outputSchema }, index) => {
    const input = types[index * 2] ?? '{}';
    const output = outputSchema === undefined ? '' : `: ${visibleText(types[index * 2 + 1] ?? 'unknown')}`;
    const signature = `${paint('bold', oneLine(name))}(${input === '{}' ? '' : `args: ${visibleText(input)}`})${output}`;
    const [summary = ''] = description.trim().split('\n', 1);
    return summary === '' ? signature : `${paint('dim', `// ${oneLine(summary)}`)}\n${signature}`;
  });
  return [...lines, ...declarations.map(visibleText)].join('\n');
}
