/**
 * Whether a URI can be an instance of a URI template (RFC 6570). Generous: `{x}` stands for one or more characters, and
 * an expression with an operator, such as `{+x}` or `{?x}`, for any characters or none. Needs linear time.
 */
export function matchesTemplate(template: string, uri: string): boolean {
  const start = template.indexOf('{');
  if (start > 0 && !uri.startsWith(template.slice(0, start))) return false; // Most do, and this is fast.
  // Literals at even positions, expressions between them.
  const [first = '', ...rest] = template.split(/\{([^{}]*)\}/);
  if (rest.length === 0) return uri === template;
  if (!uri.startsWith(first)) return false;
  let position = first.length;
  for (let index = 0; index < rest.length; index += 2) {
    const [expression = '', literal = ''] = rest.slice(index, index + 2);
    const from = position + (/^\w/.test(expression) ? 1 : 0);
    const isLast = index === rest.length - 2;
    const found = isLast ? uri.length - literal.length : uri.indexOf(literal, from);
    if (found < from || !uri.startsWith(literal, found)) return false;
    position = found + literal.length;
  }
  return true;
}
