import { randomUUID } from 'node:crypto';
import { VrlInputError } from './errors.js';

/** What a script gives back. An integer beyond ±(2^53 - 1) is a bigint, because a number would change it. */
export type VrlValue = null | boolean | number | bigint | string | readonly VrlValue[] | VrlObject;

export interface VrlObject {
  readonly [key: string]: VrlValue;
}

/**
 * An event as JSON text. Everything follows JSON.stringify, except that bigints are written as integers. Only objects are
 * events: VRL's type checker takes that for granted.
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

/** JSON text of what a script gave back. JSON.stringify alone refuses bigints; here they are written as integers. */
export function toJson(value: VrlValue): string {
  return stringify(value) as string;
}

function stringify(value: unknown): string | undefined {
  try {
    return JSON.stringify(value);
  } catch (error) {
    // A replacer makes every value five times slower, so only a value that fails without one gets it.
    if (!(error instanceof TypeError)) throw error;
    return stringifyWithBigints(value);
  }
}

/** JSON.stringify cannot write bare digits, so each bigint passes as a string with a mark nobody can guess. */
function stringifyWithBigints(value: unknown): string | undefined {
  const mark = randomUUID();
  const marked = JSON.stringify(value, (_key, part) => (typeof part === 'bigint' ? `${mark}${part}` : part));
  return marked?.replaceAll(new RegExp(`"${mark}(-?\\d+)"`, 'g'), '$1');
}

/** JavaScript strings may hold half a surrogate pair, UTF-8 may not: it becomes U+FFFD, as in every text encoder. */
function withoutLoneSurrogates(json: string): string {
  return json.replaceAll(/\\\\|\\ud[89a-f][0-9a-f]{2}/g, (found) => (found === '\\\\' ? found : '\\ufffd'));
}

/** Reads what `crate/src/output.rs` wrote: any number of values, and where their wide integers are. */
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
  // An assignment to a field named __proto__ would not make a field.
  Object.defineProperty(holder, path.at(-1) as string | number, { value });
}
