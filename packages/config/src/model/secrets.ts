// Finds secrets in the texts of a configuration, for masking and redaction.
import { existsSync } from 'node:fs';
import { delimiter, dirname, isAbsolute } from 'node:path';
import { MIN_SECRET_LENGTH } from '@a2c/protocol';
import { mapOAuthTexts, OAUTH_SECRETS } from './oauth-settings.js';
import {
  ORDINARY_VALUE,
  type Replace,
  replaceInUrl,
  type SecretCandidate,
  URL_PASSWORD,
  withoutScheme,
} from './secret-shapes.js';
import { replaceInArguments, replaceInText } from './secrets-in-arguments.js';
import type { ServerConfig, Transport } from './server-config.js';

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
 * `env` and of headers, the secrets of `oauth`, and likely secrets in arguments, addresses and these values. Numbers,
 * log levels and the like are not secrets, and neither are paths: without them, no error can be understood. Of a value
 * with a placeholder, pass the resolved form.
 */
export function secretValues({ transport }: Pick<ServerConfig, 'transport'>): string[] {
  const values = new Set<string>();
  const add: Replace = (candidate) => {
    if (candidate.likely) for (const form of formsOf(candidate)) values.add(form);
    return candidate.text;
  };
  replaceSecrets(transport, (candidate) => {
    add(candidate);
    // A program prints the password of a connection string alone.
    return candidate.likely ? replaceInText(candidate.text, candidate.label, add) : candidate.text;
  });
  return withEncodings(
    [...values].filter((text) => isLongSecret(text) && !ORDINARY_VALUE.test(text) && !isPathList(text)),
  );
}

/** Whether a secret is removed from texts: a shorter one would remove ordinary words. */
export function isLongSecret(text: string): boolean {
  return text.length >= MIN_SECRET_LENGTH;
}

/** Adds to secrets the forms in which programs print them: as in JSON, and in base64. Longest first, each once. */
export function withEncodings(secrets: readonly string[]): string[] {
  const forms = secrets.flatMap((text) => {
    if (!isLongSecret(text)) return [text];
    const bytes = Buffer.from(text);
    return [text, JSON.stringify(text).slice(1, -1), bytes.toString('base64'), bytes.toString('base64url')];
  });
  return [...new Set(forms)].toSorted((a, b) => b.length - a.length); // One secret may contain another.
}

/** How a secret may be written elsewhere: without scheme, the password alone, and as JSON and addresses encode it. */
function formsOf({ text, label }: SecretCandidate): string[] {
  const { rest } = withoutScheme(text);
  const password = label === URL_PASSWORD ? text.slice(text.indexOf(':') + 1) : text;
  return [text, rest, password].flatMap((form) => [
    form,
    fromJson(form),
    decoded(form),
    ...encoded(form),
    ...encoded(decoded(form)), // also if the secret itself has escapes
    inAddress(form),
  ]);
}

function fromJson(text: string): string {
  try {
    return String(JSON.parse(`"${text}"`));
  } catch {
    return text; // It is not from JSON.
  }
}

/** As `URL` writes a password: it encodes fewer characters than `encodeURIComponent`. */
function inAddress(password: string): string {
  return Object.assign(new URL('http://host'), { password }).password;
}

/** As programs write it in an address, with escapes in upper or lower case. */
function encoded(text: string): string[] {
  try {
    const upper = encodeURIComponent(text);
    return [upper, upper.replaceAll(/%[\dA-F]{2}/g, (code) => code.toLowerCase())];
  } catch {
    return []; // It contains half of a surrogate pair.
  }
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
