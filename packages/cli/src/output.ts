import { styleText } from 'node:util';
import { oneLine, visibleText } from '@a2c/protocol';
import { wrappedMessage } from './computer/shell/display-width.js';

/** Results go to stdout, messages for people to stderr. */

export function print(text: string): void {
  process.stdout.write(`${visibleText(text)}\n`);
}

/** Prints text with colours. The caller has escaped its untrusted parts with `visibleText`. */
export function printColoured(text: string): void {
  process.stdout.write(`${text}\n`);
}

export function printJson(value: unknown): void {
  print(JSON.stringify(value, null, 2));
}

export function printError(text: string): void {
  process.stderr.write(`${messageText(text)}\n`);
}

/** Indents the further lines of an error with text of a server: they must not look like messages of a2c. */
export function indented(text: string): string {
  return text.replaceAll('\n', '\n  ');
}

/** A message as it is shown on stderr. */
function messageText(text: string): string {
  const { isTTY, columns } = process.stderr;
  return isTTY ? wrappedMessage(visibleText(text), columns || 80) : visibleText(text);
}

/** Prints an error in red, if it goes to a terminal that has colours. */
export function printFailure(text: string): void {
  const isColoured = process.stderr.isTTY && !process.env.NO_COLOR;
  const shown = messageText(text);
  process.stderr.write(`${isColoured ? styleText('red', shown, { validateStream: false }) : shown}\n`);
}

/** Prints a row of tab-separated cells. Line breaks and tabs inside a cell are escaped. */
export function printRow(cells: readonly string[]): void {
  print(cells.map(oneLine).join('\t').trimEnd());
}
