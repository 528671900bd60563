import type { ServerConfig } from '@a2c/config';
import { REDACTED, redactSecrets } from '@a2c/protocol';

/** Shorter values would take ordinary words out of ordinary texts. */
const SHORTEST_SECRET = 4;
const SECRET_NAME = /key|token|secret|pass|auth|cred|cookie/i;

/**
 * A text without what was filled in for this server: a child's last words may hold its token, an address may hold a key.
 * Every text that a placeholder made, every header, and every variable whose name says so is taken out.
 */
export function withoutSecrets(text: string, raw: ServerConfig, resolved: ServerConfig): string {
  return secretsOf(raw, resolved).reduce((rest, secret) => rest.replaceAll(secret, REDACTED), redactSecrets(text));
}

function secretsOf(raw: ServerConfig, resolved: ServerConfig): string[] {
  const written = new Set(textsOf(raw.transport));
  const filledIn = textsOf(resolved.transport).filter((text) => !written.has(text));
  return [...filledIn, ...namedSecrets(resolved)]
    .filter((text) => text.length >= SHORTEST_SECRET)
    .toSorted((a, b) => b.length - a.length); // The longest first, so that one that holds another goes whole.
}

function namedSecrets({ transport }: ServerConfig): string[] {
  switch (transport.type) {
    case 'stdio':
      return Object.entries(transport.env).flatMap(([name, value]) => (SECRET_NAME.test(name) ? [value] : []));
    case 'unix':
      return [];
    default:
      return Object.values(transport.http_headers).flatMap((value) => [value, value.replace(/^\w+ /, '')]);
  }
}

function textsOf(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsOf) : [];
}
