/** stdout is for results, stderr for people. */
export function print(text: string): void {
  process.stdout.write(`${harmless(text)}\n`);
}

export function printJson(value: unknown): void {
  print(JSON.stringify(value, null, 2));
}

export function printError(text: string): void {
  process.stderr.write(`${harmless(text)}\n`);
}

/** A line of a table for programs: a name that holds a line's end or a tab must not look like another row or cell. */
export function printRow(cells: readonly string[]): void {
  print(cells.map(oneLine).join('\t').trimEnd());
}

/**
 * What is printed may come from a stranger's file. Control and direction characters could rewrite the terminal, so they are
 * shown as escapes, which in JSON mean the same.
 */
export function harmless(text: string): string {
  return text.replaceAll(
    /[^\P{Cc}\n\t]|[\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

/** The same for what must stay on its line, such as a name. */
export function oneLine(text: string): string {
  return harmless(text).replaceAll('\n', '\\n').replaceAll('\t', '\\t');
}
