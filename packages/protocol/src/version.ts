import { isRecord, SMCPError } from './errors.js';
import type { Dialect } from './events.js';

/** The version of the protocol this package speaks; independent of the package's own number. */
export const PROTOCOL_VERSION = '0.1.2';
export const PROTOCOL_NAME = 'a2c-smcp';

/** The query parameter newer peers carry their version in. */
export const VERSION_QUERY = 'a2c_version';
/** Tells an HTTP client that a 400 is about the version before it parses the body. */
export const ERROR_CODE_HEADER = 'X-A2C-Error-Code';
/** WebSocket close code for a version refusal where no HTTP answer is possible. */
export const VERSION_CLOSE_CODE = 4900;

export interface Version {
  readonly major: number;
  readonly minor: number;
  readonly patch: number;
}

/** `MAJOR.MINOR.PATCH`; a pre-release suffix such as `-rc1` or `-dev` is allowed and does not count. */
export function parseVersion(text: string): Version | undefined {
  const match = /^(\d{1,6})\.(\d{1,6})\.(\d{1,6})(?:-[\w.]{1,32})?$/.exec(text);
  if (!match) return undefined;
  const [major = 0, minor = 0, patch = 0] = match.slice(1).map(Number);
  return { major, minor, patch };
}

/** Majors must agree. Before 1.0 so must minors; from 1.0 on a Server serves the minors up to its own. Patches are free. */
export function isCompatible(client: Version, server: Version): boolean {
  if (client.major !== server.major) return false;
  return server.major === 0 ? client.minor === server.minor : client.minor <= server.minor;
}

/** The places in which peers say which version they speak. All of it comes from the peer and may be anything. */
export interface Handshake {
  /** The connection's query. */
  readonly query?: Readonly<Record<string, unknown>> | undefined;
  /** Socket.IO's `auth` object. */
  readonly auth?: unknown;
  /** The payload of the first event, which is the join. */
  readonly payload?: unknown;
}

/** The version text a peer declared, wherever it did; `undefined` when it said nothing. */
export function declaredVersion({ query, auth, payload }: Handshake): string | undefined {
  const fromQuery = query?.[VERSION_QUERY];
  // A repeated query parameter arrives as an array.
  return (
    versionText(Array.isArray(fromQuery) ? fromQuery[0] : fromQuery) ?? protocolHint(auth) ?? protocolHint(payload)
  );
}

function protocolHint(value: unknown): string | undefined {
  return isRecord(value) && value.protocol === PROTOCOL_NAME ? versionText(value.version) : undefined;
}

/** A declared value that is not even a text is garbage, which is not the same as silence. */
function versionText(value: unknown): string | undefined {
  if (value === undefined || value === null) return undefined;
  return typeof value === 'string' ? value : '';
}

/** What a Client sends so that any Server, of any age, finds its version and dialect. */
export function handshakeHint(dialect: Dialect): { protocol: string; version: string; dialect: Dialect } {
  return { protocol: PROTOCOL_NAME, version: PROTOCOL_VERSION, dialect };
}

/**
 * The dialect a peer declared: outright, else by the kind of version hint it gives. `undefined` means it said nothing;
 * the names it uses will tell (`dialectOfName`), and until then the shipped SDKs are the better guess.
 */
export function declaredDialect({ query, auth, payload }: Handshake): Dialect | undefined {
  for (const place of [auth, payload]) {
    const outright = isRecord(place) ? place.dialect : undefined;
    if (outright === 'spec' || outright === 'sdk') return outright;
  }
  if (query?.[VERSION_QUERY] !== undefined) return 'sdk';
  return (protocolHint(auth) ?? protocolHint(payload)) === undefined ? undefined : 'spec';
}

/** `lenient` serves every 0.x generation and peers that say nothing; `strict` demands a compatible version. */
export type VersionPolicy = 'lenient' | 'strict';

/** Generations served leniently: their differences are mended by the parsers. */
const LENIENT_RANGE: VersionRange = {
  min: { major: 0, minor: 1, patch: 0 },
  max: { major: 0, minor: 3, patch: 0 },
};

interface VersionRange {
  readonly min: Version;
  readonly max: Version;
}

/** The HTTP answer to a refused handshake. */
export interface VersionRefusal {
  readonly status: 400;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Readonly<Record<string, unknown>> & { readonly code: number; readonly message: string };
}

export type VersionVerdict =
  | { readonly ok: true; readonly version: string | undefined }
  /** As an HTTP answer where the handshake can be answered so, and as an error for later. */
  | { readonly ok: false; readonly refusal: VersionRefusal; readonly error: SMCPError };

/** Decides on the version text a peer declared. `server` is ours; it is a parameter because the rule is tested at 1.x. */
export function judgeVersion(
  declared: string | undefined,
  policy: VersionPolicy = 'lenient',
  server: string = PROTOCOL_VERSION,
): VersionVerdict {
  if (declared === undefined) {
    return policy === 'lenient'
      ? { ok: true, version: undefined }
      : refuse(400, `Missing ${VERSION_QUERY} query parameter`);
  }
  const client = parseVersion(declared);
  if (!client) {
    return refuse(400, `Invalid ${VERSION_QUERY}: ${JSON.stringify(declared.slice(0, 40))} is not MAJOR.MINOR.PATCH`);
  }
  const own = parseVersion(server) as Version;
  const range = servedRange(policy, own);
  if (isCompatible(client, own) || (policy === 'lenient' && isWithin(client, range)))
    return { ok: true, version: declared };
  return refuse(4008, 'Protocol version mismatch', {
    server_version: server,
    client_version: declared,
    min_supported: show(range.min),
    max_supported: show(range.max),
  });
}

/** From the lowest to the highest minor served; patches do not count. */
function servedRange(policy: VersionPolicy, own: Version): VersionRange {
  const compatible = { min: { ...own, minor: own.major === 0 ? own.minor : 0, patch: 0 }, max: own };
  if (policy === 'strict') return compatible;
  return own.major === 0 ? LENIENT_RANGE : { min: LENIENT_RANGE.min, max: own };
}

function isWithin({ major, minor }: Version, { min, max }: VersionRange): boolean {
  return major === 0 && minor >= min.minor && minor <= (max.major === 0 ? max.minor : LENIENT_RANGE.max.minor);
}

function show({ major, minor, patch }: Version): string {
  return `${major}.${minor}.${patch}`;
}

function refuse(code: 400 | 4008, message: string, facts: Record<string, string> = {}): VersionVerdict {
  const headers = { 'Content-Type': 'application/json', ...(code === 4008 && { [ERROR_CODE_HEADER]: String(code) }) };
  return {
    ok: false,
    refusal: { status: 400, headers, body: { code, message, ...facts } },
    error: new SMCPError(code === 4008 ? 'VersionMismatch' : 'BadRequest', message, { details: facts }),
  };
}

/** Reads a refused handshake's body back, at the client; `undefined` when it is about something else. */
export function readVersionRefusal(body: unknown): SMCPError | undefined {
  if (!isRecord(body) || typeof body.message !== 'string') return undefined;
  const { code, message, ...details } = body;
  if (code === 4008) return new SMCPError('VersionMismatch', message, { details });
  return code === 400 && message.includes(VERSION_QUERY) ? new SMCPError('BadRequest', message) : undefined;
}
