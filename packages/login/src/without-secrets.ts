import { MIN_SECRET_LENGTH } from '@a2c/protocol';

/**
 * Replaces secrets in a text. Short ones are kept: an authorization server chooses client secrets and tokens, and one
 * letter would make every message unreadable.
 */
export function withoutSecrets(text: string, secrets: Iterable<string | undefined>): string {
  return [...secrets].reduce<string>(
    (rest, secret) => (secret && secret.length >= MIN_SECRET_LENGTH ? rest.replaceAll(secret, '***') : rest),
    text,
  );
}
