import { createHash, timingSafeEqual } from 'node:crypto';
import { readFile, stat } from 'node:fs/promises';
import { type Authenticator, credentialOf, type HandshakeFacts, type Identity } from './identity.js';

/**
 * A file of credentials and what each may do:
 *
 *     { "keys": [{ "subject": "alice", "sha256": "…", "roles": ["agent"], "offices": ["team-a/*"] }],
 *       "certificates": [{ "subject": "pc-7.example.com", "roles": ["computer"], "names": ["pc-7"] }] }
 *
 * Keys are stored as SHA-256: they are long random strings, so a slow hash would only slow down the server. It is read
 * again when it changes; a broken new version is reported and the old one stays in force.
 */
export interface AuthFileOptions {
  readonly path: string;
  readonly header?: string | undefined;
  readonly onError?: (error: Error) => void;
}

interface Entry {
  readonly identity: Identity;
  readonly sha256?: Buffer;
}

interface Credentials {
  readonly keys: readonly Entry[];
  readonly certificates: readonly Entry[];
}

const ROLES = new Set(['agent', 'computer']);

export function hashApiKey(key: string): string {
  return createHash('sha256').update(key).digest('hex');
}

/** One key with all rights, for a server that is started with `--api-key`. */
export function apiKey(key: string, header?: string): Authenticator {
  const entries: Entry[] = [{ identity: { subject: 'api-key' }, sha256: Buffer.from(hashApiKey(key), 'hex') }];
  return (handshake) => byKey(entries, credentialOf(handshake, header));
}

export async function authFile({ path, header, onError = () => {} }: AuthFileOptions): Promise<Authenticator> {
  let version = await versionOf(path);
  let credentials = parseCredentials(path, await readFile(path, 'utf8'));

  const refresh = async (): Promise<void> => {
    const present = await versionOf(path);
    if (present === version) return;
    version = present;
    credentials = parseCredentials(path, await readFile(path, 'utf8'));
  };

  return async (handshake) => {
    await refresh().catch(onError);
    return (
      byKey(credentials.keys, credentialOf(handshake, header)) ?? byCertificate(credentials.certificates, handshake)
    );
  };
}

async function versionOf(path: string): Promise<string> {
  const { mtimeMs, size, ino } = await stat(path);
  return `${mtimeMs}:${size}:${ino}`;
}

/** Compares with every entry, so that the time taken does not tell which one matched. */
function byKey(entries: readonly Entry[], key: string | undefined): Identity | undefined {
  if (key === undefined) return undefined;
  const hash = Buffer.from(hashApiKey(key), 'hex');
  let found: Identity | undefined;
  for (const { identity, sha256 } of entries) {
    if (sha256 && timingSafeEqual(sha256, hash)) found = identity;
  }
  return isExpired(found) ? undefined : found;
}

function byCertificate(entries: readonly Entry[], { certificate }: HandshakeFacts): Identity | undefined {
  const subject = certificate?.subject.CN;
  const found = entries.find(({ identity }) => identity.subject === subject)?.identity;
  return isExpired(found) ? undefined : found;
}

function isExpired(identity: Identity | undefined): boolean {
  return identity?.expires !== undefined && identity.expires.getTime() <= Date.now();
}

function parseCredentials(path: string, text: string): Credentials {
  const fail = (where: string, problem: string): never => {
    throw new Error(`${path}: ${where}: ${problem}`);
  };
  let root: unknown;
  try {
    root = JSON.parse(text);
  } catch (error) {
    fail('/', (error as Error).message);
  }
  const file = record(root) ?? fail('/', 'expected an object with "keys" and "certificates"');
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

function parseEntry(value: unknown, fail: Fail, withKey: boolean): Entry {
  const { subject, sha256, roles, offices, names, expires, ...unknown } =
    record(value) ?? fail('', 'expected an object');
  const [stranger] = Object.keys(unknown);
  if (stranger !== undefined) fail(`/${stranger}`, 'unknown key');
  if (typeof subject !== 'string' || subject === '') fail('/subject', 'expected a name');
  if (withKey && !(typeof sha256 === 'string' && /^[0-9a-f]{64}$/i.test(sha256))) {
    fail('/sha256', 'expected the SHA-256 of the key as 64 hex digits');
  }
  const date = expires === undefined ? undefined : new Date(String(expires));
  if (date && Number.isNaN(date.getTime())) fail('/expires', 'expected a date such as 2030-01-31T00:00:00Z');
  return {
    identity: {
      subject: subject as string,
      roles: texts(roles, '/roles', fail, ROLES) as Identity['roles'],
      offices: texts(offices, '/offices', fail),
      names: texts(names, '/names', fail),
      expires: date,
    },
    ...(withKey && { sha256: Buffer.from(sha256 as string, 'hex') }),
  };
}

function texts(value: unknown, at: string, fail: Fail, allowed?: ReadonlySet<string>): readonly string[] | undefined {
  if (value === undefined) return undefined;
  const ok = Array.isArray(value) && value.every((text) => typeof text === 'string' && (!allowed || allowed.has(text)));
  return ok
    ? (value as string[])
    : fail(at, allowed ? `expected some of ${[...allowed].join(', ')}` : 'expected texts');
}

function record(value: unknown): Record<string, unknown> | undefined {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Record<string, unknown>)
    : undefined;
}
