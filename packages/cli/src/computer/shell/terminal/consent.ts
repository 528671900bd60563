import type { ConfirmCallback, ConfirmContext } from '@a2c/computer';
import { harmless } from '../../../output.js';
import type { MessageKey } from '../language.js';
import type { View } from '../view.js';

type AskText = (question: string, signal: AbortSignal) => Promise<string | undefined>;

/** Whole words and Enter: a person who is typing something else must not answer by accident. */
const ANSWERS: Readonly<Record<string, 'yes' | 'no' | 'always'>> = {
  ...{ y: 'yes', yes: 'yes', 是: 'yes' },
  ...{ n: 'no', no: 'no', 否: 'no' },
  ...{ a: 'always', always: 'always', 总是: 'always' },
};

/** Asks the person before a tool runs. `always` holds for this tool until the shell ends. */
export function consentOnTerminal(view: View, askText: AskText): ConfirmCallback {
  const always = new Set<string>();
  return async (_reqId, server, tool, parameters, context) => {
    const key = JSON.stringify([server, tool]);
    if (always.has(key)) return true;
    const question = view.paint('bold', view.say('confirmQuestion'));
    let text = `${describe(view, server, tool, parameters, context)}\n${question}`;
    for (;;) {
      const typed = await askText(text, context.signal);
      const answer = typed === undefined ? 'no' : ANSWERS[typed.trim().toLowerCase()];
      if (answer === 'always') always.add(key);
      if (answer !== undefined) return answer !== 'no';
      text = question;
    }
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
  const body = rows.map(([key, value]) => `  ${say(key)}: ${harmless(value).replaceAll('\n', '\n  ')}`).join('\n');
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
