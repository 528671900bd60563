import { SMCPError } from './errors.js';
import { GENERATIONS, type Generation, isGeneration, NEWEST_GENERATION } from './generations.js';
import { isRecord } from './json.js';

/** The newest version of the protocol that this package implements. It is independent of the package version. */
export const PROTOCOL_VERSION = GENERATIONS[NEWEST_GENERATION].version;
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

/** The fields of `auth` by which a client declares its version, and that it speaks as the document does. */
export function handshakeHint(generation: Generation): Readonly<Record<string, string>> {
  const { version } = GENERATIONS[generation];
  return { protocol: PROTOCOL_NAME, version, ...(generation === 'spec' && { dialect: 'spec' }) };
}

/**
 * The generation that a peer declared by its version. Below 0.2 a peer speaks as the document does if it declares that,
 * or if it declares its version as the document recommends. `undefined` when it declared none; then its event names
 * decide (`generationOfName`).
 */
export function declaredGeneration(handshake: Handshake): Generation | undefined {
  const { query, auth, payload } = handshake;
  const declared = declaredVersion(handshake);
  const generation = declared === undefined ? undefined : generationOfVersion(declared);
  if (generation !== undefined && generation !== '0.1') return generation;
  const dialect = [auth, payload].map((source) => (isRecord(source) ? source.dialect : undefined)).find(Boolean);
  if (dialect === 'spec') return 'spec';
  if (dialect === 'sdk' || query?.[VERSION_QUERY] !== undefined) return '0.1';
  return generation === undefined ? undefined : 'spec';
}

/** The generation of a version, such as `0.3` for `0.3.1`; `undefined` when it is not known. */
export function generationOfVersion(text: string): Generation | undefined {
  const { major, minor } = parseVersion(text) ?? {};
  const name = `${major}.${minor}`;
  return isGeneration(name) ? name : undefined;
}

/**
 * `lenient` serves all published generations and peers that declare no version; `preview` also the announced one;
 * `strict` only the newest published one, and requires a version.
 */
export type VersionPolicy = 'lenient' | 'strict' | 'preview';

/** The oldest generation that is served. */
const OLDEST: Version = { major: 0, minor: 1, patch: 0 };

/** The newest unpublished generation, served by the policy `preview`. */
const PREVIEW: Version = { major: 0, minor: 5, patch: 0 };

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
  const isStrict = policy === 'strict';
  if (isStrict && !declared) return refuse(400, `Missing ${VERSION_QUERY} query parameter`);
  if (declared === undefined) return { ok: true, version: undefined };
  // The version of the document has a suffix, `0.1.2-rc1`. Later ones must not, and published servers refuse it.
  const hasSuffix = declared.includes('-') && !declared.startsWith('0.1.');
  const client = isStrict && hasSuffix ? undefined : parseVersion(declared);
  if (!client) return refuse(400, `Invalid ${VERSION_QUERY}: Invalid version: ${declared.slice(0, 40)}`);
  const own = parseVersion(server) as Version;
  const range = servedRange(policy, own);
  if (isCompatible(client, own) || isWithin(client, range)) return { ok: true, version: declared };
  return refuse(4008, 'Protocol version mismatch', {
    server_version: server,
    client_version: declared,
    min_supported: show(range.min),
    max_supported: show(range.max),
  });
}

/** The lowest and the highest version that is served. Patches are ignored. */
function servedRange(policy: VersionPolicy, own: Version): VersionRange {
  const newest = policy === 'preview' && own.major === 0 && own.minor < PREVIEW.minor ? PREVIEW : own;
  const max = { ...newest, patch: 999 };
  if (policy !== 'strict') return { min: OLDEST, max };
  return { min: { ...own, minor: own.major === 0 ? own.minor : 0, patch: 0 }, max };
}

/** From 1.0 on, the published generations below it are served too. */
function isWithin({ major, minor }: Version, { min, max }: VersionRange): boolean {
  if (major !== 0 || min.major !== 0) return false;
  return minor >= min.minor && minor <= (max.major === 0 ? max.minor : PREVIEW.minor - 1);
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
