const ELLIPSIS = '...';

/** Longer names are cut. */
const MAX_NAME = 256;

/**
 * Replaces white space and line breaks by single spaces and removes control characters, so that text of a server cannot
 * break a list.
 */
export function oneLine(text: string): string {
  return text
    .replaceAll(/\s+/g, ' ')
    .replaceAll(/\p{Cc}+/gu, '')
    .trim();
}

/** At most `limit` characters (code points); the last three are dots if something was cut. */
export function cut(text: string, limit: number): string {
  if (text.length <= limit) return text;
  const characters = [...text.slice(0, 2 * limit + 2)]; // a code point has two units at most
  if (characters.length <= limit) return text;
  return `${characters.slice(0, Math.max(0, limit - ELLIPSIS.length)).join('')}${ELLIPSIS}`;
}

/** At most `limit` characters of a text on one line. */
export function cutLine(text: string, limit: number): string {
  return cut(beginningOf(text, limit), limit);
}

/**
 * At most `limit` characters of a text on one line, cut after a sentence if that keeps at least half of them, else as
 * `cut` does. Dots at the end show that something is missing.
 */
export function cutAtSentence(text: string, limit: number): string {
  const line = beginningOf(text, limit);
  const short = cut(line, limit);
  if (short === line) return line;
  const end = Math.max(...['. ', '! ', '? ', '; ', '。'].map((mark) => short.lastIndexOf(mark)));
  return end < limit / 2 ? short : `${short.slice(0, end + 1)} ${ELLIPSIS}`;
}

/** As much of a text as matters for its first `limit` characters on one line: a text may have millions of them. */
function beginningOf(text: string, limit: number): string {
  return oneLine(text.slice(0, 8 * limit + 1_024));
}

/** A name on one line and of bounded length. An ordinary name is unchanged. */
export function displayName(name: string): string {
  return cutLine(name, MAX_NAME);
}
