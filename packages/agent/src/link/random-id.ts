const ID_BYTES = 16;
const HEX = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'));

/** Drawn for many ids at once: the call costs more than the bytes. */
const pool = new Uint8Array(64 * ID_BYTES);
let used = pool.length;

/** 128 random bits as 32 hexadecimal digits, the form the SDKs use. `crypto.randomUUID` is missing on plain web pages. */
export function randomId(): string {
  if (used === pool.length) {
    crypto.getRandomValues(pool);
    used = 0;
  }
  let id = '';
  for (const end = used + ID_BYTES; used < end; used++) id += HEX[pool[used] as number];
  return id;
}
