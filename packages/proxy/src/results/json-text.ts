import { isRecord, JSON_TEXT_LIMITS, jsonTextProblem } from '@a2c/protocol';

/** Characters and values of the texts of one result that are parsed: more would block the event loop for too long. */
const MAX_CHARACTERS = 2 * 1024 * 1024;
const MAX_VALUES = 50_000;
const CHARACTERS_PER_VALUE = 4;
/** Data that nests deeper cannot be written again by recursive functions. */
const MAX_DEPTH = 200;

/**
 * Bounds the JSON that is parsed, compared and written for one result, all its texts together: parsing, scanning and
 * writing as TOON take a few microseconds for each value. What does not fit stays a text.
 */
export class ParseBudget {
  #characters = MAX_CHARACTERS;
  #values: number;

  constructor(values = MAX_VALUES) {
    this.#values = values;
  }

  /** Whether the text may be parsed. */
  allows(json: string): boolean {
    if (json.length > this.#characters) return false;
    return jsonTextProblem(json, { values: this.#values, keys: JSON_TEXT_LIMITS.keys, depth: MAX_DEPTH }) === undefined;
  }

  spend(characters: number, values: number): void {
    this.#characters -= characters;
    this.#values -= values;
  }
}

/** A text that is a serialised object or array. */
export interface JsonText {
  readonly text: string;
  readonly data: object;
  /** The length of the data as compact JSON. */
  readonly compactLength: number;
}

/** Whether a text begins like a JSON object or array, and is not too long to be parsed. */
export function mayBeJson(text: string): boolean {
  return text.length <= MAX_CHARACTERS && /^\s*[[{]/.test(text);
}

/**
 * Parses a text that is nothing but a JSON object or array, if no information is lost: a number with more digits than a
 * double holds and a repeated key return undefined. White space, escapes and notations of the same number (`1.0` and
 * `1`) are no loss.
 */
export function parseJsonText(text: string, budget: ParseBudget): JsonText | undefined {
  if (!mayBeJson(text) || !budget.allows(text)) return undefined;
  // For a text that turns out to be no JSON; real data has fewer values.
  budget.spend(text.length, text.length / CHARACTERS_PER_VALUE);
  try {
    const data = JSON.parse(text) as object;
    const tokens = scan(text);
    if (tokens) budget.spend(0, tokens.values - text.length / CHARACTERS_PER_VALUE);
    // Of a repeated key only the last one is in the data.
    return tokens && tokens.strings === countStrings(data)
      ? { text, data, compactLength: tokens.compactLength }
      : undefined;
  } catch {
    return undefined; // not JSON
  }
}

/** The data as compact JSON. A text that is compact already is not written again. */
export function compactJson({ text, data, compactLength }: JsonText): string {
  return text.length === compactLength && text !== '' ? text : JSON.stringify(data);
}

interface Tokens {
  /** The length with every token as `JSON.stringify` writes it and without white space. */
  readonly compactLength: number;
  /** The number of strings, keys included. */
  readonly strings: number;
  /** At least the number of values. */
  readonly values: number;
}

/** Scans valid JSON. Returns undefined if a number loses digits when parsed. */
function scan(json: string): Tokens | undefined {
  let compactLength = 0;
  let strings = 0;
  let values = 1;
  for (let at = 0; at < json.length; ) {
    const code = json.charCodeAt(at);
    if (code === QUOTE) {
      const end = endOfString(json, at);
      const token = json.slice(at, end);
      compactLength += /\\[u/]/.test(token) ? JSON.stringify(JSON.parse(token)).length : token.length;
      strings++;
      at = end;
    } else if (code === MINUS || (code >= DIGIT_0 && code <= DIGIT_9)) {
      NUMBER.lastIndex = at;
      const token = NUMBER.exec(json)?.[0] ?? '';
      const written = String(Number(token));
      if (written !== token && decimal(written) !== decimal(token)) return undefined;
      compactLength += written.length;
      at += token.length;
    } else {
      if (code > SPACE) compactLength++;
      if (code === COMMA || code === OPEN_ARRAY || code === OPEN_OBJECT) values++;
      at++;
    }
  }
  return { compactLength, strings, values };
}

function countStrings(data: object): number {
  let strings = 0;
  const pending: unknown[] = [data];
  while (pending.length > 0) {
    const value = pending.pop();
    if (typeof value === 'string') strings++;
    else if (Array.isArray(value)) for (const item of value) pending.push(item);
    else if (isRecord(value)) {
      for (const key in value) {
        strings++;
        pending.push(value[key]);
      }
    }
  }
  return strings;
}

const [QUOTE, BACKSLASH, MINUS, DIGIT_0, DIGIT_9, SPACE] = [0x22, 0x5c, 0x2d, 0x30, 0x39, 0x20];
const [COMMA, OPEN_ARRAY, OPEN_OBJECT] = [0x2c, 0x5b, 0x7b];
const NUMBER = /-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
const PARTS = /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/;

/** The index after the closing quote of the string that starts at `start`. */
function endOfString(json: string, start: number): number {
  for (let end = json.indexOf('"', start + 1); ; end = json.indexOf('"', end + 1)) {
    let backslashes = 0;
    while (json.charCodeAt(end - 1 - backslashes) === BACKSLASH) backslashes++;
    if (backslashes % 2 === 0) return end + 1;
  }
}

/** Sign, significant digits and exponent: the same for all notations of one number. */
function decimal(number: string): string {
  const [, sign = '', whole = '', fraction = '', exponent = '0'] = PARTS.exec(number) ?? [];
  const digits = `${whole}${fraction}`.replace(/^0+/, '');
  const significant = withoutTrailingZeros(digits);
  const power = Number(exponent) - fraction.length + digits.length - significant.length;
  return `${sign}${significant}e${significant === '' ? 0 : power}`;
}

/** A regular expression would begin again at every zero: a number may have a million digits. */
function withoutTrailingZeros(digits: string): string {
  let end = digits.length;
  while (digits.charCodeAt(end - 1) === DIGIT_0) end--;
  return digits.slice(0, end);
}

/** Compares two JSON values; the order of keys does not matter. */
export function equalJson(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (Array.isArray(a)) {
    return Array.isArray(b) && a.length === b.length && a.every((item, index) => equalJson(item, b[index]));
  }
  if (!isRecord(a) || !isRecord(b)) return false;
  const keys = Object.keys(a);
  return (
    keys.length === Object.keys(b).length && keys.every((key) => Object.hasOwn(b, key) && equalJson(a[key], b[key]))
  );
}

/**
 * Whether a value has more than `limit` characters as compact JSON. Counts without writing it; escapes are not counted.
 */
export function isLongerThan(limit: number, value: unknown): boolean {
  let length = 0;
  const pending = [value];
  for (let next = pending.pop(); next !== undefined && length <= limit; next = pending.pop()) {
    if (Array.isArray(next)) {
      length += next.length + 1;
      for (const item of next.slice(0, limit)) pending.push(item ?? null);
    } else if (isRecord(next)) {
      length += 1;
      for (const [key, member] of Object.entries(next)) {
        length += key.length + 4;
        pending.push(member ?? null);
      }
    } else length += typeof next === 'string' ? next.length + 2 : String(next).length;
  }
  return length > limit;
}
