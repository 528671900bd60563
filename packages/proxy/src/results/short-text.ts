import { encode } from '@toon-format/toon';
import { estimateTokens } from '../catalogue/estimate-tokens.js';
import { compactJson, type JsonText } from './json-text.js';

/**
 * TOON is chosen below these shares of the length and of the estimated tokens of compact JSON. Line breaks and
 * indentation cost tokens, so that a text that is little shorter may cost more. The tests compare the choice with a
 * real tokenizer.
 */
const MAX_LENGTH_SHARE = 0.93;
const MAX_TOKEN_SHARE = 0.9;
/** Below this share of the length TOON always costs less; tokens need not be estimated. */
const SURELY_SHORTER = 0.6;
/** The tokens of longer texts are not estimated, because that would delay the result. */
const MAX_ESTIMATED = 100_000;
const MAX_SHARE_OF_LONG = 0.75;

/** Data as a text for a model. */
export interface ShortText {
  readonly text: string;
  readonly isToon: boolean;
}

/** TOON or compact JSON, whichever costs fewer tokens. Never longer than compact JSON. */
export function shortText(parsed: JsonText, toonMinSize: number): ShortText {
  const { data, compactLength } = parsed;
  const isToonPossible = sizeOf(data) >= toonMinSize && !indentsMoreThan(compactLength, data);
  const toon = isToonPossible ? encodeToon(data) : undefined;
  const share = toon === undefined ? 1 : toon.length / compactLength;
  if (toon === undefined || share >= MAX_LENGTH_SHARE) return { text: compactJson(parsed), isToon: false };
  if (share < SURELY_SHORTER) return { text: toon, isToon: true };
  const json = compactJson(parsed);
  const isToon =
    compactLength > MAX_ESTIMATED
      ? share < MAX_SHARE_OF_LONG
      : estimateTokens(toon) < MAX_TOKEN_SHARE * estimateTokens(json);
  return { text: isToon ? toon : json, isToon };
}

const sizeOf = (data: object): number => (Array.isArray(data) ? data.length : Object.keys(data).length);

/**
 * Whether the indentation of TOON alone is longer than `limit`: the key or item of every object and array has a line.
 * Found without encoding, because deep data would become megabytes of blanks.
 */
export function indentsMoreThan(limit: number, data: object): boolean {
  let blanks = 0;
  let level: readonly object[] = [data];
  for (let depth = 0; level.length > 0 && blanks <= limit; depth++) {
    blanks += level.length * 2 * Math.max(0, depth - 1);
    level = level.flatMap((each) => Object.values(each).filter((child) => typeof child === 'object' && child !== null));
  }
  return blanks > limit;
}

/** Undefined for the rare JSON that TOON cannot express, such as a lone surrogate. */
function encodeToon(data: object): string | undefined {
  try {
    return encode(data);
  } catch {
    return undefined;
  }
}
