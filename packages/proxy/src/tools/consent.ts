import { HubError } from '@a2c/hub';
import { reviewText, visibleText } from '@a2c/protocol';
import type { ProxyOptions } from '../options.js';
import { displayName } from '../text/one-line.js';
import { splitMark } from '../text/tool-marks.js';
import type { ConsentHandler, ConsentRequest, ToolAnnotations, ToolboxCallOptions } from '../toolbox.js';

/** A person is not asked about longer arguments: a part of them could be overlooked, or is not shown by the client. */
const MAX_SHOWN_ARGUMENTS = 8_000;

/** What is shown of each string and list of longer arguments of a call from code, which is approved by its code. */
const SHOWN_CHARACTERS = 200;
const SHOWN_ITEMS = 10;

/** Longer code is not shown, because a part of it could be overlooked. */
const MAX_SHOWN_CODE = 4_000;

type ConsentSettings = Pick<ProxyOptions, 'trustReadOnly'>;

/**
 * The consent handler of one call: asks the person at the client, with a form elicitation, if the owner of the tool set
 * `auto_apply: false`. The server's annotations are shown in the question but do not decide, unless the settings trust
 * `readOnlyHint`: a server must not be able to skip the question. Rejects with a `HubError` that says why consent was
 * not given. `code` is shown if the call comes from code. Otherwise all of the arguments are shown, or no one is asked.
 */
export function askClient(
  { onServerRequest, supportsForms }: ToolboxCallOptions,
  { trustReadOnly }: ConsentSettings,
  code?: string,
): ConsentHandler {
  const ask = async (request: ConsentRequest) => {
    const { tool, server, signal } = request;
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
    const { length } = wholeText(request.arguments);
    if (code === undefined && length > MAX_SHOWN_ARGUMENTS) {
      throw new HubError(
        'consent-unavailable',
        `${which} needs a person's consent (auto_apply is false), and its arguments are too long to be shown ` +
          `(${length} characters; at most ${MAX_SHOWN_ARGUMENTS}).\n` +
          'Use several calls with shorter arguments, call the tool on a Computer, whose console and shell show long ' +
          'arguments in full, or set auto_apply to true for this tool.',
        about,
      );
    }
    const asked = onServerRequest({ method: 'elicitation/create', params: formFor(request, code), signal });
    const { action } = await asked.catch((cause) => {
      const message = `${which} was not run: consent could not be asked for: ${(cause as Error).message ?? cause}`;
      throw new HubError('consent-failed', message, { ...about, cause });
    });
    if (action === 'accept') return true;
    const reason = action === 'decline' ? 'declined' : 'not given';
    throw new HubError('consent-denied', `${which} was not run: consent was ${reason}.`, about);
  };
  return (request) => {
    const { autoApply, annotations } = request.tool;
    return autoApply !== false || (trustReadOnly && annotations?.readOnlyHint === true) || ask(request);
  };
}

/**
 * The consent handler of one run of code: asks once per tool and shows the code, and the answer covers all calls of
 * that tool in the run. Code that is too long to be shown is asked about at every call instead. `options.signal` aborts
 * when the run ends: the first call of a tool may end before the question is answered.
 */
export function runConsentHandler(
  options: ToolboxCallOptions,
  settings: ConsentSettings,
  code: string,
): ConsentHandler {
  if (code.length > MAX_SHOWN_CODE) return askClient(options, settings);
  const ask = askClient(options, settings, code);
  const answers = new Map<string, ReturnType<ConsentHandler>>();
  return (request) => {
    const key = JSON.stringify([request.server, request.tool.name]);
    const answer = answers.get(key) ?? ask({ ...request, signal: options.signal });
    answers.set(key, answer);
    return answer;
  };
}

function formFor({ tool, server, arguments: args }: ConsentRequest, code: string | undefined): Record<string, unknown> {
  // The annotations of a changed tool are those that were approved, which may be wrong now.
  const { mark } = splitMark(tool.description ?? '');
  const what = `${mark}${displayName(tool.name)} of ${displayName(server)}${effectOf(tool.annotations)}`;
  return {
    mode: 'form',
    message: `Run ${what} with ${shown(args)}?${code === undefined ? '' : aboutCode(code)}`,
    requestedSchema: { type: 'object', properties: {} },
  };
}

function wholeText(args: ConsentRequest['arguments']): string {
  return reviewText(visibleText(JSON.stringify(args)));
}

function shown(args: ConsentRequest['arguments']): string {
  const whole = wholeText(args);
  return whole.length <= MAX_SHOWN_ARGUMENTS
    ? whole
    : `arguments that are too long to be shown completely: ${reviewText(visibleText(JSON.stringify(args, shorten)))}`;
}

function aboutCode(code: string): string {
  return `\nThe answer applies to every call of this tool by this code:\n\n${reviewText(visibleText(code))}`;
}

/** Shows every key, and both ends of a long value: what is left out is counted. */
function shorten(_key: string, value: unknown): unknown {
  if (typeof value === 'string' && value.length > 2 * SHOWN_CHARACTERS) {
    const left = value.length - 2 * SHOWN_CHARACTERS;
    return `${value.slice(0, SHOWN_CHARACTERS)} ... (${left} characters left out) ... ${value.slice(-SHOWN_CHARACTERS)}`;
  }
  if (Array.isArray(value) && value.length > 2 * SHOWN_ITEMS) {
    const left = `... (${value.length - 2 * SHOWN_ITEMS} items left out) ...`;
    return [...value.slice(0, SHOWN_ITEMS), left, ...value.slice(-SHOWN_ITEMS)];
  }
  return value;
}

function effectOf({ readOnlyHint, destructiveHint }: ToolAnnotations = {}): string {
  if (readOnlyHint === true) return ' (declared read-only)';
  return destructiveHint === true ? ' (it may destroy data)' : '';
}
