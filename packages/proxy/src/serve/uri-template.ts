/** Longer templates, and those with more expressions, match no URI. */
const MAX_LENGTH = 2_000;
const MAX_EXPRESSIONS = 20;

/** A URI template (RFC 6570) that is parsed once and compared with many URIs. */
export interface UriTemplate {
  /** The texts before, between and after the expressions. */
  readonly literals: readonly string[];
  /** How many characters each expression stands for at least. */
  readonly minimums: readonly number[];
  /** The length of the shortest URI that matches. */
  readonly shortest: number;
  /** Its URIs have a fixed scheme. Otherwise it fits URIs of every kind. */
  readonly hasScheme: boolean;
}

/**
 * Reads a template. Generous: `{x}` stands for one or more characters, and an expression with an operator, such as
 * `{+x}` or `{?x}`, for any characters or none. Undefined if it is too long to be compared with URIs.
 */
export function parseTemplate(template: string): UriTemplate | undefined {
  if (template.length > MAX_LENGTH) return undefined;
  const parts = template.split(/\{([^{}]*)\}/); // Literals at even positions, expressions between them.
  const literals = parts.filter((_, index) => index % 2 === 0);
  const minimums = parts.filter((_, index) => index % 2 === 1).map((expression) => (/^\w/.test(expression) ? 1 : 0));
  if (minimums.length > MAX_EXPRESSIONS) return undefined;
  const shortest = [...literals.map(({ length }) => length), ...minimums].reduce((sum, length) => sum + length, 0);
  return { literals, minimums, shortest, hasScheme: /^[^{]*:/.test(template) };
}

/** Whether a URI can be an instance of a template. The end of a very long URI is not compared. */
export function matchesTemplate({ literals, minimums, shortest }: UriTemplate, uri: string): boolean {
  const [first = ''] = literals;
  if (uri.length < shortest || !uri.startsWith(first)) return false;
  if (minimums.length === 0) return uri.length === first.length;
  if (uri.length > MAX_LENGTH) return true;
  let position = first.length;
  for (const [index, minimum] of minimums.entries()) {
    const literal = literals[index + 1] ?? '';
    const from = position + minimum;
    const isLast = index === minimums.length - 1;
    const found = isLast ? uri.length - literal.length : uri.indexOf(literal, from);
    if (found < from || !uri.startsWith(literal, found)) return false;
    position = found + literal.length;
  }
  return true;
}
