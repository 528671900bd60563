import type { MCPTool } from '@a2c/protocol';
import { deceptiveName, isRecord, WIRE_LIMITS } from '@a2c/protocol';
import { withValidFields } from '../clients/valid-fields.js';
import { shownName } from './shown-name.js';

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
    else if (problemOf(tool.name) !== undefined) {
      const shown = JSON.stringify(shownName(tool.name));
      warn(`sent a tool that is left out: its name ${shown} must not ${problemOf(tool.name)}`);
    } else if (tools.has(tool.name)) warn(`sent the tool "${shownName(tool.name)}" twice; the first is kept`);
    else tools.set(tool.name, tool);
  }
  return [...tools.values()];
}

/** Longer names cannot be called through a Server, and each comparison of names costs more. */
const MAX_NAME = WIRE_LIMITS.toolNameLength;

/** Completes "must not …". */
function problemOf(name: string): string | undefined {
  if (name.length > MAX_NAME) return `have more than ${MAX_NAME.toLocaleString('en')} characters`;
  return deceptiveName(name);
}

function parseTool(raw: unknown, warn: (message: string) => void): ListedTool | undefined {
  if (!isRecord(raw) || typeof raw.name !== 'string' || raw.name === '') return undefined;
  const wrong = new Set<string>();
  const tool = withValidFields('tools', raw, (path) => wrong.add(path));
  if (wrong.size > 0) {
    const fields = [...wrong].join(', ');
    warn(
      `sent the tool ${JSON.stringify(shownName(raw.name))} with fields of the wrong type, which are left out: ${fields}`,
    );
  }
  return { ...tool, name: raw.name, inputSchema: objectSchema(raw.inputSchema) };
}

/** Arguments are always an object, so a missing type is `object`. */
function objectSchema(schema: unknown): Record<string, unknown> {
  if (!isRecord(schema)) return { type: 'object' };
  return schema.type === 'object' ? schema : { ...schema, type: 'object' };
}
