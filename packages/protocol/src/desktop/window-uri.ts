import { SMCPError } from '../errors.js';

const SCHEME = 'window://';

/** Longer ones are refused before anything looks at them. */
export const MAX_WINDOW_URI_LENGTH = 8_192;

/** `window://host[/segment…][?priority=0…100&fullscreen=true|false]`: a resource an Agent sees on its desktop. */
export interface WindowUri {
  /** Names the MCP server's window space; reverse domain names keep them apart. */
  readonly host: string;
  /** Percent-decoded: `c%2Fd` is one segment `c/d`. */
  readonly segments: readonly string[];
  /** The older generation of metadata, in the URI itself. */
  readonly priority?: number;
  readonly fullscreen?: boolean;
}

const TRUE = new Set(['1', 'true', 'yes', 'on']);
const FALSE = new Set(['0', 'false', 'no', 'off']);

/** Reads a window URI, or throws an `SMCPError` 400 that says what is wrong with it. */
export function parseWindowUri(uri: string): WindowUri {
  if (uri.length > MAX_WINDOW_URI_LENGTH) throw invalid(uri, `longer than ${MAX_WINDOW_URI_LENGTH} characters`);
  if (!uri.startsWith(SCHEME)) throw invalid(uri, `expected it to start with ${SCHEME}`);
  const [address = '', ...query] = withoutFragment(uri.slice(SCHEME.length)).split('?');
  const [host = '', ...segments] = address.split('/');
  if (host === '') throw invalid(uri, 'the host is missing');
  const params = new URLSearchParams(query.join('?'));
  const priority = readPriority(uri, params.get('priority'));
  const fullscreen = readFullscreen(uri, params.get('fullscreen'));
  return {
    host,
    segments: withoutTrailingSlash(segments).map((segment) => decode(uri, segment)),
    ...(priority !== undefined && { priority }),
    ...(fullscreen !== undefined && { fullscreen }),
  };
}

export function isWindowUri(uri: string): boolean {
  try {
    parseWindowUri(uri);
    return true;
  } catch (error) {
    if (error instanceof SMCPError) return false;
    throw error;
  }
}

/** An empty segment cannot be told from a trailing slash, so the builder refuses one. */
export function buildWindowUri({ host, segments, priority, fullscreen }: WindowUri): string {
  const path = segments.map((segment) => `/${encode(segment)}`).join('');
  const params = new URLSearchParams();
  if (priority !== undefined) params.set('priority', String(priority));
  if (fullscreen !== undefined) params.set('fullscreen', String(fullscreen));
  const uri = `${SCHEME}${host}${path}${params.size > 0 ? `?${params}` : ''}`;
  // Reading it back refuses a priority out of range; the comparison, a host that is really a host and a path.
  if (parseWindowUri(uri).host !== host) throw invalid(uri, 'the host must not contain /, ? or #');
  return uri;
}

/** The URI without the older generation's metadata. */
export function withoutQuery(uri: string): string {
  return uri.split('?', 1)[0] as string;
}

function readPriority(uri: string, text: string | null): number | undefined {
  if (text === null) return undefined;
  const priority = /^[+-]?\d{1,9}$/.test(text.trim()) ? Number(text) : Number.NaN;
  if (priority >= 0 && priority <= 100) return priority;
  throw invalid(uri, 'priority must be a whole number from 0 to 100');
}

function readFullscreen(uri: string, text: string | null): boolean | undefined {
  if (text === null) return undefined;
  const word = text.trim().toLowerCase();
  if (TRUE.has(word)) return true;
  if (FALSE.has(word)) return false;
  throw invalid(uri, 'fullscreen must be one of 1, true, yes, on, 0, false, no, off');
}

function decode(uri: string, segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch (cause) {
    throw invalid(uri, 'a path segment is not validly percent-encoded', cause);
  }
}

function encode(segment: string): string {
  if (segment === '') throw new SMCPError('BadRequest', 'a window path segment must not be empty');
  try {
    return encodeURIComponent(segment);
  } catch (cause) {
    throw new SMCPError('BadRequest', 'a window path segment is not well-formed Unicode', { cause });
  }
}

function withoutFragment(text: string): string {
  return text.split('#', 1)[0] as string;
}

function withoutTrailingSlash(segments: readonly string[]): readonly string[] {
  return segments.length === 1 && segments[0] === '' ? [] : segments;
}

function invalid(uri: string, problem: string, cause?: unknown): SMCPError {
  const shown = uri.length > 200 ? `${uri.slice(0, 200)}…` : uri;
  return new SMCPError('BadRequest', `invalid window URI ${JSON.stringify(shown)}: ${problem}`, { cause });
}
