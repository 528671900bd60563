/** What JSON text may contain. */
export interface JsonTextLimits {
  /** Values, all levels together. */
  readonly values: number;
  /** Keys of one object; any number by default. */
  readonly keys?: number;
  /** Levels of nesting; any number by default. */
  readonly depth?: number;
}

/**
 * The default limits. Parsing takes up to a microsecond for each value, and all later steps together several more, so
 * that a few MiB of empty arrays, or one object with a million keys, would block the event loop for seconds.
 */
export const JSON_TEXT_LIMITS = { values: 250_000, keys: 10_000 } as const satisfies JsonTextLimits;

/**
 * The limits of requests. Tools return large tables, but no caller passes one as arguments, and arguments take more
 * steps than results: they are compared with those of a repeated call, checked, and written again for the MCP server.
 */
export const REQUEST_TEXT_LIMITS = { ...JSON_TEXT_LIMITS, values: 100_000 } as const satisfies JsonTextLimits;

const [QUOTE, COMMA, COLON, BACKSLASH] = [0x22, 0x2c, 0x3a, 0x5c];
const [OPEN_ARRAY, CLOSE_ARRAY, OPEN_OBJECT, CLOSE_OBJECT] = [0x5b, 0x5d, 0x7b, 0x7d];

/**
 * Why JSON text of a stranger must not be parsed: it has too many values, or an object with too many keys, or nests too
 * deeply. Creates no values, and skips strings. Text that is not JSON is left to the parser.
 */
export function jsonTextProblem(
  text: string,
  { values, keys = Number.POSITIVE_INFINITY, depth = Number.POSITIVE_INFINITY }: JsonTextLimits = JSON_TEXT_LIMITS,
): string | undefined {
  // A key needs four characters at least, a value two, and a level one.
  if (text.length < Math.min(4 * keys, 2 * values, depth)) return undefined;
  /** The number of keys of each open object or array. */
  const open: number[] = [0];
  let count = 1;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) at = endOfString(text, at);
    else if (code === COMMA || code === OPEN_ARRAY || code === OPEN_OBJECT) {
      if (++count > values) return `has more than ${values} values`;
      if (code !== COMMA && open.push(0) > depth + 1) return `nests deeper than ${depth} levels`;
    } else if (code === CLOSE_ARRAY || code === CLOSE_OBJECT) open.pop();
    else if (code === COLON) {
      const found = (open.pop() ?? 0) + 1;
      if (found > keys) return `has an object with more than ${keys} keys`;
      open.push(found);
    }
  }
  return undefined;
}

/** The position of the closing quote, or the end of the text. */
function endOfString(text: string, start: number): number {
  const quote = text.indexOf('"', start + 1);
  if (quote < 0) return text.length;
  // Most strings contain no escaped quote, and `indexOf` is the fastest.
  if (text.charCodeAt(quote - 1) !== BACKSLASH) return quote;
  let at = start + 1;
  for (let code = text.charCodeAt(at); at < text.length && code !== QUOTE; code = text.charCodeAt(at)) {
    at += code === BACKSLASH ? 2 : 1;
  }
  return at;
}
