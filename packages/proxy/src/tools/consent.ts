import { errorResult } from '../results/error-result.js';
import { cut, oneLine } from '../text/one-line.js';
import type { CallOptions, CallResult, ToolboxTool, ToolHints } from '../toolbox.js';

const MAX_SHOWN_ARGUMENTS = 500;

/**
 * Asks the person behind the client before a tool runs whose owner set `auto_apply: false`. What the tool says about itself is
 * part of the question but never the answer: a server's own hint does not outweigh its owner's word. Undefined: go ahead.
 */
export async function consentTo(
  tool: ToolboxTool,
  server: string,
  args: Readonly<Record<string, unknown>>,
  { ask, canConsent }: CallOptions,
): Promise<CallResult | undefined> {
  if (tool.autoApply !== false) return undefined;
  if (!ask || !canConsent) {
    return errorResult(
      `"${tool.name}" of server "${server}" needs a person's consent (auto_apply is false), and this client cannot ask for it.`,
      'Use a client with elicitation, or set auto_apply to true for this tool.',
    );
  }
  const { action } = await ask({ method: 'elicitation/create', params: questionFor(tool, server, args) });
  if (action === 'accept') return undefined;
  return errorResult(
    `"${tool.name}" of server "${server}" was not run: consent was ${action === 'decline' ? 'declined' : 'not given'}.`,
  );
}

function questionFor(
  tool: ToolboxTool,
  server: string,
  args: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
  const shown = cut(oneLine(JSON.stringify(args)), MAX_SHOWN_ARGUMENTS);
  return {
    mode: 'form',
    message: `Run ${tool.name} of ${server}${effectOf(tool.annotations)} with ${shown}?`,
    requestedSchema: { type: 'object', properties: {} },
  };
}

function effectOf({ readOnlyHint, destructiveHint }: ToolHints = {}): string {
  if (readOnlyHint === true) return ' (it says that it only reads)';
  return destructiveHint === true ? ' (it may destroy data)' : '';
}
