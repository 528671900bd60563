/** The id and the kind of a JSON-RPC message, without its contents. */
export interface Envelope {
  readonly id: string | number | undefined;
  /** True for a request or a notification, false for an answer. */
  readonly hasMethod: boolean;
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const COLON = 0x3a;
const [OPEN_OBJECT, OPEN_ARRAY, CLOSE_OBJECT, CLOSE_ARRAY] = [0x7b, 0x5b, 0x7d, 0x5d];
const BLANKS = [0x20, 0x09, 0x0a, 0x0d];

/** The bytes outside of strings that mean something, besides those of an id. A message may have millions of others. */
const SYNTAX = new Uint8Array(256);
for (const byte of [QUOTE, COMMA, COLON, OPEN_OBJECT, OPEN_ARRAY, CLOSE_OBJECT, CLOSE_ARRAY]) SYNTAX[byte] = 1;

/** The ids that the client sends are shorter. */
const MAX_ID_BYTES = 256;

/**
 * Finds the `id` of a JSON object in a byte stream, in constant memory, so that a message over the size limit can fail
 * the request it answers. Bytes before the first brace are skipped; the JSON is not validated.
 */
export class EnvelopeScanner {
  #depth = 0;
  #inString = false;
  #escaped = false;
  /** At the top level: true before a key, false before its value. */
  #expectsKey = false;
  /** The string or number that is being read at the top level; undefined if it is not needed. */
  #token: number[] | undefined;
  #key = '';
  #id: string | number | undefined;
  #hasMethod = false;

  readonly #toAscii: (bytes: Buffer) => Buffer;

  /** `toAscii` converts bytes of another encoding so that ASCII characters are single ASCII bytes. */
  constructor(toAscii: (bytes: Buffer) => Buffer = (bytes) => bytes) {
    this.#toAscii = toAscii;
  }

  /** Reads the next bytes of the message. */
  push(bytes: Buffer): this {
    const ascii = this.#toAscii(bytes);
    let quote = -1;
    let backslash = -1;
    for (let at = 0; at < ascii.length; at += 1) {
      if (this.#inString && !this.#escaped && !this.#token) {
        // Skip to the end of the string: strings are most of a large message.
        if (quote < at) quote = indexOrEnd(ascii, QUOTE, at);
        if (backslash < at) backslash = indexOrEnd(ascii, BACKSLASH, at);
        at = Math.min(quote, backslash);
        if (at === ascii.length) break;
      }
      if (!this.#inString && this.#key !== 'id') {
        while (at < ascii.length && SYNTAX[ascii[at] as number] === 0) at += 1;
        if (at === ascii.length) break;
      }
      const byte = ascii[at] as number;
      if (this.#inString) this.#inText(byte);
      else this.#between(byte);
    }
    return this;
  }

  /** What was found so far. */
  envelope(): Envelope {
    return { id: this.#id, hasMethod: this.#hasMethod };
  }

  #inText(byte: number): void {
    this.#keep(byte);
    if (this.#escaped) this.#escaped = false;
    else if (byte === BACKSLASH) this.#escaped = true;
    else if (byte === QUOTE) {
      this.#inString = false;
      this.#endToken();
    }
  }

  #between(byte: number): void {
    if (byte === QUOTE) {
      this.#inString = true;
      if (this.#depth === 1 && (this.#expectsKey || this.#key === 'id')) this.#token = [byte];
    } else if (byte === OPEN_OBJECT || byte === OPEN_ARRAY) {
      if (this.#depth === 0 && byte !== OPEN_OBJECT) return;
      this.#depth += 1;
      this.#expectsKey = this.#depth === 1;
    } else if (byte === CLOSE_OBJECT || byte === CLOSE_ARRAY) {
      this.#endToken();
      this.#depth = Math.max(0, this.#depth - 1);
    } else if (this.#depth === 1) this.#onTopLevel(byte);
  }

  #onTopLevel(byte: number): void {
    if (byte === COMMA) {
      this.#endToken();
      this.#expectsKey = true;
      this.#key = '';
    } else if (byte === COLON) this.#expectsKey = false;
    else if (BLANKS.includes(byte)) this.#endToken();
    else if (!this.#expectsKey && this.#key === 'id') {
      this.#token ??= [];
      this.#keep(byte);
    }
  }

  #keep(byte: number): void {
    if (this.#token && this.#token.length <= MAX_ID_BYTES) this.#token.push(byte);
  }

  #endToken(): void {
    const token = this.#token;
    this.#token = undefined;
    if (!token || token.length === 0 || token.length > MAX_ID_BYTES) return;
    const value = parsed(Buffer.from(token).toString());
    if (this.#expectsKey) {
      this.#key = typeof value === 'string' ? value : '';
      if (this.#key === 'method') this.#hasMethod = true;
    } else if (typeof value === 'string' || typeof value === 'number') this.#id = value;
  }
}

function indexOrEnd(bytes: Buffer, byte: number, from: number): number {
  const index = bytes.indexOf(byte, from);
  return index < 0 ? bytes.length : index;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined; // Not JSON: not an id that the client sent.
  }
}
