const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';
const CODES = new TextEncoder().encode(ALPHABET);
const PADDING = 61; // =
const NOT_A_DIGIT = 64;

const DIGITS = new Uint8Array(256).fill(NOT_A_DIGIT);
for (const [digit, code] of CODES.entries()) DIGITS[code] = digit;

/**
 * Decodes base64 of many megabytes; undefined when the text is not base64. Browsers have no `Buffer`, and `atob` in
 * Node searches a list for every character.
 */
export function fromBase64(text: string): Uint8Array<ArrayBuffer> | undefined {
  const length = text.endsWith('==') ? text.length - 2 : text.endsWith('=') ? text.length - 1 : text.length;
  if (length % 4 === 1) return undefined;
  const bytes = new Uint8Array(Math.floor((length * 3) / 4));
  let at = 0;
  let bits = 0;
  let buffer = 0;
  for (let i = 0; i < length; i++) {
    const code = text.charCodeAt(i);
    const digit = code < DIGITS.length ? (DIGITS[code] as number) : NOT_A_DIGIT;
    if (digit === NOT_A_DIGIT) return undefined;
    buffer = ((buffer << 6) | digit) & 0xffff;
    bits += 6;
    if (bits < 8) continue;
    bits -= 8;
    bytes[at++] = buffer >> bits;
  }
  return bytes;
}

/** Encodes bytes as base64. */
export function toBase64(bytes: Uint8Array): string {
  const text = new Uint8Array(Math.ceil(bytes.length / 3) * 4).fill(PADDING);
  let at = 0;
  for (let i = 0; i < bytes.length; i += 3) {
    const left = bytes.length - i;
    const a = bytes[i] as number;
    const b = bytes[i + 1] ?? 0;
    const c = bytes[i + 2] ?? 0;
    text[at++] = CODES[a >> 2] as number;
    text[at++] = CODES[((a & 3) << 4) | (b >> 4)] as number;
    if (left > 1) text[at++] = CODES[((b & 15) << 2) | (c >> 6)] as number;
    if (left > 2) text[at++] = CODES[c & 63] as number;
  }
  return new TextDecoder().decode(text);
}
