import type { MCPTool } from '@a2c/protocol';
import { deceptiveName, isRecord } from '@a2c/protocol';
import { withValidFields } from '../clients/valid-fields.js';

/** A tool as its server describes it, including unknown fields. */
export interface ListedTool extends MCPTool {
  readonly [field: string]: unknown;
}

/**
 * Reads a tool list tool by tool. Real servers send tools without a schema, schemas without a type, and values that are
 * not tools; one invalid entry must not hide the others.
 */
export function parseTools(list: readonly unknown[], warn: (message: string) => void): ListedTool[] {
  const tools = new Map<string, ListedTool>();
  for (const raw of list) {
    const tool = parseTool(raw, warn);
    if (!tool) warn(`sent a tool without a name: ${JSON.stringify(raw)?.slice(0, 80)}`);
    else if (deceptiveName(tool.name) !== undefined) {
      warn(`sent a tool that is left out: its name ${JSON.stringify(tool.name)} must not ${deceptiveName(tool.name)}`);
    } else if (tools.has(tool.name)) warn(`sent the tool "${tool.name}" twice; the first is kept`);
    else tools.set(tool.name, tool);
  }
  return [...tools.values()];
}

function parseTool(raw: unknown, warn: (message: string) => void): ListedTool | undefined {
  if (!isRecord(raw) || typeof raw.name !== 'string' || raw.name === '') return undefined;
  const wrong = new Set<string>();
  const tool = withValidFields('tools', raw, (path) => wrong.add(path));
  if (wrong.size > 0) {
    const fields = [...wrong].join(', ');
    warn(`sent the tool ${JSON.stringify(raw.name)} with fields of the wrong type, which are left out: ${fields}`);
  }
  return { ...tool, name: raw.name, inputSchema: objectSchema(raw.inputSchema) };
}

/** Arguments are always an object, so a missing type is `object`. */
function objectSchema(schema: unknown): Record<string, unknown> {
  if (!isRecord(schema)) return { type: 'object' };
  return schema.type === 'object' ? schema : { ...schema, type: 'object' };
}
