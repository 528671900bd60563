import type { AvailableTool } from '@a2c/hub';
import { isRecord, type OperatorTool } from '@a2c/protocol';

/** Longer descriptions are cut in lists. */
const LISTED_CHARACTERS = 200;

const HINTS = ['readOnly', 'destructive', 'idempotent', 'openWorld'] as const;

/** The hints that the MCP server gives about a tool. */
export function hintsOf(annotations: unknown): string[] {
  return isRecord(annotations) ? HINTS.filter((hint) => annotations[`${hint}Hint`] === true) : [];
}

/** A tool as operators see it in a list. */
export function toolView({ server, displayName, tool }: AvailableTool): OperatorTool {
  const description = String(tool.description ?? '');
  return {
    server,
    name: displayName,
    ...(typeof tool.title === 'string' && { title: tool.title }),
    description: description.length > LISTED_CHARACTERS ? `${description.slice(0, LISTED_CHARACTERS)}…` : description,
    hints: hintsOf(tool.annotations),
  };
}
