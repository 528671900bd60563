const ID_BYTES = 16;
const HEX = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'));

/** Filled for many ids at once: the call costs more than the bytes. */
const pool = new Uint8Array(64 * ID_BYTES);
let used = pool.length;

/** Returns 128 random bits as 32 hexadecimal digits. `crypto.randomUUID` is missing on web pages without TLS. */
export function randomId(): string {
  if (used === pool.length) {
    crypto.getRandomValues(pool);
    used = 0;
  }
  let id = '';
  for (const end = used + ID_BYTES; used < end; used++) id += HEX[pool[used] as number];
  return id;
}
