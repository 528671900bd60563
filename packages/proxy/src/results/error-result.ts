import type { CallToolResult } from '../toolbox.js';

/** A failure that a model can read and mend. Never an exception: those end up where models do not look. */
export function errorResult(...lines: readonly string[]): CallToolResult {
  return { content: [{ type: 'text', text: lines.filter((line) => line !== '').join('\n') }], isError: true };
}
