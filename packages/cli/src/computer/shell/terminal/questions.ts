import type { InputOption } from '@a2c/config';
import { visibleText } from '@a2c/protocol';
import type { View } from '../view.js';
import type { Keyboard, KeyPress } from './keyboard.js';

export type Write = (text: string) => void;

export const CLEAR_LINE = '\r\u001b[K';

export interface TextQuestion {
  /** Shows asterisks. */
  readonly masked?: boolean;
  /** Ends the question without an answer. */
  readonly signal?: AbortSignal;
}

/** Asks for one line of text. Returns undefined after Ctrl-C, Ctrl-D or an abort. */
export async function askText(
  keyboard: Keyboard,
  write: Write,
  question: string,
  { masked = false, signal }: TextQuestion = {},
): Promise<string | undefined> {
  if (signal?.aborted) return undefined;
  write(question);
  const lastLine = question.slice(question.lastIndexOf('\n') + 1);
  const answer = await keyboard.ask<string | undefined>((resolve) => {
    let typed: string[] = [];
    const end = (text?: string) => {
      signal?.removeEventListener('abort', onAbort);
      resolve(text);
    };
    const onAbort = () => end();
    signal?.addEventListener('abort', onAbort);
    return (key) => {
      if (isCancel(key)) end();
      else if (key.name === 'return' || key.name === 'enter') end(typed.join(''));
      else if (key.name === 'backspace') {
        typed = typed.slice(0, -1);
        write(`${CLEAR_LINE}${lastLine}${shown(typed, masked)}`);
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

/** Asks to choose an option by arrow keys or by number. Returns undefined after Ctrl-C or Ctrl-D. */
export async function pick(
  keyboard: Keyboard,
  write: Write,
  view: View,
  options: readonly InputOption[],
  start: number,
): Promise<string | undefined> {
  let chosen = Math.max(0, start);
  /** Why Enter would not answer: the last number was not an option. */
  let problem: string | undefined;
  const draw = () => {
    const lines = options.map((option, index) => {
      const line = `${index === chosen ? '❯' : ' '} ${index} ${visibleText(option.label)}`;
      return `${CLEAR_LINE}${index === chosen ? view.paint('cyan', line) : line}\n`;
    });
    write(lines.join(''));
    if (problem !== undefined) write(`${view.paint('yellow', problem)}\n`);
  };
  write(`${view.paint('dim', view.say('pickHint'))}\n`);
  draw();
  return keyboard.ask<string | undefined>((resolve) => (key) => {
    const digit = /^\d$/.test(key.text) ? Number(key.text) : undefined;
    if (isCancel(key)) return resolve(undefined);
    const isEnter = key.name === 'return' || key.name === 'enter';
    if (isEnter && problem === undefined) return resolve(options[chosen]?.value);
    const drawn = options.length + (problem === undefined ? 0 : 1);
    if (key.name === 'up') chosen = (chosen + options.length - 1) % options.length;
    else if (key.name === 'down') chosen = (chosen + 1) % options.length;
    else if (digit !== undefined && digit < options.length) chosen = digit;
    else if (digit === undefined) return undefined;
    problem =
      digit === undefined || digit < options.length ? undefined : view.say('numberNotAnOption', { number: digit });
    write(`\u001b[${drawn}A\u001b[J`);
    return draw();
  });
}

function isCancel({ ctrl, name }: KeyPress): boolean {
  return ctrl && (name === 'c' || name === 'd');
}

/** A key that types a character. */
export function isText({ text, ctrl }: KeyPress): boolean {
  return text !== '' && !ctrl && !/\p{Cc}/u.test(text);
}
