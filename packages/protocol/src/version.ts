import { SMCPError } from './errors.js';
import type { Dialect } from './events.js';
import { isRecord } from './json.js';

/** The version of the protocol that this package implements. It is independent of the package version. */
export const PROTOCOL_VERSION = '0.1.2';
/** The name of the protocol in handshakes. */
export const PROTOCOL_NAME = 'a2c-smcp';

/** The query parameter in which newer peers send their protocol version. */
export const VERSION_QUERY = 'a2c_version';
/** The header of an HTTP 400 answer that refuses a protocol version. */
export const ERROR_CODE_HEADER = 'X-A2C-Error-Code';
/** The WebSocket close code of a version refusal, for handshakes that cannot be answered over HTTP. */
export const VERSION_CLOSE_CODE = 4900;

/** A protocol version. */
export interface Version {
  readonly major: number;
  readonly minor: number;
  readonly patch: number;
}

/** Parses `MAJOR.MINOR.PATCH`. A pre-release suffix such as `-rc1` is ignored. `undefined` for any other text. */
export function parseVersion(text: string): Version | undefined {
  const match = /^(\d{1,6})\.(\d{1,6})\.(\d{1,6})(?:-[\w.]{1,32})?$/.exec(text);
  if (!match) return undefined;
  const [major = 0, minor = 0, patch = 0] = match.slice(1).map(Number);
  return { major, minor, patch };
}

/**
 * Whether a Server serves a client. The major versions must be equal. Below 1.0 the minor versions must be equal too;
 * from 1.0 on, the minor version of the client may be lower. Patches are ignored.
 */
export function isCompatible(client: Version, server: Version): boolean {
  if (client.major !== server.major) return false;
  return server.major === 0 ? client.minor === server.minor : client.minor <= server.minor;
}

/** The parts of a handshake in which a peer may declare its version. All values are untrusted. */
export interface Handshake {
  /** The query of the connection. */
  readonly query?: Readonly<Record<string, unknown>> | undefined;
  /** Socket.IO's `auth` object. */
  readonly auth?: unknown;
  /** The payload of the first event, the join. */
  readonly payload?: unknown;
}

/** The version text that a peer declared; `undefined` when it declared none. */
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

/** A declared value that is not a text is an invalid version, not an absent one. */
function versionText(value: unknown): string | undefined {
  if (value === undefined || value === null) return undefined;
  return typeof value === 'string' ? value : '';
}

/** The fields by which a client declares its version and dialect to Servers of every generation. */
export function handshakeHint(dialect: Dialect): { protocol: string; version: string; dialect: Dialect } {
  return { protocol: PROTOCOL_NAME, version: PROTOCOL_VERSION, dialect };
}

/**
 * The dialect that a peer declared: explicitly, or implicitly by the way it declares its version. `undefined` when it
 * declared neither; then its event names decide (`dialectOfName`), and until then `sdk` is the better guess.
 */
export function declaredDialect({ query, auth, payload }: Handshake): Dialect | undefined {
  for (const source of [auth, payload]) {
    const explicit = isRecord(source) ? source.dialect : undefined;
    if (explicit === 'spec' || explicit === 'sdk') return explicit;
  }
  if (query?.[VERSION_QUERY] !== undefined) return 'sdk';
  return (protocolHint(auth) ?? protocolHint(payload)) === undefined ? undefined : 'spec';
}

/** `lenient` serves all 0.x generations and peers that declare no version; `strict` requires a compatible version. */
export type VersionPolicy = 'lenient' | 'strict';

/** The generations served by the lenient policy. The parsers normalise their differences. */
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

/**
 * The decision on a declared version. A refusal has the form of an HTTP answer and of an error for acknowledgements.
 */
export type VersionVerdict =
  | { readonly ok: true; readonly version: string | undefined }
  | { readonly ok: false; readonly refusal: VersionRefusal; readonly error: SMCPError };

/**
 * Decides whether a Server serves a peer with the declared version.
 *
 * @param server The version of the Server; a parameter so that the rules for 1.x can be tested.
 */
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

/** The lowest and the highest version that is served. Patches are ignored. */
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

/** Reads the HTTP body of a refused handshake; `undefined` when it is not a version refusal. */
export function readVersionRefusal(body: unknown): SMCPError | undefined {
  if (!isRecord(body) || typeof body.message !== 'string') return undefined;
  const { code, message, ...details } = body;
  if (code === 4008) return new SMCPError('VersionMismatch', message, { details });
  return code === 400 && message.includes(VERSION_QUERY) ? new SMCPError('BadRequest', message) : undefined;
}
