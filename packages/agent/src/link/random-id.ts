/** 128 random bits as 32 hexadecimal digits, the form the SDKs use. `crypto.randomUUID` is missing on plain web pages. */
export function randomId(): string {
  let id = '';
  for (const byte of crypto.getRandomValues(new Uint8Array(16))) id += HEX[byte];
  return id;
}

const HEX = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'));
