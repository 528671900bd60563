import { SMCPError } from '../errors.js';

const SCHEME = 'window://';

/** Longer URIs are rejected without parsing. */
export const MAX_WINDOW_URI_LENGTH = 8_192;

/** The parts of `window://host[/segment…][?priority=0…100&fullscreen=true|false]`, the URI of a window. */
export interface WindowUri {
  /** The namespace of the MCP server's windows, preferably a reverse domain name. */
  readonly host: string;
  /** Percent-decoded: `c%2Fd` is one segment `c/d`. */
  readonly segments: readonly string[];
  /** From 0 to 100. */
  readonly priority?: number;
  readonly fullscreen?: boolean;
}

const TRUE = new Set(['1', 'true', 'yes', 'on']);
const FALSE = new Set(['0', 'false', 'no', 'off']);

/**
 * Parses a window URI.
 *
 * @throws SMCPError `BadRequest` that names the problem.
 */
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

/** Whether a text is a valid window URI. */
export function isWindowUri(uri: string): boolean {
  try {
    parseWindowUri(uri);
    return true;
  } catch (error) {
    if (error instanceof SMCPError) return false;
    throw error;
  }
}

/**
 * Builds a window URI.
 *
 * @throws SMCPError `BadRequest` for an invalid host or priority, and for an empty segment, which would look like a
 * trailing slash.
 */
export function buildWindowUri({ host, segments, priority, fullscreen }: WindowUri): string {
  const path = segments.map((segment) => `/${encode(segment)}`).join('');
  const params = new URLSearchParams();
  if (priority !== undefined) params.set('priority', String(priority));
  if (fullscreen !== undefined) params.set('fullscreen', String(fullscreen));
  const uri = `${SCHEME}${host}${path}${params.size > 0 ? `?${params}` : ''}`;
  // Parsing checks the priority; the comparison rejects a host that contains a path.
  if (parseWindowUri(uri).host !== host) throw invalid(uri, 'the host must not contain /, ? or #');
  return uri;
}

/** The URI without its query, which holds the metadata of the older generation. */
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
