/** A text of a server as a quotation. Any character that may be shown as a line break counts as one. */
export function quoted(text: string): string {
  const lines = text.split(/\r\n|[\n\v\f\r\u0085\u2028\u2029]/);
  return lines.map((line) => (line === '' ? '>' : `> ${line}`)).join('\n');
}
