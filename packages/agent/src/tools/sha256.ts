const PRIMES = Array.from({ length: 312 }, (_, n) => n).filter(
  (n) => n > 1 && Array.from({ length: n - 2 }, (_, i) => i + 2).every((divisor) => n % divisor !== 0),
);

/** The first 32 bits of the fractional parts of roots of primes, as the standard defines its constants. */
const bitsOf = (root: number) => ((root % 1) * 2 ** 32) | 0;
const START = PRIMES.slice(0, 8).map((prime) => bitsOf(Math.sqrt(prime)));
const ROUNDS = Int32Array.from(PRIMES, (prime) => bitsOf(Math.cbrt(prime)));

/** Returns the SHA-256 of a short text in hex. That of WebCrypto is asynchronous, and missing in pages without TLS. */
export function sha256(text: string): string {
  const blocks = paddedBytes(text);
  const state = Int32Array.from(START);
  const words = new Int32Array(ROUNDS.length);
  for (let block = 0; block < blocks.byteLength; block += 64) {
    for (let i = 0; i < words.length; i++) words[i] = i < 16 ? blocks.getInt32(block + 4 * i) : extended(words, i);
    compress(state, words);
  }
  return Array.from(state, (word) => (word >>> 0).toString(16).padStart(8, '0')).join('');
}

/** A one, zeros up to a multiple of 64 bytes, and the length in bits. */
function paddedBytes(text: string): DataView {
  const bytes = new TextEncoder().encode(text);
  const padded = new Uint8Array(64 * (((bytes.length + 8) >> 6) + 1));
  padded.set(bytes);
  padded[bytes.length] = 0x80;
  const view = new DataView(padded.buffer);
  view.setUint32(padded.length - 4, bytes.length * 8);
  return view;
}

const rotated = (word: number, bits: number) => (word >>> bits) | (word << (32 - bits));

function extended(words: Int32Array, i: number): number {
  const early = words[i - 15] as number;
  const late = words[i - 2] as number;
  const first = rotated(early, 7) ^ rotated(early, 18) ^ (early >>> 3);
  const second = rotated(late, 17) ^ rotated(late, 19) ^ (late >>> 10);
  return ((words[i - 16] as number) + first + (words[i - 7] as number) + second) | 0;
}

/** Without destructuring in the loop: engines run it several times slower. */
function compress(state: Int32Array, words: Int32Array): void {
  let [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0, h = 0] = state;
  for (let i = 0; i < ROUNDS.length; i++) {
    const choice = (e & f) ^ (~e & g);
    const majority = (a & b) ^ (a & c) ^ (b & c);
    const sum = rotated(e, 6) ^ rotated(e, 11) ^ rotated(e, 25);
    const added = (h + sum + choice + (ROUNDS[i] as number) + (words[i] as number)) | 0;
    const other = (rotated(a, 2) ^ rotated(a, 13) ^ rotated(a, 22)) + majority;
    h = g;
    g = f;
    f = e;
    e = (d + added) | 0;
    d = c;
    c = b;
    b = a;
    a = (added + other) | 0;
  }
  [a, b, c, d, e, f, g, h].forEach((word, i) => {
    state[i] = (state[i] as number) + word;
  });
}
