// Finds secrets in the texts of a configuration, for masking, redaction and import.
import { existsSync } from 'node:fs';
import { delimiter, dirname, isAbsolute } from 'node:path';
import { MIN_SECRET_LENGTH } from '@a2c/protocol';
import type { ServerConfig } from './server-config.js';

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
        `${scheme}${replace({ text, label: text.includes(':') ? 'url user:password' : 'url user', likely: true })}@`,
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
 * The values of a server's configuration that must not appear in logs, errors and records, longest first: all values of
 * `env` and of headers. Numbers, log levels and the like are not secrets, and neither are paths: without them, no error
 * can be understood. Of a value with a placeholder, pass the resolved form.
 */
export function secretValues({ transport }: Pick<ServerConfig, 'transport'>): string[] {
  const values = 'env' in transport ? Object.values(transport.env) : headerValues(transport);
  return [...new Set(values)]
    .filter((text) => text.length >= MIN_SECRET_LENGTH && !ORDINARY_VALUE.test(text) && !isPathList(text))
    .toSorted((a, b) => b.length - a.length); // One secret may contain another.
}

function headerValues(transport: ServerConfig['transport']): string[] {
  if (!('http_headers' in transport)) return [];
  return Object.values(transport.http_headers).flatMap((value) => [value, withoutScheme(value).rest]);
}

/** Whether a text consists of paths in existing folders. A random value may begin with a slash. */
export function isPathList(text: string): boolean {
  return text.split(delimiter).every((path) => {
    const folder = dirname(path);
    return isAbsolute(path) && existsSync(dirname(folder) === folder ? path : folder);
  });
}
