const LINE = /^\s*(?:export\s+)?([A-Za-z_][A-Za-z0-9_.-]*)\s*=\s*(.*?)\s*$/;

/** `KEY=value` lines. `#` begins a comment line; quotes around a value are taken off, and `"\n"` is a line break in double ones. */
export function parseEnvFile(text: string): Record<string, string> {
  const entries: [string, string][] = [];
  for (const [index, line] of text.split(/\r?\n/).entries()) {
    if (/^\s*(#|$)/.test(line)) continue;
    const [, key, value] = LINE.exec(line) ?? [];
    // The line itself may be a secret and is not repeated.
    if (key === undefined || value === undefined) throw new SyntaxError(`line ${index + 1} is not KEY=value`);
    entries.push([key, unquote(value)]);
  }
  return Object.fromEntries(entries);
}

function unquote(value: string): string {
  const [, quote, inner] = /^(["'])(.*)\1$/s.exec(value) ?? [];
  if (quote === undefined || inner === undefined) return value.replace(/\s+#.*$/, '');
  return quote === '"' ? inner.replaceAll('\\n', '\n') : inner;
}
