import type { JsonObject } from '@a2c/config';
import { isRecord } from '@a2c/protocol';

const DECLARATION = 'x-mcp-header';
const TOKEN = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/;
const PLAIN = /^[\t\x20-\x7e]+$/;

/**
 * The HTTP headers for arguments that the schema marks with `x-mcp-header` (MCP 2026-07-28), which gateways use for
 * routing. Servers reject a call without them. Only parameters below `properties` can be marked.
 */
export function parameterHeaders(schema: unknown, args: unknown): Record<string, string> {
  if (!isRecord(schema) || !isRecord(schema.properties) || !isRecord(args)) return {};
  const headers: Record<string, string> = {};
  for (const [name, property] of Object.entries(schema.properties)) {
    if (!isRecord(property) || !Object.hasOwn(args, name)) continue;
    const header = property[DECLARATION];
    const text = textOf((args as JsonObject)[name]);
    if (typeof header === 'string' && TOKEN.test(header) && text !== undefined) {
      headers[`Mcp-Param-${header}`] = encode(text);
    }
    Object.assign(headers, parameterHeaders(property, args[name]));
  }
  return headers;
}

function textOf(value: unknown): string | undefined {
  if (typeof value === 'number') return Number.isFinite(value) ? String(value) : undefined;
  return typeof value === 'string' || typeof value === 'boolean' ? String(value) : undefined;
}

/** Values that are not valid in a header are sent as base64 in `=?base64?…?=`. */
function encode(text: string): string {
  const isPlain = PLAIN.test(text) && text === text.trim() && !/^=\?base64\?.*\?=$/.test(text);
  return isPlain ? text : `=?base64?${Buffer.from(text).toString('base64')}?=`;
}
