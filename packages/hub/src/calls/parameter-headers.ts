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

/**
 * Why the `x-mcp-header` declarations of a schema are invalid; undefined if they are valid. A client must leave out such
 * a tool: a gateway could read its headers in another way than its server.
 */
export function invalidDeclaration(schema: unknown): string | undefined {
  const seen = new Set<string>();
  const find = (at: unknown, path: readonly string[], isParameter: boolean): string | undefined => {
    if (Array.isArray(at)) return first(at.map((item) => () => find(item, path, false)));
    if (!isRecord(at)) return undefined;
    if (Object.hasOwn(at, DECLARATION)) {
      const header = at[DECLARATION];
      const name = path.join('.');
      if (!isParameter) return `${name || 'the schema'} is not a parameter`;
      if (typeof header !== 'string' || !TOKEN.test(header)) return `${name}: the value is not the name of a header`;
      if (!HEADER_TYPES.has(String(at.type))) return `${name}: the type must be string, integer or boolean`;
      if (seen.has(header.toLowerCase())) return `${name}: another parameter has the same header`;
      seen.add(header.toLowerCase());
    }
    return first(
      Object.entries(at).map(([key, value]) => () => {
        if (key !== 'properties' || !isRecord(value)) return DATA.has(key) ? undefined : find(value, path, false);
        const isReachable = isParameter || path.length === 0;
        return first(
          Object.entries(value).map(
            ([name, property]) =>
              () =>
                find(property, [...path, name], isReachable),
          ),
        );
      }),
    );
  };
  return find(schema, [], false);
}

const HEADER_TYPES: ReadonlySet<string> = new Set(['string', 'integer', 'boolean']);
/** Keywords whose values are data, not schemas. */
const DATA: ReadonlySet<string> = new Set(['default', 'const', 'enum', 'examples']);

/** The first result that is not undefined. */
function first(checks: readonly (() => string | undefined)[]): string | undefined {
  for (const check of checks) {
    const found = check();
    if (found !== undefined) return found;
  }
  return undefined;
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
