import { errorResult } from '../results/error-result.js';
import { shownName } from '../text/one-line.js';
import type { CallOptions, CallToolResult, ToolboxTool, ToolHints } from '../toolbox.js';

/** Of each text and list among the arguments, so that none can hide the others. */
const MAX_SHOWN_CHARACTERS = 300;
const MAX_SHOWN_ITEMS = 20;

/**
 * Asks the person behind the client before a tool runs whose owner set `auto_apply: false`. What the tool says about itself is
 * part of the question but never the answer: a server's own hint does not outweigh its owner's word. Undefined: go ahead.
 */
export async function consentTo(
  tool: ToolboxTool,
  server: string,
  args: Readonly<Record<string, unknown>>,
  { ask, canConsent }: CallOptions,
): Promise<CallToolResult | undefined> {
  if (tool.autoApply !== false) return undefined;
  const which = `"${shownName(tool.name)}" of server "${shownName(server)}"`;
  if (!ask || !canConsent) {
    return errorResult(
      `${which} needs a person's consent (auto_apply is false), and this client cannot ask for it.`,
      'Use a client with elicitation, or set auto_apply to true for this tool.',
    );
  }
  try {
    const { action } = await ask({ method: 'elicitation/create', params: questionFor(tool, server, args) });
    if (action === 'accept') return undefined;
    return errorResult(`${which} was not run: consent was ${action === 'decline' ? 'declined' : 'not given'}.`);
  } catch (error) {
    return errorResult(`${which} was not run: consent could not be asked for: ${(error as Error).message ?? error}`);
  }
}

function questionFor(
  tool: ToolboxTool,
  server: string,
  args: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
  const what = `${shownName(tool.name)} of ${shownName(server)}${effectOf(tool.annotations)}`;
  return {
    mode: 'form',
    message: `Run ${what} with ${JSON.stringify(args, shortened)}?`,
    requestedSchema: { type: 'object', properties: {} },
  };
}

/** Every key and every value is shown; what is missing of long ones is counted. */
function shortened(_key: string, value: unknown): unknown {
  if (typeof value === 'string' && value.length > MAX_SHOWN_CHARACTERS) {
    return `${value.slice(0, MAX_SHOWN_CHARACTERS)}... (${value.length - MAX_SHOWN_CHARACTERS} more characters)`;
  }
  if (Array.isArray(value) && value.length > MAX_SHOWN_ITEMS) {
    return [...value.slice(0, MAX_SHOWN_ITEMS), `... (${value.length - MAX_SHOWN_ITEMS} more items)`];
  }
  return value;
}

function effectOf({ readOnlyHint, destructiveHint }: ToolHints = {}): string {
  if (readOnlyHint === true) return ' (it says that it only reads)';
  return destructiveHint === true ? ' (it may destroy data)' : '';
}
