import type { Say } from '../language.js';

/** Longer arguments are shortened, so that the question fits on a screen. */
const MAX_LENGTH = 2_000;
/** What remains of a long string: its start and its end, where a dangerous part may be hidden. */
const KEPT_START = 200;
const KEPT_END = 100;

/** The arguments of a call as JSON. Only the middle of long strings is left out, and its length is shown. */
export function shownArguments(parameters: Readonly<Record<string, unknown>>, say: Say): string {
  const text = JSON.stringify(parameters, null, 2);
  if (text.length <= MAX_LENGTH) return text;
  return JSON.stringify(parameters, (_, value: unknown) => (typeof value === 'string' ? cut(value, say) : value), 2);
}

function cut(text: string, say: Say): string {
  const left = text.length - KEPT_START - KEPT_END;
  if (left <= 0) return text;
  const count = left.toLocaleString('en');
  return `${text.slice(0, KEPT_START)}… (${say('charactersLeftOut', { count })}) …${text.slice(-KEPT_END)}`;
}
