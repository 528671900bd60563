import { existsSync } from 'node:fs';
import { delimiter, dirname, isAbsolute } from 'node:path';
import type { ServerConfig } from '@a2c/config';
import { REDACTED, redactSecrets, stringsIn } from '@a2c/protocol';

/** Shorter values would remove ordinary words from ordinary texts. */
const MIN_SECRET_LENGTH = 4;
const SECRET_NAME = /key|token|secret|pass|auth|cred|cookie/i;

/**
 * Removes from a text what was filled in for this server: stderr may contain its token, an address may contain a key.
 * Secrets are all texts that a placeholder produced, all header values, and variables with a name such as `API_KEY`.
 * The program, the working directory and other paths are not secrets: without them, no error can be understood.
 */
export function redactConfig(text: string, raw: ServerConfig, resolved: ServerConfig): string {
  return secretsOf(raw, resolved).reduce((rest, secret) => rest.replaceAll(secret, REDACTED), redactSecrets(text));
}

function secretsOf(raw: ServerConfig, resolved: ServerConfig): string[] {
  const written = new Set(stringsIn(raw.transport));
  const filledIn = stringsIn(resolved.transport).filter((text) => !written.has(text) && !isPublic(text, resolved));
  return [...filledIn, ...namedSecrets(resolved)]
    .filter((text) => text.length >= MIN_SECRET_LENGTH)
    .toSorted((a, b) => b.length - a.length); // Longest first: one secret may contain another.
}

function isPublic(text: string, { transport }: ServerConfig): boolean {
  if ('argv' in transport && (text === transport.argv[0] || text === transport.cwd)) return true;
  return text.split(delimiter).every(isPath);
}

/** An absolute path in an existing folder. A random value may begin with a slash. */
function isPath(text: string): boolean {
  const folder = dirname(text);
  return isAbsolute(text) && existsSync(dirname(folder) === folder ? text : folder);
}

function namedSecrets({ transport }: ServerConfig): string[] {
  if ('env' in transport) {
    return Object.entries(transport.env).flatMap(([name, value]) => (SECRET_NAME.test(name) ? [value] : []));
  }
  if (!('http_headers' in transport)) return [];
  return Object.values(transport.http_headers).flatMap((value) => [value, value.replace(/^\w+ /, '')]);
}
