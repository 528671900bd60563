const ELLIPSIS = '...';

/** Runs of white space, line breaks included, become one space: a list stays a list whatever a server writes. */
export function oneLine(text: string): string {
  return text.replaceAll(/\s+/g, ' ').trim();
}

/** At most `limit` characters (code points), the last three of them dots when something was cut. */
export function cut(text: string, limit: number): string {
  if (text.length <= limit) return text;
  const characters = [...text];
  if (characters.length <= limit) return text;
  return `${characters.slice(0, Math.max(0, limit - ELLIPSIS.length)).join('')}${ELLIPSIS}`;
}
