import type { Say } from '../language.js';

/** Longer than this, arguments are shown with their long texts cut: a question should fit on a screen. */
const FITS_ON_A_SCREEN = 2_000;
/** What is left of a long text: how it begins and, as a dangerous part may stand there, how it ends. */
const KEPT_START = 200;
const KEPT_END = 100;

/** The arguments of a call as JSON. Nothing is left out but the middle of long texts, and how much of it is said. */
export function shownArguments(parameters: Readonly<Record<string, unknown>>, say: Say): string {
  const whole = JSON.stringify(parameters, null, 2);
  if (whole.length <= FITS_ON_A_SCREEN) return whole;
  return JSON.stringify(parameters, (_, value: unknown) => (typeof value === 'string' ? cut(value, say) : value), 2);
}

function cut(text: string, say: Say): string {
  const left = text.length - KEPT_START - KEPT_END;
  if (left <= 0) return text;
  const count = left.toLocaleString('en');
  return `${text.slice(0, KEPT_START)}… (${say('charactersLeftOut', { count })}) …${text.slice(-KEPT_END)}`;
}
