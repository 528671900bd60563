import { isLongSecret } from '@a2c/config';

/**
 * Replaces secrets in a text. Short ones are kept: an authorization server chooses client secrets and tokens, and one
 * letter would make every message unreadable.
 */
export function withoutSecrets(text: string, secrets: Iterable<string | undefined>): string {
  return [...secrets].reduce<string>(
    (rest, secret) => (secret !== undefined && isLongSecret(secret) ? rest.replaceAll(secret, '***') : rest),
    text,
  );
}
