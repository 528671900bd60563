import { oneLine } from '@a2c/protocol';
import { displayWidth, shortened } from '../display-width.js';
import type { View } from '../view.js';
import type { Keyboard } from './keyboard.js';
import { CLEAR_LINE, isText, type Write } from './questions.js';

/** The line that was found, and whether it is run at once. */
export interface FoundLine {
  readonly line: string;
  readonly run: boolean;
}

/** Keys that take the found line for editing. */
const TAKE = ['escape', 'tab', 'left', 'right', 'up', 'down', 'home', 'end'];

/** Ctrl-R: searches the history, newest line first. Returns undefined after Ctrl-C or Ctrl-G. */
export function searchHistory(
  keyboard: Keyboard,
  write: Write,
  view: View,
  history: readonly string[],
): Promise<FoundLine | undefined> {
  let query = '';
  /** How many matches are skipped: one for each further Ctrl-R. */
  let skipped = 0;
  const matches = () => history.filter((line) => line.includes(query));
  const found = () => (query === '' ? '' : (matches()[skipped] ?? ''));
  const draw = () => {
    const head = `${view.say('searchHistory')}'${oneLine(query)}': `;
    write(`${CLEAR_LINE}${head}${shortened(oneLine(found()), Math.max(10, view.width - displayWidth(head) - 1))}`);
  };
  draw();
  return keyboard.ask<FoundLine | undefined>((resolve) => (key) => {
    if (key.ctrl && (key.name === 'c' || key.name === 'g')) return resolve(undefined);
    if (key.name === 'return' || key.name === 'enter') return resolve({ line: found(), run: found() !== '' });
    if (TAKE.includes(key.name)) return resolve({ line: found(), run: false });
    if (key.ctrl && key.name === 'r') skipped = Math.min(skipped + 1, Math.max(0, matches().length - 1));
    else if (key.name === 'backspace') query = query.slice(0, -1);
    else if (isText(key)) query += key.text;
    if (!(key.ctrl && key.name === 'r')) skipped = 0;
    return draw();
  });
}
