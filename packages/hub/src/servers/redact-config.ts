import { isPathList, type ServerConfig, secretValues } from '@a2c/config';
import { redactLog, redactValues, stringsIn } from '@a2c/protocol';

/**
 * Removes from a text what was configured or filled in for this server: stderr may contain its token, an address may
 * contain a key. Secrets are all texts that a placeholder produced, and all values of variables and headers. The
 * program, the working directory and other paths are not secrets: without them, no error can be understood.
 */
export function redactConfig(text: string, raw: ServerConfig, resolved: ServerConfig): string {
  return redactValues(text, secretsOf(raw, resolved));
}

/** As `redactConfig`, for what the program wrote to stderr: the last lines are kept. */
export function redactStderr(stderr: string, raw: ServerConfig, resolved: ServerConfig): string {
  return redactLog(stderr, secretsOf(raw, resolved));
}

function secretsOf(raw: ServerConfig, resolved: ServerConfig): string[] {
  const written = new Set(stringsIn(raw.transport));
  const filledIn = stringsIn(resolved.transport).filter((text) => !written.has(text) && !isPublic(text, resolved));
  // Longest first: one secret may contain another.
  return [...filledIn, ...secretValues(resolved)].toSorted((a, b) => b.length - a.length);
}

function isPublic(text: string, { transport }: ServerConfig): boolean {
  if ('argv' in transport && (text === transport.argv[0] || text === transport.cwd)) return true;
  return isPathList(text);
}
