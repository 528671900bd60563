const LINE = /^\s*(?:export\s+)?([A-Za-z_][A-Za-z0-9_.-]*)\s*=(.*)$/;

/**
 * Parses `KEY=value` lines. A line that starts with `#` is a comment. Quotes around a value are removed; in double
 * quotes `\n` is a line break.
 *
 * @throws SyntaxError with the number of the first line that is not of this form.
 */
export function parseEnvFile(text: string): Record<string, string> {
  const entries: [string, string][] = [];
  for (const [index, line] of text.split(/\r?\n/).entries()) {
    if (/^\s*(#|$)/.test(line)) continue;
    const [, key, value] = LINE.exec(line) ?? [];
    // The message does not quote the line, which may contain a secret.
    if (key === undefined || value === undefined) throw new SyntaxError(`line ${index + 1} is not KEY=value`);
    entries.push([key, unquote(value.trim())]);
  }
  return Object.fromEntries(entries);
}

function unquote(value: string): string {
  const [, quote, inner] = /^(["'])(.*)\1$/s.exec(value) ?? [];
  const comment = value.search(/\s#/);
  if (quote === undefined || inner === undefined) return comment === -1 ? value : value.slice(0, comment).trimEnd();
  return quote === '"' ? inner.replaceAll('\\n', '\n') : inner;
}
