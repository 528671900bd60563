import { UsageError } from '../exit-codes.js';

/**
 * `k:v,k2:v2`, split at the first colon of each part, or a JSON object. Blank means nothing. A value with a comma in it needs
 * the JSON form.
 */
export function parseKeyValues(text: string): Record<string, string> {
  const trimmed = text.trim();
  const json = parseJson(trimmed);
  if (json !== undefined) {
    if (typeof json !== 'object' || json === null || Array.isArray(json))
      throw new UsageError(`expected a JSON object or key:value pairs, got other JSON`);
    return Object.fromEntries(Object.entries(json).map(([key, value]) => [key, String(value)]));
  }
  const pairs = trimmed
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '')
    .map((part): [string, string] => {
      const colon = part.indexOf(':');
      const key = part.slice(0, Math.max(0, colon)).trim();
      // The part itself may be a secret, so only its place is told.
      if (key === '') throw new UsageError('expected key:value pairs, separated by commas');
      return [key, part.slice(colon + 1).trim()];
    });
  return Object.fromEntries(pairs);
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined; // then it is the other form
  }
}
