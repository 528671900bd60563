import { isAscii } from 'node:buffer';

/**
 * Decodes UTF-8. Most messages are ASCII, which is the same in Latin-1: decoding that takes a fifth of the time. Bytes
 * that are not UTF-8 become U+FFFD.
 */
export function utf8Text(bytes: Buffer): string {
  return bytes.toString(isAscii(bytes) ? 'latin1' : 'utf8');
}
