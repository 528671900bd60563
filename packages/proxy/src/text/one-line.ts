const ELLIPSIS = '...';

/** No sane name of a server or a tool is longer. */
const MAX_NAME = 256;

/** Runs of white space, line breaks included, become one space, and control characters nothing: a list stays a list whatever a server writes. */
export function oneLine(text: string): string {
  return text
    .replaceAll(/\s+/g, ' ')
    .replaceAll(/\p{Cc}+/gu, '')
    .trim();
}

/** At most `limit` characters (code points), the last three of them dots when something was cut. */
export function cut(text: string, limit: number): string {
  if (text.length <= limit) return text;
  const characters = [...text.slice(0, 2 * limit + 2)]; // a code point is two units at most
  if (characters.length <= limit) return text;
  return `${characters.slice(0, Math.max(0, limit - ELLIPSIS.length)).join('')}${ELLIPSIS}`;
}

/** A name, or whatever somebody gave for one, as it may be shown. A sane one is shown as it is, and can be called so. */
export function shownName(name: string): string {
  return cut(oneLine(name), MAX_NAME);
}
