import { ArrayScanner, JsonSyntaxError } from '../wire/json-scanner.js';

const MAX_DEPTH = 100;

/**
 * Parses the text of a JSON file.
 *
 * @throws Error with the line and the column of the problem, but without the text, which may contain secrets
 */
export function parseJsonFile(path: string, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    const { problem, at } = syntaxErrorOf(text) ?? { problem: '', at: 0 };
    const lines = Buffer.from(text).toString('utf8', 0, at).split('\n');
    const place = `${path}:${lines.length}:${(lines.at(-1) ?? '').length + 1}`;
    throw new Error(`${place}: not JSON${problem && `: ${problem}`}`, { cause: error });
  }
}

/** `JSON.parse` does not name the position of every error. */
function syntaxErrorOf(text: string): Pick<JsonSyntaxError, 'problem' | 'at'> | undefined {
  try {
    // The array adds one byte at the start.
    new ArrayScanner(Buffer.from(`[${text}]`), 0, MAX_DEPTH, false).run(Number.POSITIVE_INFINITY);
    return undefined;
  } catch (error) {
    return error instanceof JsonSyntaxError ? { problem: error.problem, at: error.at - 1 } : undefined;
  }
}
