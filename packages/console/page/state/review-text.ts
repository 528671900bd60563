import { reviewText } from '@a2c/protocol';

/** Arguments that nest deeper are not indented further, so that every line has room for its text. */
const DEEPEST_INDENT = 20;

/** All arguments of a call as JSON. Line breaks and tabs in its texts are escapes of JSON. */
export function reviewArguments(args: unknown): string {
  return JSON.stringify(args, null, 1)
    .split('\n')
    .map((line) => {
      const text = line.trimStart();
      return `${'  '.repeat(Math.min(line.length - text.length, DEEPEST_INDENT))}${reviewText(text)}`;
    })
    .join('\n');
}
