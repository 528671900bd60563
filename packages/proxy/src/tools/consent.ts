import { HubError } from '@a2c/hub';
import { displayName } from '../text/one-line.js';
import type { ConsentHandler, ConsentRequest, ToolAnnotations, ToolboxCallOptions } from '../toolbox.js';

/** Applies to each string and list among the arguments, so that a long one cannot hide the others. */
const MAX_SHOWN_CHARACTERS = 300;
const MAX_SHOWN_ITEMS = 20;

/**
 * The consent handler of one call: asks the person at the client, with a form elicitation, if the owner of the tool set
 * `auto_apply: false`. The server's annotations are shown in the question but do not decide: a server must not be able
 * to skip it.
 *
 * @throws {HubError} Of kind `consent-denied`, with the reason, when the person declines or cannot be asked.
 */
export function consentHandler({ onServerRequest, supportsForms }: ToolboxCallOptions): ConsentHandler {
  return async (request) => {
    const { tool, server, signal } = request;
    if (tool.autoApply !== false) return true;
    const which = `"${displayName(tool.name)}" of server "${displayName(server)}"`;
    const deny = (message: string) => new HubError('consent-denied', message, { server, tool: tool.name });
    if (!onServerRequest || !supportsForms) {
      throw deny(
        `${which} needs a person's consent (auto_apply is false), and this client cannot ask for it.\n` +
          'Use a client with elicitation, or set auto_apply to true for this tool.',
      );
    }
    const answer = await onServerRequest({ method: 'elicitation/create', params: formFor(request), signal }).catch(
      (error) => {
        throw deny(`${which} was not run: consent could not be asked for: ${(error as Error).message ?? error}`);
      },
    );
    if (answer.action === 'accept') return true;
    throw deny(`${which} was not run: consent was ${answer.action === 'decline' ? 'declined' : 'not given'}.`);
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
  if (readOnlyHint === true) return ' (it says that it only reads)';
  return destructiveHint === true ? ' (it may destroy data)' : '';
}
