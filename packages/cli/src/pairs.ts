import { InvalidArgumentError } from 'commander';

/** The value of `--auth` and `--headers`: `key:value,key:value`, or a JSON object where a value holds a comma. */
export function parsePairs(text: string): Record<string, string> {
  if (text.trimStart().startsWith('{')) return parseJson(text);
  return Object.fromEntries(
    text.split(',').map((pair) => {
      const at = pair.indexOf(':');
      if (at < 1) throw new InvalidArgumentError('expected key:value,key:value or a JSON object');
      return [pair.slice(0, at).trim(), pair.slice(at + 1).trim()];
    }),
  );
}

function parseJson(text: string): Record<string, string> {
  try {
    const pairs = Object.entries(JSON.parse(text) as object);
    return Object.fromEntries(pairs.map(([key, value]) => [key, String(value)]));
  } catch (error) {
    throw new InvalidArgumentError((error as Error).message);
  }
}
