import { isSchemaObject, type SchemaObject } from '../schema/json-schema.js';

const BASE64 = /^=\?base64\?(.*)\?=$/;

/**
 * From 2026-07-28 on a tool may want some of its arguments repeated as `Mcp-Param-…` headers, for what stands between client and
 * server to route by. Returns the first header that does not say what the body says: such a request must be refused.
 */
export function mismatchingHeader(
  schema: SchemaObject,
  args: Readonly<Record<string, unknown>>,
  headers: Headers,
): string | undefined {
  if (!isSchemaObject(schema.properties)) return undefined;
  for (const [name, property] of Object.entries(schema.properties)) {
    if (!isSchemaObject(property)) continue;
    const wrong = mismatchAt(property, args[name], headers);
    if (wrong) return wrong;
  }
  return undefined;
}

function mismatchAt(property: SchemaObject, value: unknown, headers: Headers): string | undefined {
  if (isSchemaObject(value)) return mismatchingHeader(property, value, headers);
  const name = property['x-mcp-header'];
  if (typeof name !== 'string' || value === undefined || value === null) return undefined;
  const header = `Mcp-Param-${name}`;
  const read = decoded(headers.get(header));
  const isSame = typeof value === 'number' ? read !== undefined && Number(read) === value : read === String(value);
  return isSame ? undefined : header;
}

/** Undefined when there is no header or its encoding is broken. */
function decoded(text: string | null): string | undefined {
  if (text === null) return undefined;
  const encoded = BASE64.exec(text)?.[1];
  if (encoded === undefined) return text;
  const bytes = Buffer.from(encoded, 'base64');
  return bytes.toString('base64') === encoded ? bytes.toString('utf8') : undefined;
}
