/** A JSON value with its position in the text, so that errors can name a line. `JSON.parse` does not keep positions. */
export type JsonNode = JsonObjectNode | JsonArrayNode | JsonScalarNode;

interface Span {
  readonly start: number;
  readonly end: number;
}

export interface JsonMember {
  readonly key: string;
  readonly keyStart: number;
  readonly value: JsonNode;
}

export interface JsonObjectNode extends Span {
  readonly kind: 'object';
  readonly members: readonly JsonMember[];
}

export interface JsonArrayNode extends Span {
  readonly kind: 'array';
  readonly items: readonly JsonNode[];
}

export interface JsonScalarNode extends Span {
  readonly kind: 'scalar';
  readonly value: string | number | boolean | null;
}

export interface ParsedJson {
  readonly root: JsonNode;
  /** The offset of the first comment or trailing comma; undefined for plain JSON. */
  readonly extensionOffset: number | undefined;
}

/** The text is not JSON. The message does not quote the text, which may contain secrets. */
export class JsonSyntaxError extends Error {
  override readonly name = 'JsonSyntaxError';
  readonly offset: number;
  constructor(offset: number, message: string) {
    super(message);
    this.offset = offset;
  }
}

/** Deeper than any real configuration, and far below the depth that would overflow the stack. */
export const MAX_JSON_DEPTH = 100;

const SPACE = /[ \t\r\n]*/y;
const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
const WORD = /[A-Za-z]+/y;
const ESCAPE = /\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})/y;

const WORDS = new Map<string, boolean | null>([
  ['true', true],
  ['false', false],
  ['null', null],
]);

/**
 * Parses JSON with comments and trailing commas, and reports where the first of these is: each format decides whether
 * it permits them.
 *
 * @throws JsonSyntaxError with the offset of the error.
 */
export function parseJson(text: string): ParsedJson {
  let at = 0;
  let extensionOffset: number | undefined;

  function match(pattern: RegExp): string {
    pattern.lastIndex = at;
    const found = pattern.exec(text)?.[0] ?? '';
    at += found.length;
    return found;
  }

  function skipBlanks(): void {
    for (;;) {
      match(SPACE);
      const opening = text.slice(at, at + 2);
      if (opening !== '//' && opening !== '/*') return;
      extensionOffset ??= at;
      const close = opening === '//' ? text.indexOf('\n', at) : text.indexOf('*/', at + 2);
      if (close < 0 && opening === '/*') throw new JsonSyntaxError(at, 'this comment is never closed');
      at = close < 0 ? text.length : close + (opening === '/*' ? 2 : 1);
    }
  }

  function string(): string {
    const start = at;
    at += 1;
    while (at < text.length && text[at] !== '"') {
      if (text.charCodeAt(at) < 0x20) throw new JsonSyntaxError(at, 'a line break or control character in a string');
      if (text[at] !== '\\') at += 1;
      else if (match(ESCAPE) === '') throw new JsonSyntaxError(at, 'a bad escape in a string');
    }
    if (at >= text.length) throw new JsonSyntaxError(start, 'this string is never closed');
    at += 1;
    return JSON.parse(text.slice(start, at)) as string;
  }

  /** Reads the comma or the closing bracket after an element. True when another element follows. */
  function another(close: '}' | ']'): boolean {
    skipBlanks();
    if (text[at] === ',') {
      const comma = at;
      at += 1;
      skipBlanks();
      if (text[at] !== close) return true;
      extensionOffset ??= comma;
    }
    if (text[at] !== close) throw new JsonSyntaxError(at, `expected "," or "${close}"`);
    at += 1;
    return false;
  }

  function object(start: number, depth: number): JsonObjectNode {
    const members: JsonMember[] = [];
    at += 1;
    skipBlanks();
    let more = text[at] !== '}';
    if (!more) at += 1;
    while (more) {
      if (text[at] !== '"') throw new JsonSyntaxError(at, 'expected a key in double quotes');
      const keyStart = at;
      const key = string();
      skipBlanks();
      if (text[at] !== ':') throw new JsonSyntaxError(at, 'expected ":" after the key');
      at += 1;
      members.push({ key, keyStart, value: value(depth + 1) });
      more = another('}');
    }
    return { kind: 'object', members, start, end: at };
  }

  function array(start: number, depth: number): JsonArrayNode {
    const items: JsonNode[] = [];
    at += 1;
    skipBlanks();
    let more = text[at] !== ']';
    if (!more) at += 1;
    while (more) {
      items.push(value(depth + 1));
      more = another(']');
    }
    return { kind: 'array', items, start, end: at };
  }

  function scalar(start: number): JsonScalarNode {
    if (text[at] === '"') return { kind: 'scalar', value: string(), start, end: at };
    const number = match(NUMBER);
    if (number !== '') return { kind: 'scalar', value: Number(number), start, end: at };
    const known = WORDS.get(match(WORD));
    if (known === undefined) {
      throw new JsonSyntaxError(start, start >= text.length ? 'the file ends too early' : 'expected a JSON value');
    }
    return { kind: 'scalar', value: known, start, end: at };
  }

  function value(depth: number): JsonNode {
    skipBlanks();
    if (depth > MAX_JSON_DEPTH) throw new JsonSyntaxError(at, `nested deeper than ${MAX_JSON_DEPTH} levels`);
    if (text[at] === '{') return object(at, depth);
    if (text[at] === '[') return array(at, depth);
    return scalar(at);
  }

  const root = value(0);
  skipBlanks();
  if (at < text.length) throw new JsonSyntaxError(at, 'expected the end of the file');
  return { root, extensionOffset };
}
