import { ORDINARY_VALUE } from '../model/secret-shapes.js';
import { isLongSecret } from '../model/secrets.js';
import type { ServerConfig } from '../model/server-config.js';
import { placeholdersIn } from './syntax.js';

/** Placeholders of folders and the like. All others may stand for secrets. */
const PUBLIC = new Set(['MCP_ROOT', 'CLAUDE_PLUGIN_ROOT', 'workspaceFolder', 'userHome', 'pathSeparator']);

/**
 * The values that placeholders have inserted into longer texts of a server: a program may print such a value alone.
 * Without the hosts of addresses, and numbers and the like.
 */
export function insertedValues(
  { transport: raw }: Pick<ServerConfig, 'transport'>,
  { transport: resolved }: Pick<ServerConfig, 'transport'>,
): string[] {
  const values: string[] = [];
  const compare = (before: unknown, after: unknown): void => {
    if (typeof before === 'string' && typeof after === 'string') values.push(...valuesIn(before, after));
    else if (typeof before === 'object' && before !== null && typeof after === 'object' && after !== null)
      for (const [key, inner] of Object.entries(before)) compare(inner, (after as Record<string, unknown>)[key]);
  };
  compare(raw, resolved);
  return values.filter((text) => isLongSecret(text) && !ORDINARY_VALUE.test(text));
}

function valuesIn(raw: string, resolved: string): string[] {
  const values: string[] = [];
  const matches = placeholdersIn(raw);
  let from = matches[0]?.index ?? 0;
  for (const [index, { 0: placeholder, 1: name = '', index: at }] of matches.entries()) {
    // What follows the placeholder, up to the next one, ends its value.
    const next = raw.slice(at + placeholder.length, matches[index + 1]?.index);
    const isLast = index === matches.length - 1;
    const end = isLast ? resolved.length - next.length : resolved.indexOf(next, from);
    if (end < from) break;
    if (!PUBLIC.has(name)) values.push(resolved.slice(from, end));
    from = end + next.length;
  }
  return values.filter((value) => !isInHost(value, resolved));
}

function isInHost(value: string, text: string): boolean {
  return URL.canParse(text) && new URL(text).host.includes(value.toLowerCase());
}
