import { isAscii, isUtf8 } from 'node:buffer';
import type { EncodingErrorHandler } from '@a2c/config';
import { EnvelopeScanner } from './envelope-scanner.js';

/** Encodes and decodes text in the configured encoding of a server. */
export interface TextCodec {
  readonly newline: Buffer;
  readonly carriageReturn: Buffer;
  /** Returns undefined if the bytes are not valid in this encoding and the error handler is `strict`. */
  decode(bytes: Buffer): string | undefined;
  /** Encodes a JSON text and a line feed. Streams encode a string as UTF-8. */
  encode(json: string): Buffer | string;
  /** A scanner for messages in this encoding. */
  scanner(): EnvelopeScanner;
}

/** Python's names of encodings, and their labels in the Encoding Standard. */
const ALIASES: Readonly<Record<string, string>> = {
  'utf-8-sig': 'utf-8',
  'utf-16-le': 'utf-16le',
  'utf-16-be': 'utf-16be',
  'latin-1': 'latin1',
  cp936: 'gbk',
  cp932: 'shift_jis',
  'shift-jis': 'shift_jis',
};

export function textCodec(encoding: string, onError: EncodingErrorHandler): TextCodec {
  const dashed = encoding.trim().toLowerCase().replaceAll('_', '-');
  const label = ALIASES[dashed] ?? dashed;
  const strict = decoderFor(encoding, label, true);
  const lenient = decoderFor(encoding, label, false);
  const wide = strict.encoding.startsWith('utf-16');
  const encode = encoderOf(strict.encoding);

  const decode = (bytes: Buffer): string | undefined => {
    if (strict.encoding === 'utf-8') {
      if (isAscii(bytes)) return bytes.toString('latin1');
      if (isUtf8(bytes)) return withoutByteOrderMark(bytes.toString());
    }
    try {
      return strict.decode(bytes);
    } catch {
      if (onError === 'strict') return undefined;
      const text = lenient.decode(bytes);
      return onError === 'ignore' ? text.replaceAll('\u{fffd}', '') : text;
    }
  };
  // Other encodings use two bytes per unit or trailing bytes that equal a backslash: convert before scanning.
  const asciiSafe = strict.encoding === 'utf-8' || strict.encoding.startsWith('windows-');
  return {
    newline: Buffer.from(wide ? encode('\n') : '\n'),
    carriageReturn: Buffer.from(wide ? encode('\r') : '\r'),
    decode,
    encode: (json) => encode(`${json}\n`),
    scanner: () => new EnvelopeScanner(asciiSafe ? undefined : asUtf8(label)),
  };
}

function decoderFor(encoding: string, label: string, fatal: boolean): InstanceType<typeof TextDecoder> {
  try {
    return new TextDecoder(label, { fatal });
  } catch (cause) {
    const message = `the encoding "${encoding}" is not known here: use one of the Encoding Standard, such as utf-8, utf-16le, latin1, gbk or shift_jis`;
    throw new Error(message, { cause });
  }
}

/** Converts a byte stream to UTF-8, chunk by chunk. */
function asUtf8(label: string): (bytes: Buffer) => Buffer {
  const decoder = new TextDecoder(label);
  return (bytes) => Buffer.from(decoder.decode(bytes, { stream: true }));
}

/** JSON can escape every character in ASCII, and every encoding but UTF-16 contains ASCII: nothing is lost. */
function encoderOf(encoding: string): (text: string) => Buffer | string {
  if (encoding === 'utf-8') return (text) => text;
  if (encoding === 'utf-16le') return (text) => Buffer.from(text, 'utf16le');
  if (encoding === 'utf-16be') return (text) => Buffer.from(text, 'utf16le').swap16();
  return (text) => Buffer.from(text.replace(/[\u0080-\uffff]/g, escaped), 'latin1');
}

function escaped(unit: string): string {
  return `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;
}

function withoutByteOrderMark(text: string): string {
  return text.charCodeAt(0) === 0xfeff ? text.slice(1) : text;
}
