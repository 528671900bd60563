/**
 * JSON with positions. `JSON.parse` forgets where things stood, and an error without a line is an error nobody can act on.
 * Comments and trailing commas are read too, and the place of the first is reported, so that each format can decide
 * whether it permits them.
 */
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
  /** Where the first comment or trailing comma stands; undefined for plain JSON. */
  readonly beyondJson: number | undefined;
}

/** The text is not JSON. The message never quotes the text, which may hold secrets. */
export class JsonSyntaxError extends Error {
  override readonly name = 'JsonSyntaxError';
  readonly offset: number;
  constructor(offset: number, message: string) {
    super(message);
    this.offset = offset;
  }
}

/** Far beyond any real configuration, and far below what would exhaust the stack. */
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

export function parseJson(text: string): ParsedJson {
  let at = 0;
  let beyondJson: number | undefined;

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
      beyondJson ??= at;
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

  /** The comma or the closing bracket after an element; true while more elements follow. */
  function another(close: '}' | ']'): boolean {
    skipBlanks();
    if (text[at] === ',') {
      const comma = at;
      at += 1;
      skipBlanks();
      if (text[at] !== close) return true;
      beyondJson ??= comma;
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
  return { root, beyondJson };
}
