// What secrets look like: their names, their shapes, and their places in addresses.
import { SECRET_WORD } from '@a2c/protocol';

/** A text that may be a secret. */
export interface SecretCandidate {
  readonly text: string;
  /** The flag, header or parameter that holds it, to name the input that replaces it. */
  readonly label: string;
  /** Masking replaces every candidate, import replaces only likely ones. */
  readonly likely: boolean;
}

export type Replace = (suspect: SecretCandidate) => string;

/** What announces a secret in a text also does so in a configuration. */
const SECRET_NAME = new RegExp(
  `${SECRET_WORD}|key|passw|auth|bearer|cookie|session|private|connection.?string|kubeconfig.?data|(?<![a-z])(?:pat|pin|pass|pw|creds?|otp|dsn|signature)(?![a-z])`,
  'i',
);
const KNOWN_PREFIX =
  /^(?:[sp]k-|[sr]k_(?:live|test)_|gh[a-z]_|github_pat_|glpat-|xox[a-z]-|xapp-|A[KS]IA[A-Z0-9]|AIza|npm_|hf_|pypi-|dop_v1_|shp[a-z]{2}_|ya29\.|SG\.|ey[A-Za-z0-9_-]{10,}\.)(?=\S*[0-9A-Z])\S{6}/;
const RANDOM_SHAPE = /^[A-Za-z0-9+/_-]{32,}={0,2}$/;
/** A mix of digits, capitals and small letters that is too long for a name. */
const RANDOM_PART = /^(?=.*\d)(?=.*[a-z])(?=.*[A-Z]).{16,}$/;
/** Keys in paths of addresses are often shorter than others. */
const RANDOM_SEGMENT = /^(?=\D*\d)(?=[^a-z]*[a-z])(?=[^A-Z]*[A-Z])[\w-]{20,}$/;
/** The words and numbers of a path. */
const WORD = /[A-Z]?[a-z/]+|[A-Z]+|\d+|[+_-]/g;
/** The words of paths are longer on average, those of most keys shorter. */
const PATH_WORD_LENGTH = 3;
/** The label of `user:password` in an address. */
export const URL_PASSWORD = 'url user:password';
/** Also with several schemes, as in `jdbc:mysql://`. */
const URL_START = /^(?:[a-z][a-z0-9+.-]*:)+\/\//i;
/**
 * `user:password` ends at the last @ before the path. What would be a port, but is no number, is the start of a
 * password with a slash.
 */
const URL_CREDENTIALS = new RegExp(String.raw`(${URL_START.source})([^/?#]*|[^\s/?#:[$]*:(?!\d*[/?#])[^\s$]*)@`, 'i');

export function isSecretName(name: string): boolean {
  return SECRET_NAME.test(name);
}

/** Headers that hold no secret. */
const ORDINARY_HEADER = /^(?:accept(?:-[a-z]+)?|content-type|user-agent|host|origin|referer|cache-control)$/i;

export function isOrdinaryHeader(name: string): boolean {
  return ORDINARY_HEADER.test(name);
}

export function isUrl(text: string): boolean {
  return URL_START.test(text);
}

/** True for known key prefixes and for long mixes of letters and digits; false for paths and package names. */
export function looksRandom(text: string): boolean {
  if (KNOWN_PREFIX.test(text)) return true;
  if (!RANDOM_SHAPE.test(text) || !/\d/.test(text) || !/[A-Za-z]/.test(text) || text.includes('/')) return false;
  return (/[a-z]/.test(text) && /[A-Z]/.test(text)) || !/[-_]/.test(text);
}

/** Whether the shape of a text is that of a key. Unlike {@link looksRandom}, also that of long names. */
export function mayBeSecret(text: string): boolean {
  return KNOWN_PREFIX.test(text) || (RANDOM_SHAPE.test(text) && !isPath(text));
}

/**
 * An absolute path, unless it looks like a key, as a whole or in one of its names: about 1 key of 64 begins with a
 * slash, and may contain more.
 */
function isPath(text: string): boolean {
  if (!text.startsWith('/')) return false;
  if (text.length < PATH_WORD_LENGTH * (text.match(WORD)?.length ?? 0)) return false;
  return !text.split('/').some((name) => RANDOM_SHAPE.test(name) || RANDOM_PART.test(name));
}

/** Splits off an authentication scheme such as `Bearer`, which is not secret. */
export function withoutScheme(text: string): { readonly scheme: string; readonly rest: string } {
  const [, scheme = '', rest = ''] = /^((?:Bearer|Basic|Token)\s+)?(.*)$/is.exec(text) ?? [];
  return { scheme, rest };
}

/**
 * Replaces credentials, query values, `;password=…`, and path segments that look like a key: some services put the key
 * there.
 */
export function replaceInUrl(url: string, replace: Replace): string {
  return url
    .replaceAll(/(;\s*([^;=/?#]{1,60})=)([^;]*)/g, (pair, name: string, label: string, text: string) =>
      isSecretName(label) ? name + replace({ text, label, likely: true }) : pair,
    )
    .replace(
      URL_CREDENTIALS,
      (_, scheme: string, text: string) =>
        `${scheme}${replace({ text, label: text.includes(':') ? URL_PASSWORD : 'url user', likely: true })}@`,
    )
    .replaceAll(/(?<=[/:])[^/?#:]+/g, (text) =>
      mayBeSecret(text) || RANDOM_SEGMENT.test(text)
        ? replace({ text, label: 'url path', likely: looksRandom(text) || RANDOM_SEGMENT.test(text) })
        : text,
    )
    .replaceAll(
      /([?&#]([^?=&#]+)=)([^&#]*)/g,
      (_, name: string, label: string, text: string) =>
        name + replace({ text, label, likely: isSecretName(label) || looksRandom(text) }),
    );
}

/** Values that occur in ordinary texts and are never secrets: numbers, switches, log levels, modes. */
export const ORDINARY_VALUE =
  /^(?:[\d.,:-]+|true|false|none|null|auto|default|trace|debug|info|warn|warning|error|fatal|silent|production|development|staging|test|utf-?8)$/i;
