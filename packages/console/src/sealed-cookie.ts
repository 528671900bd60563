import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';

const CIPHER = 'aes-256-gcm';
const KEY_BYTES = 32;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/**
 * Returns the key that seals cookies. It is kept in a file that only its owner can read, so that an open page stays
 * logged in when the program restarts. Without a usable file the key lasts until the end of the process.
 */
export async function sealingKey(path: string | undefined): Promise<Buffer> {
  if (path === undefined) return randomBytes(KEY_BYTES);
  try {
    const key = await readFile(path);
    if (key.length === KEY_BYTES) return key;
  } catch {
    // There is no such file yet, or it cannot be read: a new key is as good.
  }
  const key = randomBytes(KEY_BYTES);
  try {
    await mkdir(dirname(path), { recursive: true, mode: 0o700 });
    await writeFile(path, key, { mode: 0o600 });
  } catch {
    // Pages have to log in again after a restart.
  }
  return key;
}

/** Encrypts a value, so that no one else can read or make it. */
export function seal(value: object, key: Buffer): string {
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv(CIPHER, key, nonce);
  const sealed = [cipher.update(JSON.stringify(value), 'utf8'), cipher.final()];
  return Buffer.concat([nonce, cipher.getAuthTag(), ...sealed]).toString('base64url');
}

/** Decrypts a value; undefined if it was not sealed with this key. */
export function unseal(text: string, key: Buffer): unknown {
  const bytes = Buffer.from(text, 'base64url');
  if (bytes.length < NONCE_BYTES + TAG_BYTES) return undefined;
  const decipher = createDecipheriv(CIPHER, key, bytes.subarray(0, NONCE_BYTES));
  decipher.setAuthTag(bytes.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES));
  try {
    const text = decipher.update(bytes.subarray(NONCE_BYTES + TAG_BYTES), undefined, 'utf8') + decipher.final('utf8');
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
