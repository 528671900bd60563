import { HubError } from '@a2c/hub';
import { displayName } from '../text/one-line.js';
import type { ConsentHandler, ConsentRequest, ToolAnnotations, ToolboxCallOptions } from '../toolbox.js';

/** Applies to each string and list among the arguments, so that a long one cannot hide the others. */
const MAX_SHOWN_CHARACTERS = 300;
const MAX_SHOWN_ITEMS = 20;

/**
 * The consent handler of one call: asks the person at the client, with a form elicitation, if the owner of the tool set
 * `auto_apply: false`. The server's annotations are shown in the question but do not decide: a server must not be able
 * to skip it. Rejects with a `HubError` that says why consent was not given.
 */
export function askClient({ onServerRequest, supportsForms }: ToolboxCallOptions): ConsentHandler {
  return async (request) => {
    const { tool, server, signal } = request;
    if (tool.autoApply !== false) return true;
    const which = `"${displayName(tool.name)}" of server "${displayName(server)}"`;
    const about = { server, tool: tool.name };
    if (!onServerRequest || !supportsForms) {
      throw new HubError(
        'consent-unavailable',
        `${which} needs a person's consent (auto_apply is false), and this client cannot ask for it.\n` +
          'Use a client with elicitation, or set auto_apply to true for this tool.',
        about,
      );
    }
    const ask = onServerRequest({ method: 'elicitation/create', params: formFor(request), signal });
    const { action } = await ask.catch((cause) => {
      const message = `${which} was not run: consent could not be asked for: ${(cause as Error).message ?? cause}`;
      throw new HubError('consent-failed', message, { ...about, cause });
    });
    if (action === 'accept') return true;
    const reason = action === 'decline' ? 'declined' : 'not given';
    throw new HubError('consent-denied', `${which} was not run: consent was ${reason}.`, about);
  };
}

function formFor({ tool, server, arguments: args }: ConsentRequest): Record<string, unknown> {
  const what = `${displayName(tool.name)} of ${displayName(server)}${effectOf(tool.annotations)}`;
  return {
    mode: 'form',
    message: `Run ${what} with ${JSON.stringify(args, shorten)}?`,
    requestedSchema: { type: 'object', properties: {} },
  };
}

/** Shows every key and value; the missing part of a long one is counted. */
function shorten(_key: string, value: unknown): unknown {
  if (typeof value === 'string' && value.length > MAX_SHOWN_CHARACTERS) {
    return `${value.slice(0, MAX_SHOWN_CHARACTERS)}... (${value.length - MAX_SHOWN_CHARACTERS} more characters)`;
  }
  if (Array.isArray(value) && value.length > MAX_SHOWN_ITEMS) {
    return [...value.slice(0, MAX_SHOWN_ITEMS), `... (${value.length - MAX_SHOWN_ITEMS} more items)`];
  }
  return value;
}

function effectOf({ readOnlyHint, destructiveHint }: ToolAnnotations = {}): string {
  if (readOnlyHint === true) return ' (declared read-only)';
  return destructiveHint === true ? ' (it may destroy data)' : '';
}
