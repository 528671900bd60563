import { harmless } from '../../../output.js';
import type { View } from '../view.js';
import type { Keyboard, KeyPress } from './keyboard.js';

/** Where questions are written. */
export type Write = (text: string) => void;

const CLEAR_LINE = '\r\u001b[K';

/** One line of text, shown or as asterisks. Undefined when the person gave up (Ctrl-C, Ctrl-D). */
export async function askText(
  keyboard: Keyboard,
  write: Write,
  question: string,
  { masked = false }: { readonly masked?: boolean } = {},
): Promise<string | undefined> {
  write(question);
  const answer = await keyboard.ask<string | undefined>((resolve) => {
    let typed: string[] = [];
    return (key) => {
      if (gaveUp(key)) resolve(undefined);
      else if (key.name === 'return' || key.name === 'enter') resolve(typed.join(''));
      else if (key.name === 'backspace') {
        typed = typed.slice(0, -1);
        write(`${CLEAR_LINE}${question}${shown(typed, masked)}`);
      } else if (isText(key)) {
        typed.push(key.text);
        write(masked ? '*' : key.text);
      }
    };
  });
  write('\n');
  return answer;
}

function shown(typed: readonly string[], masked: boolean): string {
  return masked ? '*'.repeat(typed.length) : typed.join('');
}

/** One of several, by arrow keys or by number. Undefined when the person gave up. */
export async function pick(
  keyboard: Keyboard,
  write: Write,
  view: View,
  options: readonly string[],
  start: number,
): Promise<string | undefined> {
  let chosen = Math.max(0, start);
  const draw = () => {
    const lines = options.map((option, index) => {
      const line = `${index === chosen ? '❯' : ' '} ${index} ${harmless(option)}`;
      return `${CLEAR_LINE}${index === chosen ? view.paint('cyan', line) : line}\n`;
    });
    write(lines.join(''));
  };
  write(`${view.paint('dim', view.say('pickHint'))}\n`);
  draw();
  return keyboard.ask<string | undefined>((resolve) => (key) => {
    const digit = /^\d$/.test(key.text) ? Number(key.text) : undefined;
    if (gaveUp(key)) return resolve(undefined);
    if (key.name === 'return' || key.name === 'enter') return resolve(options[chosen]);
    if (key.name === 'up') chosen = (chosen + options.length - 1) % options.length;
    else if (key.name === 'down') chosen = (chosen + 1) % options.length;
    else if (digit !== undefined && digit < options.length) chosen = digit;
    else return undefined;
    write(`\u001b[${options.length}A`);
    return draw();
  });
}

/** One of the keys, as soon as it is pressed, or undefined when the signal ends the wait or the person gave up. */
export async function askKey(
  keyboard: Keyboard,
  write: Write,
  question: string,
  keys: string,
  signal: AbortSignal,
): Promise<string | undefined> {
  write(question);
  const answer = await keyboard.ask<string | undefined>((resolve) => {
    const tooLate = () => resolve(undefined);
    if (signal.aborted) tooLate();
    signal.addEventListener('abort', tooLate, { once: true });
    return (key) => {
      const letter = key.text.toLowerCase();
      if (!gaveUp(key) && (letter === '' || !keys.includes(letter))) return;
      signal.removeEventListener('abort', tooLate);
      resolve(gaveUp(key) ? undefined : letter);
    };
  });
  write(`${answer ?? ''}\n`);
  return answer;
}

function gaveUp({ ctrl, name }: KeyPress): boolean {
  return ctrl && (name === 'c' || name === 'd');
}

function isText({ text, ctrl }: KeyPress): boolean {
  return text !== '' && !ctrl && !/\p{Cc}/u.test(text);
}
