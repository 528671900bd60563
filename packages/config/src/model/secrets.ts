// Finds secrets in the texts of a configuration, for masking, redaction and import.
import { existsSync } from 'node:fs';
import { delimiter, dirname, isAbsolute } from 'node:path';
import { MIN_SECRET_LENGTH } from '@a2c/protocol';
import { mapOAuthTexts, OAUTH_SECRETS } from './oauth-settings.js';
import type { ServerConfig, Transport } from './server-config.js';

/** A text that may be a secret. */
export interface SecretCandidate {
  readonly text: string;
  /** The flag, header or parameter that holds it, to name the input that replaces it. */
  readonly label: string;
  /** Masking replaces every candidate, import replaces only likely ones. */
  readonly likely: boolean;
}

export type Replace = (suspect: SecretCandidate) => string;

const SECRET_NAME = /key|token|secret|passw|credential|auth|bearer|cookie|session|private/i;
const KNOWN_PREFIX = /^(?:sk-|pk-|gh[a-z]_|github_pat_|glpat-|xox[a-z]-|AKIA|AIza|ey[A-Za-z0-9_-]{10,}\.)/;
const RANDOM_SHAPE = /^[A-Za-z0-9+/_-]{32,}={0,2}$/;
const FLAG_WITH_VALUE = /^(--?[^=]+=|[A-Za-z_][A-Za-z0-9_]*=)(.*)$/s;
const HEADER_ARGUMENT = /^([A-Za-z-]+:\s*)(.*)$/s;
const URL_PASSWORD = 'url user:password';
const URL_START = /^[a-z][a-z0-9+.-]*:\/\//i;

export function isSecretName(name: string): boolean {
  return SECRET_NAME.test(name);
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

function mayBeSecret(text: string): boolean {
  return KNOWN_PREFIX.test(text) || RANDOM_SHAPE.test(text);
}

/** Splits off an authentication scheme such as `Bearer`, which is not secret. */
export function withoutScheme(text: string): { readonly scheme: string; readonly rest: string } {
  const [, scheme = '', rest = ''] = /^((?:Bearer|Basic|Token)\s+)?(.*)$/is.exec(text) ?? [];
  return { scheme, rest };
}

/** Replaces arguments whose flag or shape suggests a secret. */
export function replaceInArguments(argv: readonly string[], replace: Replace): string[] {
  return argv.map((argument, index) => {
    const previous = argv[index - 1] ?? '';
    const [, flag, value] = FLAG_WITH_VALUE.exec(argument) ?? [];
    if (flag !== undefined && value !== undefined && (isSecretName(flag) || mayBeSecret(value))) {
      return (
        flag + replace({ text: value, label: flag.slice(0, -1), likely: isSecretName(flag) || looksRandom(value) })
      );
    }
    const [, header, content] = HEADER_ARGUMENT.exec(argument) ?? [];
    if (header !== undefined && content !== undefined && isSecretName(header)) {
      return header + replace({ text: content, label: header.split(':')[0] ?? '', likely: true });
    }
    if (isUrl(argument)) return replaceInUrl(argument, replace);
    const follows = previous.startsWith('-') && !previous.includes('=') && isSecretName(previous);
    const named = follows && !argument.startsWith('-');
    if (!named && !mayBeSecret(argument)) return argument;
    return replace({
      text: argument,
      label: named ? previous : `argument ${index}`,
      likely: named || looksRandom(argument),
    });
  });
}

/** Replaces credentials, query values, and path segments that look like a key: some services put the key there. */
export function replaceInUrl(url: string, replace: Replace): string {
  return url
    .replace(
      /^([a-z][a-z0-9+.-]*:\/\/)([^/?#@]*)@/i,
      (_, scheme: string, text: string) =>
        `${scheme}${replace({ text, label: text.includes(':') ? URL_PASSWORD : 'url user', likely: true })}@`,
    )
    .replaceAll(/(?<=\/)[^/?#]+/g, (text) =>
      mayBeSecret(text) ? replace({ text, label: 'url path', likely: looksRandom(text) }) : text,
    )
    .replaceAll(
      /([?&]([^=&#]+)=)([^&#]*)/g,
      (_, name: string, label: string, text: string) =>
        name + replace({ text, label, likely: isSecretName(label) || looksRandom(text) }),
    );
}

/** Values of variables that occur in ordinary texts and are never secrets: numbers, switches, log levels, modes. */
const ORDINARY_VALUE =
  /^(?:[\d.,:-]+|true|false|none|null|auto|default|trace|debug|info|warn|warning|error|fatal|silent|production|development|staging|test|utf-?8)$/i;

/**
 * Replaces every text of a transport that may be a secret: all values of `env` and of headers, because a name does not
 * prove that a value is harmless, the secrets of `oauth`, and parts of arguments and addresses.
 */
export function replaceSecrets<T extends Transport>(transport: T, replace: Replace): T {
  const values = (map: Readonly<Record<string, string>>) =>
    Object.fromEntries(
      Object.entries(map).map(([label, text]) => [label, replace({ text, label, likely: true })] as const),
    );
  const inOAuth = (field: string, text: string) =>
    (OAUTH_SECRETS as readonly string[]).includes(field) ? replace({ text, label: field, likely: true }) : text;
  if ('argv' in transport) {
    const argv = replaceInArguments(transport.argv, replace);
    return { ...transport, argv, env: values(transport.env) };
  }
  if (!('http_headers' in transport)) return transport; // Sockets, and the transports of programs that use the hub.
  const { url, http_headers, oauth } = transport;
  return {
    ...transport,
    url: replaceInUrl(url, replace),
    ...('sse_url' in transport && { sse_url: transport.sse_url && replaceInUrl(transport.sse_url, replace) }),
    http_headers: values(http_headers),
    ...(oauth && { oauth: mapOAuthTexts(oauth, inOAuth) }),
  };
}

/**
 * The values of a server's configuration that must not appear in logs, errors and records, longest first: all values of
 * `env` and of headers, the secrets of `oauth`, and likely secrets in arguments and addresses. Numbers, log levels and
 * the like are not secrets, and neither are paths: without them, no error can be understood. Of a value with a
 * placeholder, pass the resolved form.
 */
export function secretValues({ transport }: Pick<ServerConfig, 'transport'>): string[] {
  const values = new Set<string>();
  replaceSecrets(transport, (candidate) => {
    if (candidate.likely) for (const form of formsOf(candidate)) values.add(form);
    return candidate.text;
  });
  return withEncodings(
    [...values].filter((text) => text.length >= MIN_SECRET_LENGTH && !ORDINARY_VALUE.test(text) && !isPathList(text)),
  );
}

/** Adds to secrets the forms in which programs print them: as in JSON, and in base64. Longest first, each once. */
export function withEncodings(secrets: readonly string[]): string[] {
  const forms = secrets.flatMap((text) => {
    if (text.length < MIN_SECRET_LENGTH) return [text];
    const bytes = Buffer.from(text);
    return [text, JSON.stringify(text).slice(1, -1), bytes.toString('base64'), bytes.toString('base64url')];
  });
  return [...new Set(forms)].toSorted((a, b) => b.length - a.length); // One secret may contain another.
}

/** How a secret may be written elsewhere: without its scheme, the password alone, and as it is encoded in addresses. */
function formsOf({ text, label }: SecretCandidate): string[] {
  const { rest } = withoutScheme(text);
  const password = label === URL_PASSWORD ? text.slice(text.indexOf(':') + 1) : text;
  return [text, rest, password].flatMap((form) => [form, decoded(form), encodeURIComponent(decoded(form))]);
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text; // It contains a percent sign that encodes nothing.
  }
}

/** Whether a text consists of paths in existing folders. A random value may begin with a slash. */
export function isPathList(text: string): boolean {
  return text.split(delimiter).every((path) => {
    const folder = dirname(path);
    return isAbsolute(path) && existsSync(dirname(folder) === folder ? path : folder);
  });
}
