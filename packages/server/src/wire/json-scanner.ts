import { JSON_TEXT_LIMITS, REQUEST_TEXT_LIMITS } from '@a2c/protocol';

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const COLON = 0x3a;
const MINUS = 0x2d;
const PLUS = 0x2b;
const POINT = 0x2e;
const ZERO = 0x30;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;
const OPEN_ARRAY = 0x5b;
const CLOSE_ARRAY = 0x5d;

/** A table of 256 flags, one per byte. */
function flags(matches: (byte: number) => boolean): Uint8Array {
  return Uint8Array.from({ length: 256 }, (_, byte) => (matches(byte) ? 1 : 0));
}

const bytesOf = (text: string) => flags((byte) => text.includes(String.fromCharCode(byte)));
/** Bytes that stand for themselves in a string. Multi-byte characters are checked by the WebSocket layer. */
const PLAIN = flags((byte) => byte >= 0x20 && byte !== QUOTE && byte !== BACKSLASH);
const ESCAPED = bytesOf('"\\/bfnrt');
const HEX = bytesOf('0123456789abcdefABCDEF');
const SPACE = bytesOf(' \t\n\r');
const DIGIT = bytesOf('0123456789');

/** After so many bytes of a string, it is worth the while to look at four at a time. */
const LONG_STRING_BYTES = 256;

/** The text is not JSON. */
export class JsonSyntaxError extends Error {
  readonly problem: string;
  /** The offset in bytes. */
  readonly at: number;

  constructor(problem: string, at: number) {
    super(`${problem} at byte ${at}`);
    this.problem = problem;
    this.at = at;
  }
}

/** The text nests too deeply, or has too many values or keys. It may be JSON. */
export class JsonLimitError extends Error {}

/** Decoding more would block the peer that receives the packet. */
const { keys: KEYS } = JSON_TEXT_LIMITS;

/** Most fields that {@link ArrayScanner} records. No payload of the protocol comes close. */
const MAX_FIELDS = 200;

/**
 * Validates a JSON array in UTF-8 without creating its values, in linear time. Records where its first two elements
 * are, and the fields of the second one: of an event, the name and the payload. `run` can be called again and again, so
 * that a large array does not block the event loop.
 */
export class ArrayScanner {
  /** The start and the end of the first two elements. */
  readonly elements: number[] = [];
  /** For each field of the second element: start and end of its key with quotes, start and end of its value. */
  readonly fields: number[] = [];
  /** The deepest nesting so far. */
  depth = 0;
  readonly #bytes: Uint8Array;
  readonly #maxDepth: number;
  readonly #recordsFields: boolean;
  readonly #maxValues: number;
  /** The closing byte of each open array and object. */
  readonly #open: number[] = [];
  /** The number of keys of the open object at each level. */
  readonly #keys: number[] = [];
  #values = 0;
  #at: number;
  #count = 0;

  /** @param isEvent The fields of its payload are recorded, and it may have fewer values than an acknowledgement. */
  constructor(bytes: Uint8Array, at: number, maxDepth: number, isEvent: boolean) {
    this.#bytes = bytes;
    this.#at = at;
    this.#maxDepth = maxDepth;
    this.#recordsFields = isEvent;
    this.#maxValues = (isEvent ? REQUEST_TEXT_LIMITS : JSON_TEXT_LIMITS).values;
    if (bytes[at] !== OPEN_ARRAY) throw new JsonSyntaxError('expected an array', at);
  }

  /** The number of elements, after the end was reached. */
  get count(): number {
    return this.#count;
  }

  /**
   * Continues for about this many bytes.
   *
   * @returns true when the array is complete and nothing follows it
   * @throws JsonSyntaxError or JsonLimitError
   */
  run(budget: number): boolean {
    const bytes = this.#bytes;
    const open = this.#open;
    const stop = this.#at + budget;
    let at = this.#at;
    for (;;) {
      if (at >= stop) {
        this.#at = at;
        return false;
      }
      if (++this.#values > this.#maxValues) throw new JsonLimitError(`has more than ${this.#maxValues} values`);
      at = skipSpace(bytes, at);
      if (open.length === 1) this.#startElement(at);
      const byte = bytes[at];
      if (byte === QUOTE) at = endOfString(bytes, at);
      else if (byte === OPEN_OBJECT || byte === OPEN_ARRAY) {
        const close = byte === OPEN_OBJECT ? CLOSE_OBJECT : CLOSE_ARRAY;
        if (open.push(close) > this.depth) this.#deeper(open.length);
        at = skipSpace(bytes, at + 1);
        if (bytes[at] !== close) {
          if (close === CLOSE_OBJECT) {
            this.#keys[open.length] = 0;
            at = this.#key(at);
          }
          continue;
        }
        open.pop();
        at++;
      } else at = endOfScalar(bytes, at);
      for (;;) {
        const { length } = open;
        if (length <= 2) this.#endValue(length, at);
        if (length === 0) return this.#finish(at);
        at = skipSpace(bytes, at);
        const next = bytes[at];
        const close = open[length - 1];
        if (next === COMMA) {
          at++;
          if (close === CLOSE_OBJECT) at = this.#key(skipSpace(bytes, at));
          break;
        }
        if (next !== close) throw new JsonSyntaxError('unexpected text', at);
        open.pop();
        at++;
      }
    }
  }

  #deeper(depth: number): void {
    if (depth > this.#maxDepth) throw new JsonLimitError(`nests deeper than ${this.#maxDepth} levels`);
    this.depth = depth;
  }

  #startElement(at: number): void {
    if (this.#count < 2) this.elements.push(at);
  }

  /** A value has ended; `depth` arrays and objects around it are open. */
  #endValue(depth: number, at: number): void {
    if (depth === 1) {
      if (this.#count < 2) this.elements.push(at);
      this.#count++;
    } else if (depth === 2 && this.#isField()) this.fields.push(at);
  }

  #isField(): boolean {
    return this.#recordsFields && this.#count === 1 && this.#open.length === 2 && this.#open[1] === CLOSE_OBJECT;
  }

  #finish(at: number): boolean {
    const end = skipSpace(this.#bytes, at);
    if (end !== this.#bytes.length) throw new JsonSyntaxError('unexpected text after the array', end);
    return true;
  }

  /** Returns the start of the value. */
  #key(at: number): number {
    const bytes = this.#bytes;
    if (bytes[at] !== QUOTE) throw new JsonSyntaxError('expected a key', at);
    const level = this.#open.length;
    this.#keys[level] = (this.#keys[level] as number) + 1;
    if ((this.#keys[level] as number) > KEYS) throw new JsonLimitError(`has an object with more than ${KEYS} keys`);
    const end = endOfString(bytes, at);
    const colon = skipSpace(bytes, end);
    if (bytes[colon] !== COLON) throw new JsonSyntaxError('expected a colon', colon);
    const value = skipSpace(bytes, colon + 1);
    if (this.#isField()) {
      if (this.fields.length >= 4 * MAX_FIELDS) throw new JsonSyntaxError('too many fields', at);
      this.fields.push(at, end, value);
    }
    return value;
  }
}

function skipSpace(bytes: Uint8Array, from: number): number {
  let at = from;
  while (SPACE[bytes[at] as number] === 1) at++;
  return at;
}

/** Returns the end of the string that starts with the quote at `from`. */
function endOfString(bytes: Uint8Array, from: number): number {
  let at = from + 1;
  for (;;) {
    const long = at + LONG_STRING_BYTES;
    while (at < long && PLAIN[bytes[at] as number] === 1) at++;
    if (at === long) at = skipPlainWords(bytes, at);
    while (PLAIN[bytes[at] as number] === 1) at++;
    if (bytes[at] === QUOTE) return at + 1;
    if (bytes[at] !== BACKSLASH) throw new JsonSyntaxError('unfinished string', at);
    if (ESCAPED[bytes[at + 1] as number] === 1) at += 2;
    else if (isUnicodeEscape(bytes, at)) at += 6;
    else throw new JsonSyntaxError('unknown escape', at);
  }
}

/** Skips four bytes at a time. Returns where one may not be plain, or where less than four bytes are left. */
function skipPlainWords(bytes: Uint8Array, from: number): number {
  let at = from;
  while (((bytes.byteOffset + at) & 3) !== 0 && PLAIN[bytes[at] as number] === 1) at++;
  const offset = bytes.byteOffset + at;
  if ((offset & 3) !== 0) return at;
  const words = new Int32Array(bytes.buffer, offset, (bytes.length - at) >> 2);
  let i = 0;
  for (; i < words.length; i++) {
    const word = words[i] as number;
    const quote = word ^ 0x22222222;
    const backslash = word ^ 0x5c5c5c5c;
    // Sets the highest bit of a byte below 0x20, and of one that is zero after its XOR.
    const control = (word - 0x20202020) & ~word;
    const special = ((quote - 0x01010101) & ~quote) | ((backslash - 0x01010101) & ~backslash);
    if (((control | special) & 0x80808080) !== 0) break;
  }
  return at + i * 4;
}

function isUnicodeEscape(bytes: Uint8Array, at: number): boolean {
  if (bytes[at + 1] !== 0x75) return false;
  for (let i = at + 2; i < at + 6; i++) if (HEX[bytes[i] as number] !== 1) return false;
  return true;
}

const LITERALS = ['true', 'false', 'null'].map((text) => Buffer.from(text));

function endOfScalar(bytes: Uint8Array, from: number): number {
  const first = bytes[from] as number;
  if (first === MINUS || DIGIT[first] === 1) return endOfNumber(bytes, from);
  for (const literal of LITERALS) {
    let matched = 0;
    while (matched < literal.length && bytes[from + matched] === literal[matched]) matched++;
    if (matched === literal.length) return from + matched;
  }
  throw new JsonSyntaxError('expected a value', from);
}

function endOfNumber(bytes: Uint8Array, from: number): number {
  let at = bytes[from] === MINUS ? from + 1 : from;
  at = bytes[at] === ZERO ? at + 1 : endOfDigits(bytes, at);
  if (bytes[at] === POINT) at = endOfDigits(bytes, at + 1);
  if (bytes[at] === 0x65 || bytes[at] === 0x45) {
    const sign = bytes[at + 1];
    at = endOfDigits(bytes, sign === PLUS || sign === MINUS ? at + 2 : at + 1);
  }
  return at;
}

function endOfDigits(bytes: Uint8Array, from: number): number {
  let at = from;
  while (DIGIT[bytes[at] as number] === 1) at++;
  if (at === from) throw new JsonSyntaxError('expected a digit', at);
  return at;
}
