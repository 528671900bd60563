import type { ConfirmCallback, ConfirmContext } from '@a2c/computer';
import { harmless } from '../../../output.js';
import type { MessageKey } from '../language.js';
import type { View } from '../view.js';

type AskKey = (text: string, keys: string, signal: AbortSignal) => Promise<string | undefined>;

/** Asks the person before a tool runs. `always` holds for this tool until the shell ends. */
export function consentOnTerminal(view: View, askKey: AskKey): ConfirmCallback {
  const always = new Set<string>();
  return async (_reqId, server, tool, parameters, context) => {
    const key = JSON.stringify([server, tool]);
    if (always.has(key)) return true;
    const text = `${describe(view, server, tool, parameters, context)}\n${view.paint('bold', view.say('confirmQuestion'))}`;
    const answer = await askKey(text, 'yna', context.signal);
    if (answer === 'a') always.add(key);
    return answer === 'y' || answer === 'a';
  };
}

/** Arguments beyond this are cut: a question must fit on a screen. */
const MAX_ARGUMENT_TEXT = 2_000;

function describe(
  view: View,
  server: string,
  tool: string,
  parameters: Readonly<Record<string, unknown>>,
  { agent, tool: described, displayName }: ConfirmContext,
): string {
  const { say, paint } = view;
  const shownName = displayName === tool ? tool : `${displayName} (${tool})`;
  const text = JSON.stringify(parameters, null, 2);
  const shownArguments = text.length > MAX_ARGUMENT_TEXT ? `${text.slice(0, MAX_ARGUMENT_TEXT)}…` : text;
  const rows: readonly (readonly [MessageKey, string])[] = [
    ['confirmAgent', agent ?? say('confirmHere')],
    ['server', server],
    ['confirmTool', shownName],
    ['confirmHints', hints(view, described.annotations)],
    ['confirmArguments', shownArguments],
  ];
  const body = rows.map(([key, value]) => `  ${say(key)}: ${harmless(value)}`).join('\n');
  return `\n${paint('yellow', say('confirmTitle'))}\n${body}`;
}

const HINTS: readonly (readonly [string, MessageKey])[] = [
  ['readOnlyHint', 'hintReadOnly'],
  ['destructiveHint', 'hintDestructive'],
  ['idempotentHint', 'hintIdempotent'],
  ['openWorldHint', 'hintOpenWorld'],
];

function hints({ say }: View, annotations: object | undefined): string {
  const said = (annotations ?? {}) as Readonly<Record<string, unknown>>;
  const known = HINTS.filter(([hint]) => said[hint] === true).map(([, key]) => say(key));
  return known.length > 0 ? known.join(', ') : say('hintNone');
}
