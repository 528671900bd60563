import { createHash, timingSafeEqual } from 'node:crypto';
import { setMaxListeners } from 'node:events';
import { unwatchFile, watchFile } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';
import { createLogger, type Logger } from '@a2c/log';
import { type AgentScope, isRecord, type Role, SMCPError } from '@a2c/protocol';
import { expiryOf } from './client-certificate.js';
import { API_KEY, type Authenticator, credentialOf, type Handshake, type Identity } from './identity.js';
import { checkKeyFile } from './key-files.js';
import { parseJsonFile } from './parse-json-file.js';

/** Options of {@link authFile}. */
export interface AuthFileOptions {
  /** The JSON file. */
  readonly path: string;
  /** The header that carries the key; `x-api-key` by default. */
  readonly header?: string | undefined;
  /**
   * Receives the error when a changed file cannot be used; by default it is logged. The last valid version stays in
   * force.
   */
  readonly onError?: (error: Error) => void;
  /** Called when a changed file is in force, with the number of its entries; by default it is logged. */
  readonly onReload?: (entries: { readonly keys: number; readonly certificates: number }) => void;
  /** Stops watching the file. Needed in a process that outlives the Server. */
  readonly signal?: AbortSignal;
}

interface Entry {
  readonly identity: Identity;
  readonly sha256?: Buffer;
}

/** An entry of the file, which is revoked when it is removed or changed. */
interface RevocableEntry extends Entry {
  /** The entry as text: equal texts are the same entry. */
  readonly text: string;
  readonly revocation: AbortController;
}

interface Credentials {
  readonly keys: readonly RevocableEntry[];
  readonly certificates: readonly RevocableEntry[];
}

/** How often the file is checked for changes. It is also checked at every handshake. */
const WATCH_INTERVAL_MS = 1_000;

const ROLES = ['agent', 'computer'] as const satisfies readonly Role[];

/** Returns the SHA-256 of an API key in hex, as {@link authFile} expects it. */
export function hashApiKey(key: string): string {
  return createHash('sha256').update(key).digest('hex');
}

/**
 * Authenticates one API key that may do everything, also operate the Server.
 *
 * @param header the header that carries the key; `x-api-key` by default
 * @example
 * ```ts
 * await listen({ authenticate: apiKey('a-long-random-string') });
 * ```
 */
export function apiKey(key: string, header?: string): Authenticator {
  const entries: Entry[] = [
    {
      identity: API_KEY,
      sha256: Buffer.from(hashApiKey(key), 'hex'),
    },
  ];
  return (handshake) => byKey(entries, credentialOf(handshake, header));
}

/**
 * Authenticates the API keys and client certificates of a file:
 *
 *     { "keys": [{ "subject": "alice", "sha256": "…", "roles": ["agent"], "offices": ["team-a/*"],
 *                  "tools": ["!delete_*"] }],
 *       "certificates": [{ "subject": "pc-7.example.com", "roles": ["computer"], "names": ["pc-7"] }] }
 *
 * Keys are stored as SHA-256 ({@link hashApiKey}). They are long random strings, so a slow hash would add no security.
 * The file is read again when it changes. Sessions of an entry that was removed or changed are disconnected.
 *
 * @throws Error if the file cannot be read or is invalid
 * @example
 * ```ts
 * const authenticate = await authFile({ path: 'keys.json', onError: (error) => console.error(error.message) });
 * ```
 */
export async function authFile(options: AuthFileOptions): Promise<Authenticator> {
  const { path, header, signal } = options;
  const { onError, onReload } = { ...keyFileLog(path, createLogger('a2c-server')), ...options };
  let version = await versionOf(path);
  let credentials = parseCredentials(path, await readFile(path, 'utf8'));

  const refresh = async (): Promise<void> => {
    const current = await versionOf(path).catch((error: NodeJS.ErrnoException) => error);
    const currentVersion = current instanceof Error ? (current.code ?? current.message) : current;
    if (currentVersion === version) return;
    version = currentVersion; // a problem is reported once per change
    if (current instanceof Error) throw current;
    const text = await readFile(path, 'utf8');
    if (version !== currentVersion) return; // A later change is read, and may have been read before this one.
    credentials = replaceEntries(credentials, parseCredentials(path, text));
    onReload({ keys: credentials.keys.length, certificates: credentials.certificates.length });
  };

  if (!signal?.aborted) {
    const onChange = () => void refresh().catch(onError);
    watchFile(path, { interval: WATCH_INTERVAL_MS, persistent: false }, onChange);
    signal?.addEventListener('abort', () => unwatchFile(path, onChange), { once: true });
  }

  return async (handshake) => {
    await refresh().catch(onError);
    return (
      byKey(credentials.keys, credentialOf(handshake, header)) ?? byCertificate(credentials.certificates, handshake)
    );
  };
}

/** Keeps the entries that did not change, and revokes those that are gone. */
function replaceEntries(old: Credentials, next: Credentials): Credentials {
  const replace = (before: readonly RevocableEntry[], after: readonly RevocableEntry[]) => {
    const known = new Map(before.map((entry) => [entry.text, entry]));
    const kept = after.map((entry) => known.get(entry.text) ?? entry);
    for (const entry of before) if (!kept.includes(entry)) entry.revocation.abort();
    return kept;
  };
  return {
    keys: replace(old.keys, next.keys),
    certificates: replace(old.certificates, next.certificates),
  };
}

/** Logs when a changed key file is in force, and when it cannot be used. */
export function keyFileLog(path: string, logger: Logger): Required<Pick<AuthFileOptions, 'onError' | 'onReload'>> {
  return {
    onReload: (entries) => logger.info({ path, ...entries }, 'the changed key file is in force'),
    onError: ({ message: reason }) =>
      logger.error({ path, reason }, 'cannot use the changed key file; the old keys stay in force'),
  };
}

async function versionOf(path: string): Promise<string> {
  const stats = await stat(path);
  checkKeyFile(path, stats);
  const { mtimeMs, size, ino } = stats;
  return `${mtimeMs}:${size}:${ino}`;
}

/** Compares with every entry, so that the time does not reveal which one matched. */
function byKey(entries: readonly Entry[], key: string | undefined): Identity | undefined {
  if (key === undefined) return undefined;
  const hash = Buffer.from(hashApiKey(key), 'hex');
  let found: Identity | undefined;
  for (const { identity, sha256 } of entries) {
    if (sha256 && timingSafeEqual(sha256, hash)) found = identity;
  }
  return found && unexpired(found, 'key');
}

function byCertificate(entries: readonly Entry[], { certificate }: Handshake): Identity | undefined {
  const subject = certificate?.subject.CN;
  const found = entries.find(({ identity }) => identity.subject === subject)?.identity;
  if (!certificate || !found) return undefined;
  const { expires } = unexpired(found, 'certificate entry');
  const certificateExpires = expiryOf(certificate);
  return expires !== undefined && expires < certificateExpires ? found : { ...found, expires: certificateExpires };
}

/** @throws SMCPError 401 if the entry has expired: a known credential is not passed to another authenticator */
function unexpired(identity: Identity, what: string): Identity {
  const { expires } = identity;
  if (expires === undefined || expires.getTime() > Date.now()) return identity;
  throw new SMCPError(
    'Unauthorized',
    `this ${what} expired at ${expires.toISOString()}; ask the operator for a new one`,
  );
}

/** @throws Error with the path of the problem */
export function parseCredentials(path: string, text: string): Credentials {
  const fail = (where: string, problem: string): never => {
    throw new Error(`${path}: ${where}: ${problem}`);
  };
  const root = parseJsonFile(path, text);
  const file = isRecord(root) ? root : fail('/', 'expected an object with "keys" and "certificates"');
  const list = (name: string) => {
    const value = file[name] ?? [];
    return Array.isArray(value) ? (value as unknown[]) : fail(`/${name}`, 'expected an array');
  };
  const unknown = Object.keys(file).find((key) => key !== 'keys' && key !== 'certificates');
  if (unknown !== undefined) fail(`/${unknown}`, 'unknown key; allowed are "keys" and "certificates"');
  return {
    keys: list('keys').map((value, i) => parseEntry(value, (at, problem) => fail(`/keys/${i}${at}`, problem), true)),
    certificates: list('certificates').map((value, i) =>
      parseEntry(value, (at, problem) => fail(`/certificates/${i}${at}`, problem), false),
    ),
  };
}

type Fail = (at: string, problem: string) => never;

function parseEntry(value: unknown, fail: Fail, withKey: boolean): RevocableEntry {
  const { subject, sha256, roles, offices, names, tools, servers, operator, expires, ...unknown } = isRecord(value)
    ? value
    : fail('', 'expected an object');
  const [unknownKey] = Object.keys(unknown);
  if (unknownKey !== undefined) fail(`/${unknownKey}`, 'unknown key');
  if (typeof subject !== 'string' || subject === '') fail('/subject', 'expected a name');
  if (withKey && !(typeof sha256 === 'string' && /^[0-9a-f]{64}$/i.test(sha256))) {
    fail('/sha256', 'expected the SHA-256 of the key as 64 hex digits');
  }
  if (operator !== undefined && typeof operator !== 'boolean') fail('/operator', 'expected true or false');
  const date = expires === undefined ? undefined : new Date(String(expires));
  if (date && Number.isNaN(date.getTime())) fail('/expires', 'expected a date such as 2030-01-31T00:00:00Z');
  const revocation = new AbortController();
  setMaxListeners(0, revocation.signal); // one for each event stream of the console
  return {
    text: JSON.stringify(value),
    revocation,
    identity: {
      subject: subject as string,
      method: 'auth-file', // also where a key and a certificate have the same subject
      operator: operator === true,
      revoked: revocation.signal,
      roles: rolesOf(roles, fail),
      offices: strings(offices, '/offices', fail),
      names: strings(names, '/names', fail),
      ...scope('tools', tools, fail),
      ...scope('servers', servers, fail),
      expires: date,
    },
    ...(withKey && { sha256: Buffer.from(sha256 as string, 'hex') }),
  };
}

function strings(value: unknown, at: string, fail: Fail): readonly string[] | undefined {
  if (value === undefined) return undefined;
  const isValid = Array.isArray(value) && value.every((text) => typeof text === 'string');
  return isValid ? (value as string[]) : fail(at, 'expected an array of strings');
}

function scope(field: keyof AgentScope, value: unknown, fail: Fail): AgentScope {
  const patterns = strings(value, `/${field}`, fail);
  return patterns === undefined ? {} : { [field]: patterns };
}

function rolesOf(value: unknown, fail: Fail): readonly Role[] | undefined {
  const roles = strings(value, '/roles', fail);
  const isValid = roles?.every((role) => (ROLES as readonly string[]).includes(role)) ?? true;
  return isValid ? (roles as readonly Role[] | undefined) : fail('/roles', `expected some of ${ROLES.join(', ')}`);
}
