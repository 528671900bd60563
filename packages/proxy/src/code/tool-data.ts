import { type CallToolResult, JSON_TEXT_LIMITS } from '@a2c/protocol';
import { ParseBudget, parseJsonText } from '../results/json-text.js';
import { isText } from '../results/truncate.js';

/**
 * The result of a tool as code receives it: the structured content if there is any, else the content. A text that is
 * exactly a JSON object or array is parsed. Several blocks are a list; blocks of other types stay as MCP defines them.
 */
export function toolData({ structuredContent, content }: CallToolResult): unknown {
  if (structuredContent !== undefined) return structuredContent;
  const budget = new ParseBudget(JSON_TEXT_LIMITS.values); // data for code is not written again
  const dataOf = (text: string): unknown => parseJsonText(text, budget)?.data ?? text;
  const values = content.map((block) => (isText(block) ? dataOf(block.text) : block));
  return values.length > 1 ? values : (values[0] ?? null);
}

/** All texts of a result. */
export function textOf({ content }: CallToolResult): string {
  return content
    .filter(isText)
    .map(({ text }) => text)
    .join('\n');
}
