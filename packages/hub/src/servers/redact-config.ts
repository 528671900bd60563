import { insertedValues, isPathList, type ServerConfig, secretValues, withEncodings } from '@a2c/config';
import { MIN_SECRET_LENGTH, REDACTED, redactLog, redactValues, stringsIn, withLines } from '@a2c/protocol';

/**
 * Removes from a text what was configured or filled in for this server: stderr may contain its token, an address may
 * contain a key. Secrets are all texts that a placeholder produced, and all values of variables and headers. The
 * program, the working directory and other paths are not secrets: without them, no error can be understood.
 */
export function redactConfig(text: string, raw: ServerConfig, resolved: ServerConfig): string {
  const secrets = secretsOf(raw, resolved);
  return withoutUnfinished(redactValues(text, secrets), secrets);
}

/** As `redactConfig`, for what the program wrote to stderr: the last lines are kept. */
export function redactStderr(stderr: string, raw: ServerConfig, resolved: ServerConfig): string {
  const secrets = secretsOf(raw, resolved);
  return withoutUnfinished(redactLog(stderr, secrets), secrets);
}

/** Removes the start of a secret at the end of a text: a program may end while it writes one. */
function withoutUnfinished(text: string, secrets: readonly string[]): string {
  let longest = 0;
  for (const secret of secrets) {
    for (let length = secret.length - 1; length >= MIN_SECRET_LENGTH && length > longest; length--) {
      if (text.endsWith(secret.slice(0, length))) longest = length;
    }
  }
  return longest === 0 ? text : `${text.slice(0, -longest)}${REDACTED}`;
}

/** Those of a resolved configuration do not change, and one error may contain thousands of texts. */
const known = new WeakMap<ServerConfig, { readonly raw: ServerConfig; readonly secrets: readonly string[] }>();

function secretsOf(raw: ServerConfig, resolved: ServerConfig): readonly string[] {
  const found = known.get(resolved);
  if (found?.raw === raw) return found.secrets;
  const secrets = findSecrets(raw, resolved);
  known.set(resolved, { raw, secrets });
  return secrets;
}

function findSecrets(raw: ServerConfig, resolved: ServerConfig): string[] {
  const written = new Set(stringsIn(raw.transport));
  const filledIn = stringsIn(resolved.transport).filter((text) => !written.has(text));
  const secrets = [...filledIn, ...insertedValues(raw, resolved)].filter((text) => !isPublic(text, resolved));
  return withLines([...withEncodings(secrets), ...secretValues(resolved)]);
}

function isPublic(text: string, { transport }: ServerConfig): boolean {
  if ('argv' in transport && (text === transport.argv[0] || text === transport.cwd)) return true;
  return isPathList(text);
}
