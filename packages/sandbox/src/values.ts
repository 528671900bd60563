/** A value that crosses the boundary of the sandbox. */
export type JsonValue = null | boolean | number | string | readonly JsonValue[] | { readonly [key: string]: JsonValue };

/** Reads what the code sent. A key `__proto__`, which assignment by key would turn into a prototype, is dropped. */
export function readJson(json: string): JsonValue {
  const suspicious = json.includes('"__proto__"') || /\\u005f/i.test(json);
  return JSON.parse(
    json,
    suspicious ? (key, value: unknown) => (key === '__proto__' ? undefined : value) : undefined,
  ) as JsonValue;
}

/**
 * Writes the result of a host function: JSON, with bigints as strings of digits. Undefined has no JSON and arrives as
 * undefined.
 *
 * @throws {TypeError} for cycles and whatever else JSON has no form for
 */
export function writeJson(value: unknown): string | undefined {
  // Most results hold no bigint, and a replacer makes writing several times slower.
  try {
    return JSON.stringify(value) as string | undefined;
  } catch {
    return JSON.stringify(value, (_key, part: unknown) => (typeof part === 'bigint' ? String(part) : part));
  }
}
