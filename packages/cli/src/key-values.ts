import { UsageError } from './exit-codes.js';

/**
 * The value of `--auth`: `k:v,k2:v2`, split at the first colon of each part, or a JSON object, which a value with a comma in it
 * needs. Blank means nothing. What is given may be a secret, so no error repeats any of it.
 */
export function parseAuth(text: string): Record<string, unknown> {
  const trimmed = text.trim();
  if (/^[[{]/.test(trimmed)) return parseObject(trimmed);
  const pairs = trimmed
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '')
    .map((part): [string, string] => {
      const colon = part.indexOf(':');
      const key = part.slice(0, Math.max(0, colon)).trim();
      if (key === '') throw new UsageError(EXPECTED);
      return [key, part.slice(colon + 1).trim()];
    });
  return Object.fromEntries(pairs);
}

/** The value of `--headers`: the same, but HTTP knows texts only. */
export function parseHeaders(text: string): Record<string, string> {
  const pairs = Object.entries(parseAuth(text)).map(([key, value]): [string, string] => {
    if (typeof value !== 'string') throw new UsageError(`${EXPECTED}; the values of headers are strings`);
    return [key, value];
  });
  return Object.fromEntries(pairs);
}

const EXPECTED = 'expected key:value pairs, separated by commas, or a JSON object';

function parseObject(text: string): Record<string, unknown> {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new UsageError(`${EXPECTED}; this is neither`); // the parser's own words would quote it
  }
  if (Array.isArray(value)) throw new UsageError(`${EXPECTED}, not an array`);
  return value as Record<string, unknown>;
}
