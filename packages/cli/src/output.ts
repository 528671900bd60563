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
