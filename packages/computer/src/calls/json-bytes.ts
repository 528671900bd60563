/** Results are weighed when they are remembered and again when they are sent; a large one need not be written out twice. */
const known = new WeakMap<object, number>();

/** What a value takes as JSON, in bytes. The value must not change afterwards. */
export function jsonBytes(value: object): number {
  const bytes = known.get(value) ?? Buffer.byteLength(JSON.stringify(value));
  known.set(value, bytes);
  return bytes;
}
