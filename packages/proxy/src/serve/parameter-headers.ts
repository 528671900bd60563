import { isRecord } from '@a2c/protocol';
import type { Registry } from '../registry.js';
import { exposedTools } from './exposed-names.js';
import { rpcErrorResponse } from './rpc-error.js';

const HEADER_MISMATCH = -32020;
const BASE64 = /^=\?base64\?(.*)\?=$/;

type Fields = Readonly<Record<string, unknown>>;

/**
 * Reads the body of an HTTP request if its `Mcp-Method` header names the method; the request can be read again. Invalid
 * JSON gives undefined: the SDK rejects such a request itself.
 */
export async function bodyOf(request: Request, method: string): Promise<unknown> {
  if (request.headers.get('mcp-method') !== method) return undefined;
  return request
    .clone()
    .json()
    .catch(() => undefined);
}

/**
 * Rejects a `tools/call` whose `Mcp-Param-…` headers contradict its arguments. MCP 2026-07-28 lets a tool require some
 * arguments as headers, so that proxies can route by them. Returns undefined for all other requests.
 */
export async function rejectMismatch(request: Request, registry: Registry): Promise<Response | undefined> {
  const body = await bodyOf(request, 'tools/call');
  if (!isRecord(body) || !isRecord(body.params)) return undefined;
  const { id, params } = body;
  const tool = exposedTools(registry).find(({ name }) => name === params.name);
  if (!tool || !isRecord(params.arguments)) return undefined;
  const header = mismatchingHeader(tool.item.inputSchema, params.arguments, request.headers);
  if (header === undefined) return undefined;
  return rpcErrorResponse(400, HEADER_MISMATCH, `The header ${header} does not repeat its argument`, id);
}

/** The first header that differs from its argument. */
function mismatchingHeader(schema: Fields, args: Fields, headers: Headers): string | undefined {
  if (!isRecord(schema.properties)) return undefined;
  for (const [name, property] of Object.entries(schema.properties)) {
    const header = isRecord(property) ? mismatchOf(property, args[name], headers) : undefined;
    if (header) return header;
  }
  return undefined;
}

function mismatchOf(property: Fields, value: unknown, headers: Headers): string | undefined {
  if (isRecord(value)) return mismatchingHeader(property, value, headers);
  const name = property['x-mcp-header'];
  if (typeof name !== 'string' || value === undefined || value === null) return undefined;
  const header = `Mcp-Param-${name}`;
  const given = decode(headers.get(header));
  const isEqual = typeof value === 'number' ? given !== undefined && Number(given) === value : given === String(value);
  return isEqual ? undefined : header;
}

/** Undefined if the header is absent or its encoding is invalid. */
function decode(text: string | null): string | undefined {
  if (text === null) return undefined;
  const encoded = BASE64.exec(text)?.[1];
  if (encoded === undefined) return text;
  const bytes = Buffer.from(encoded, 'base64');
  return bytes.toString('base64') === encoded ? bytes.toString('utf8') : undefined;
}
