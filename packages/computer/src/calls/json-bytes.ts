import { isRecord } from '@a2c/protocol';

/** A large result is measured when it is remembered and again when it is sent: its size is noted. */
const sizes = new WeakMap<object, number>();

/** Longer strings of a result are measured in pieces of this length: their JSON would be one more copy in memory. */
const PIECE_LENGTH = 64 * 1_024;

/** The size of a value as JSON, in bytes. The value must not change afterwards. */
export function jsonBytes(value: object): number {
  const noted = sizes.get(value);
  if (noted !== undefined) return noted;
  const bytes = measure(value);
  if (bytes > PIECE_LENGTH) sizes.set(value, bytes);
  return bytes;
}

/** Notes a size that is known, so that the value is not serialised to measure it. */
export function noteBytes(value: object, bytes: number): void {
  sizes.set(value, bytes);
}

/** Whether the content of a result has a long string. */
export function hasLongText(value: object): boolean {
  const { content } = value as { readonly content?: unknown };
  return Array.isArray(content) && content.some((block) => isRecord(block) && Object.values(block).some(isLong));
}

function measure(value: object): number {
  if (!hasLongText(value)) return Buffer.byteLength(JSON.stringify(value));
  let longBytes = 0;
  const rest = JSON.stringify(value, (_key, each: unknown) => {
    if (!isLong(each)) return each;
    longBytes += bytesInQuotes(each);
    return '';
  });
  return Buffer.byteLength(rest) + longBytes;
}

function isLong(value: unknown): value is string {
  return typeof value === 'string' && value.length > PIECE_LENGTH;
}

function bytesInQuotes(text: string): number {
  let bytes = 0;
  for (let from = 0; from < text.length; ) {
    const end = from + PIECE_LENGTH;
    // A pair of surrogates has another size than its halves.
    const to = isHighSurrogate(text.charCodeAt(end - 1)) ? end - 1 : end;
    bytes += Buffer.byteLength(JSON.stringify(text.slice(from, to))) - 2;
    from = to;
  }
  return bytes;
}

function isHighSurrogate(unit: number): boolean {
  return unit >= 0xd800 && unit <= 0xdbff;
}
