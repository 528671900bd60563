import { styleText } from 'node:util';

/** Results go to stdout, messages for people to stderr. */

export function print(text: string): void {
  process.stdout.write(`${harmless(text)}\n`);
}

/** Prints text with colours. The caller has escaped its untrusted parts with `harmless`. */
export function printColoured(text: string): void {
  process.stdout.write(`${text}\n`);
}

export function printJson(value: unknown): void {
  print(JSON.stringify(value, null, 2));
}

export function printError(text: string): void {
  process.stderr.write(`${harmless(text)}\n`);
}

/** Prints an error in red, if it goes to a terminal that has colours. */
export function printFailure(text: string): void {
  const isColoured = process.stderr.isTTY && !process.env.NO_COLOR;
  process.stderr.write(
    `${isColoured ? styleText('red', harmless(text), { validateStream: false }) : harmless(text)}\n`,
  );
}

/** Prints a row of tab-separated cells. Line breaks and tabs inside a cell are escaped. */
export function printRow(cells: readonly string[]): void {
  print(cells.map(oneLine).join('\t').trimEnd());
}

/**
 * Escapes control and bidirectional characters, because printed text may come from an untrusted file and could rewrite
 * the terminal. The escapes are those of JSON, so printed JSON keeps its meaning.
 */
export function harmless(text: string): string {
  return text.replaceAll(
    /[^\P{Cc}\n\t]|[\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

/** As `harmless`, and escapes line breaks and tabs too. */
export function oneLine(text: string): string {
  return harmless(text).replaceAll('\n', '\\n').replaceAll('\t', '\\t');
}
