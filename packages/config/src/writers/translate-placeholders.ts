import type { JsonObject, JsonValue } from '../json/json-value.js';
import type { ConfigFormat, WritableFormat } from '../model/formats.js';

const PLACEHOLDER = /\$\{([^}]*)\}/g;
const NAME = /^[A-Za-z_][A-Za-z0-9_]*$/;
const NAMES_EVERYWHERE = ['userHome', 'workspaceFolder', 'MCP_ROOT', 'CLAUDE_PLUGIN_ROOT'];

/**
 * Writes the placeholders of a text as the target spells them, so that they mean the same there. What has no spelling is
 * kept and told: a secret stays a placeholder, whatever happens.
 */
export function translatePlaceholders(
  text: string,
  from: ConfigFormat,
  to: WritableFormat,
  tell: (message: string) => void,
): string {
  const keepsUnknown = (format: ConfigFormat) => format === 'a2c' || format === 'vscode';
  return text.replaceAll(PLACEHOLDER, (whole, name: string) => {
    if (name.startsWith('input:')) {
      if (!keepsUnknown(to)) tell(`\${${name}} needs inputs, which ${to} does not have`);
      return whole;
    }
    if (name.startsWith('env:')) return keepsUnknown(to) ? whole : `\${${name.slice('env:'.length)}}`;
    if (NAMES_EVERYWHERE.includes(name)) return to === 'vscode' && name !== 'userHome' ? '${workspaceFolder}' : whole;
    if (keepsUnknown(from) === keepsUnknown(to)) return whole;
    if (keepsUnknown(from)) tell('a "${…}" that was plain text becomes a placeholder');
    else if (NAME.test(name)) return `\${env:${name}}`;
    else tell('a placeholder with a default becomes plain text');
    return whole;
  });
}

/** The same for every text in a JSON value. */
export function translateValue(value: JsonValue, translate: (text: string) => string): JsonValue {
  if (typeof value === 'string') return translate(value);
  if (Array.isArray(value)) return value.map((item) => translateValue(item, translate));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [key, translateValue(inner, translate)]),
  ) satisfies JsonObject;
}
