import { randomBytes } from 'node:crypto';
import { chmod, readFile, realpath, rename, stat, writeFile } from 'node:fs/promises';
import type { Role } from '@a2c/protocol';
import { hashApiKey, parseCredentials } from './auth-file.js';

/** An entry of a key file: whose key it is, and what it may do. A missing restriction allows everything. */
export interface KeyEntry {
  /** The holder of the key. */
  readonly subject: string;
  /** The SHA-256 of the key, in hex. */
  readonly sha256: string;
  /** The roles it may join in. */
  readonly roles?: readonly Role[] | undefined;
  /** The offices it may join: patterns with `*`. */
  readonly offices?: readonly string[] | undefined;
  /** The member names it may use: patterns with `*`. */
  readonly names?: readonly string[] | undefined;
  /** The tools its Agents may call: patterns with `*`; one that starts with `!` denies. */
  readonly tools?: readonly string[] | undefined;
  /** The MCP servers whose tools its Agents may call: patterns as for `tools`. */
  readonly servers?: readonly string[] | undefined;
  /** Whether it may use the operator endpoints. */
  readonly operator?: boolean | undefined;
  /** When it expires, as a date of ISO 8601. */
  readonly expires?: string | undefined;
}

/** A new API key and its entry. The key itself is stored nowhere. */
export interface NewApiKey {
  /** The key for the Agent, Computer or operator. */
  readonly key: string;
  /** The entry for the file of {@link authFile}. */
  readonly entry: KeyEntry;
}

/**
 * Creates a random API key of 256 bits.
 *
 * @throws Error if the entry would be invalid
 * @example
 * ```ts
 * const { key, entry } = newApiKey({ subject: 'pc', roles: ['computer'] });
 * await addKey('keys.json', entry);
 * ```
 */
export function newApiKey(permissions: Omit<KeyEntry, 'sha256'>): NewApiKey {
  const key = `a2c_${randomBytes(32).toString('base64url')}`;
  const { subject, ...rest } = permissions;
  const entry = { subject, sha256: hashApiKey(key), ...rest };
  parseCredentials('the new key', JSON.stringify({ keys: [entry] }));
  if (entry.expires !== undefined && Date.parse(entry.expires) <= Date.now())
    throw new Error(`"${entry.expires}" is in the past: the key would never be valid`);
  return { key, entry };
}

/**
 * Adds an entry to the file of {@link authFile}, or creates the file with mode 0600. The file is replaced as a whole,
 * so a running Server never reads half of it.
 *
 * @throws Error if the file is invalid; it is not changed then
 */
export async function addKey(path: string, entry: KeyEntry): Promise<void> {
  const file = await realpath(path).catch(ignoreMissing);
  const text = file === undefined ? '{}' : await readFile(file, 'utf8');
  parseCredentials(path, text);
  const { keys = [], ...rest } = JSON.parse(text) as { readonly keys?: readonly unknown[] };
  const content = `${JSON.stringify({ ...rest, keys: [...keys, entry] }, null, 2)}\n`;
  const target = file ?? path;
  const temporary = `${target}.${randomBytes(6).toString('hex')}.tmp`;
  await writeFile(temporary, content, { mode: 0o600, flag: 'wx' });
  if (file !== undefined) await chmod(temporary, (await stat(file)).mode & 0o777);
  await rename(temporary, target);
}

function ignoreMissing(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'ENOENT') throw error;
}
