/** A result is measured when it is remembered and again when it is sent; large ones should be serialised only once. */
const sizes = new WeakMap<object, number>();

/** The size of a value as JSON, in bytes. The value must not change afterwards. */
export function jsonBytes(value: object): number {
  const bytes = sizes.get(value) ?? Buffer.byteLength(JSON.stringify(value));
  sizes.set(value, bytes);
  return bytes;
}
