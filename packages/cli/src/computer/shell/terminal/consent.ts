import type { ConfirmCallback, ConfirmRequest } from '@a2c/computer';
import { harmless, oneLine } from '../../../output.js';
import type { MessageKey } from '../language.js';
import type { View } from '../view.js';
import { shownArguments } from './shown-arguments.js';

type AskText = (question: string, signal: AbortSignal) => Promise<string | undefined>;

/** Whole words and Enter: a person who is typing something else must not answer by accident. */
const ANSWERS: ReadonlyMap<string, 'yes' | 'no' | 'always'> = new Map([
  ...(['y', 'yes', '是'] as const).map((word) => [word, 'yes'] as const),
  ...(['n', 'no', '否'] as const).map((word) => [word, 'no'] as const),
  ...(['a', 'always', '总是'] as const).map((word) => [word, 'always'] as const),
]);

/** Asks the person before a tool runs. `always` holds for this tool until the shell ends. */
export function consentOnTerminal(view: View, askText: AskText): ConfirmCallback {
  const always = new Set<string>();
  return async (request) => {
    const key = JSON.stringify([request.server, request.tool]);
    if (always.has(key)) return true;
    const question = view.paint('bold', view.say('confirmQuestion'));
    let text = `${describe(view, request)}\n${question}`;
    for (;;) {
      const typed = await askText(text, request.signal);
      const answer = typed === undefined ? 'no' : ANSWERS.get(typed.trim().toLowerCase());
      if (answer === 'no') return false;
      if (answer === 'always') always.add(key);
      if (answer === 'yes' || answer === 'always') return true;
      text = question;
    }
  };
}

function describe(view: View, { agent, server, tool, displayName, parameters, description }: ConfirmRequest): string {
  const { say, paint } = view;
  const shownName = displayName === tool ? tool : `${displayName} (${tool})`;
  const rows: readonly (readonly [MessageKey, string])[] = [
    ['confirmAgent', agent ?? say('confirmHere')],
    ['server', server],
    ['confirmTool', shownName],
    ['confirmHints', hints(view, description.annotations)],
  ];
  const body = rows.map(([key, value]) => `  ${say(key)}: ${oneLine(value)}\n`).join('');
  const given = harmless(shownArguments(parameters, say)).replaceAll('\n', '\n  ');
  return `\n${paint('yellow', say('confirmTitle'))}\n${body}  ${say('confirmArguments')}: ${given}`;
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
