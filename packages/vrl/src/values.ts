import { randomUUID } from 'node:crypto';
import { VrlInputError } from './errors.js';

/** A value that a script returns. An integer beyond ±(2^53 - 1) is a bigint, because a number cannot represent it. */
export type VrlValue = null | boolean | number | bigint | string | readonly VrlValue[] | VrlObject;

/** An object that a script returns. */
export interface VrlObject {
  readonly [key: string]: VrlValue;
}

/**
 * Writes an event as JSON text, as JSON.stringify does, with bigints as integers. An event must be an object, because
 * the type checker of VRL assumes it.
 */
export function eventToJson(event: unknown): string {
  let text: string | undefined;
  try {
    text = stringify(event);
  } catch (cause) {
    throw new VrlInputError(`the event cannot be written as JSON: ${String(cause)}`, { cause });
  }
  if (!text?.startsWith('{')) {
    throw new VrlInputError(`the event must be an object, but it is ${text?.slice(0, 40) ?? typeof event}`);
  }
  return text.includes('\\ud') ? withoutLoneSurrogates(text) : text;
}

/** Writes a value that a script returned as JSON text, with bigints as integers. JSON.stringify rejects bigints. */
export function toJson(value: VrlValue): string {
  return stringify(value) as string;
}

function stringify(value: unknown): string | undefined {
  try {
    return JSON.stringify(value);
  } catch (error) {
    // A replacer is five times slower, so it is used only for values that fail without it.
    if (!(error instanceof TypeError)) throw error;
    return stringifyWithBigints(value);
  }
}

/** Each bigint is written as a string with a random mark, which is then removed together with the quotes. */
function stringifyWithBigints(value: unknown): string | undefined {
  const mark = randomUUID();
  const marked = JSON.stringify(value, (_key, part) => (typeof part === 'bigint' ? `${mark}${part}` : part));
  return marked?.replaceAll(new RegExp(`"${mark}(-?\\d+)"`, 'g'), '$1');
}

/** Replaces lone surrogates, which UTF-8 cannot represent, by U+FFFD, as a text encoder does. */
function withoutLoneSurrogates(json: string): string {
  return json.replaceAll(/\\\\|\\ud[89a-f][0-9a-f]{2}/g, (found) => (found === '\\\\' ? found : '\\ufffd'));
}

/** Reads the output of `crate/src/output.rs`: a list of values, and the paths of integers that need a bigint. */
export function valuesFromJson(text: string): readonly VrlValue[] {
  const { value, wide = [] } = JSON.parse(text) as EncodedValues;
  for (const [path, digits] of wide) setAt(value, path, BigInt(digits));
  return value;
}

interface EncodedValues {
  readonly value: VrlValue[];
  readonly wide?: readonly (readonly [path: readonly (string | number)[], digits: string])[];
}

function setAt(root: VrlValue[], path: readonly (string | number)[], value: bigint): void {
  let holder = root as unknown as Record<string | number, unknown>;
  for (const segment of path.slice(0, -1)) holder = holder[segment] as Record<string | number, unknown>;
  // An assignment to `__proto__` would set the prototype instead of a field.
  Object.defineProperty(holder, path.at(-1) as string | number, { value });
}
