import { EXEC_INPUT } from './exec-arguments.js';
import { INSPECT_INPUT } from './inspect-arguments.js';
import { INSPECT_OUTPUT } from './inspect-data.js';

export const INSPECT = 'inspect';
export const EXEC = 'exec';

const EXEC_DESCRIPTION = 'Run a tool of an MCP server. See inspect for servers, tools and their arguments.';

/**
 * The two tools, always in this order. `exec` is as dangerous as the most dangerous tool behind it and says so; it has no output
 * schema, because each of those tools has its own.
 */
export function toolDefinitions(catalogue: string, withData: boolean) {
  return [
    {
      name: INSPECT,
      title: 'Inspect tools',
      description: catalogue,
      inputSchema: INSPECT_INPUT,
      ...(withData && { outputSchema: INSPECT_OUTPUT }),
      annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
    },
    {
      name: EXEC,
      title: 'Run a tool',
      description: EXEC_DESCRIPTION,
      inputSchema: EXEC_INPUT,
      annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: true },
    },
  ];
}
