import { type ConfirmCallback, type ConfirmRequest, consentKey } from '@a2c/computer';
import { oneLine, reviewText, visibleText } from '@a2c/protocol';
import { shortened, wrapped } from '../display-width.js';
import type { MessageKey, Say } from '../language.js';
import { translateMark } from '../translations.js';
import type { View } from '../view.js';

type AskText = (question: string, signal: AbortSignal) => Promise<string | undefined>;

/** Whole words, followed by Enter: keys that continue a typed line must not count as an answer. */
const ANSWERS: ReadonlyMap<string, 'yes' | 'no' | 'always' | 'none' | 'show'> = new Map([
  ...(['y', 'yes', '是'] as const).map((word) => [word, 'yes'] as const),
  ...(['n', 'no', '否'] as const).map((word) => [word, 'no'] as const),
  ...(['a', 'always', 'always for this tool', '总是', '总是（此工具）'] as const).map(
    (word) => [word, 'always'] as const,
  ),
  ...(['none', 'none of this agent', '全否', '全否（此 agent）'] as const).map((word) => [word, 'none'] as const),
  ...(['show', '显示'] as const).map((word) => [word, 'show'] as const),
]);

/** The reason of the signal of a question that was answered in the console. */
export const ANSWERED_ELSEWHERE = 'answered elsewhere';

/**
 * Asks the user for consent. `always` applies to the tool, as long as it does not change, until the shell ends; `none`
 * to all questions that the same Agent waits for; `show` shows what was left out. `print` reports expired questions.
 */
export function consentOnTerminal(view: View, askText: AskText, print: (text: string) => void): ConfirmCallback {
  const always = new Set<string>();
  /** Aborted to deny the questions that an Agent waits for. */
  const waiting = new Map<string | null, AbortController>();
  return async (request) => {
    const key = consentKey(request);
    if (always.has(key)) return true;
    const question = view.paint('bold', view.say('confirmQuestion'));
    const denied = waiting.get(request.agent) ?? new AbortController();
    waiting.set(request.agent, denied);
    const signal = AbortSignal.any([request.signal, denied.signal]);
    let text = `${describe(view, request)}\n${question}`;
    for (;;) {
      const typed = await askText(text, signal);
      if (request.signal.aborted) {
        const isAnswered = request.signal.reason === ANSWERED_ELSEWHERE;
        print(view.paint('yellow', view.say(isAnswered ? 'questionAnswered' : 'questionExpired')));
      }
      const answer = typed === undefined ? 'no' : ANSWERS.get(typed.trim().toLowerCase());
      if (answer === 'none') {
        waiting.delete(request.agent);
        denied.abort();
      }
      if (answer === 'no' || answer === 'none') return false;
      if (answer === 'always') always.add(key);
      if (answer === 'yes' || answer === 'always') return true;
      const before = answer === 'show' ? `  ${wholeArguments(request.parameters)}` : view.say('confirmWrong');
      text = `${before}\n${question}`;
    }
  };
}

function describe(view: View, { agent, server, tool, displayName, parameters, description }: ConfirmRequest): string {
  const { say, paint } = view;
  const shownName = displayName === tool ? tool : `${displayName} (${tool})`;
  // It begins with the mark of a tool that has changed since it was approved.
  const text = shortened(oneLine(translateMark(description.description ?? '', view.language)), MAX_DESCRIPTION);
  const rows: readonly (readonly [MessageKey, string])[] = [
    ['confirmAgent', agent ?? say('confirmHere')],
    ['confirmServer', server],
    ['confirmTool', shownName],
    ...(text === '' ? [] : [['confirmDescription', text] as const]),
    ['confirmHints', hints(view, description.annotations)],
  ];
  const row = (text: string) => `  ${wrapped(text, view.width - ROW_INDENT.length).join(`\n${ROW_INDENT}`)}\n`;
  const body = rows.map(([key, value]) => row(`${say(key)}: ${oneLine(value)}`)).join('');
  const given = `${paint('yellow', say('confirmTitle'))}\n${body}  ${say('confirmArguments')}: `;
  const whole = wholeArguments(parameters);
  if (whole.length <= MAX_LENGTH) return `\n${given}${whole}`;
  return `\n${given}${shortArguments(parameters, say)}\n  ${paint('yellow', say('confirmCut'))}`;
}

const HINTS: readonly (readonly [string, MessageKey])[] = [
  ['readOnlyHint', 'hintReadOnly'],
  ['destructiveHint', 'hintDestructive'],
  ['idempotentHint', 'hintIdempotent'],
  ['openWorldHint', 'hintOpenWorld'],
];

function hints({ say }: View, annotations: object | undefined): string {
  const given = (annotations ?? {}) as Readonly<Record<string, unknown>>;
  const known = HINTS.filter(([hint]) => given[hint] === true).map(([, key]) => say(key));
  return known.length > 0 ? known.join(', ') : say('hintNone');
}

/** Of the further lines of a row: deeper than the rows, so that a text of a server cannot look like one. */
const ROW_INDENT = ' '.repeat(6);

/** What is shown of a longer description, in columns. */
const MAX_DESCRIPTION = 300;

/** Longer arguments are shortened, so that the question fits on a screen. */
const MAX_LENGTH = 2_000;
/** What remains of a long string: its start and its end, where a dangerous part may be hidden. */
const KEPT_START = 200;
const KEPT_END = 100;

type Arguments = ConfirmRequest['parameters'];

/** The arguments of a call as JSON. */
function wholeArguments(parameters: Arguments): string {
  return indented(JSON.stringify(parameters, null, 2));
}

/** As `wholeArguments`, but without the middle of long strings, whose length is shown. */
function shortArguments(parameters: Arguments, say: Say): string {
  const shorten = (_: string, value: unknown) => (typeof value === 'string' ? cut(value, say) : value);
  return indented(JSON.stringify(parameters, shorten, 2));
}

function indented(json: string): string {
  return reviewText(visibleText(json)).replaceAll('\n', '\n  ');
}

function cut(text: string, say: Say): string {
  const left = text.length - KEPT_START - KEPT_END;
  if (left <= 0) return text;
  const count = left.toLocaleString('en');
  return `${text.slice(0, KEPT_START)}… (${say('charactersLeftOut', { count })}) …${text.slice(-KEPT_END)}`;
}
