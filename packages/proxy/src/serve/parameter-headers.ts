import type { IncomingHttpHeaders } from 'node:http';
import { isRecord } from '@a2c/protocol';
import type { Registry } from '../registry.js';
import { exposedTools } from './exposed-names.js';

const HEADER_MISMATCH = -32020;
const BASE64 = /^=\?base64\?(.*)\?=$/;

type Fields = Readonly<Record<string, unknown>>;

/**
 * Why a `tools/call` over HTTP is rejected: its `Mcp-Param-…` headers contradict its arguments. MCP 2026-07-28 lets a
 * tool require some arguments as headers, so that proxies can route by them. Undefined for all other messages.
 */
export function parameterMismatch(
  message: unknown,
  headers: IncomingHttpHeaders,
  registry: Registry,
): { readonly code: number; readonly message: string } | undefined {
  if (!isRecord(message) || message.method !== 'tools/call' || !isRecord(message.params)) return undefined;
  const { name, arguments: args } = message.params;
  const tool = exposedTools(registry).find((exposed) => exposed.name === name);
  if (!tool || !isRecord(args)) return undefined;
  const header = mismatchingHeader(tool.item.inputSchema, args, headers);
  if (header === undefined) return undefined;
  return { code: HEADER_MISMATCH, message: `The header ${header} does not repeat its argument` };
}

/** The first header that differs from its argument. */
function mismatchingHeader(schema: Fields, args: Fields, headers: IncomingHttpHeaders): string | undefined {
  if (!isRecord(schema.properties)) return undefined;
  for (const [name, property] of Object.entries(schema.properties)) {
    const header = isRecord(property) ? mismatchOf(property, args[name], headers) : undefined;
    if (header) return header;
  }
  return undefined;
}

function mismatchOf(property: Fields, value: unknown, headers: IncomingHttpHeaders): string | undefined {
  if (isRecord(value)) return mismatchingHeader(property, value, headers);
  const name = property['x-mcp-header'];
  if (typeof name !== 'string' || value === undefined || value === null) return undefined;
  const header = `Mcp-Param-${name}`;
  const given = decode(headers[header.toLowerCase()]);
  const isEqual = typeof value === 'number' ? given !== undefined && Number(given) === value : given === String(value);
  return isEqual ? undefined : header;
}

/** Undefined if the header is absent or its encoding is invalid. */
function decode(text: string | string[] | undefined): string | undefined {
  if (typeof text !== 'string') return undefined;
  const encoded = BASE64.exec(text)?.[1];
  if (encoded === undefined) return text;
  const bytes = Buffer.from(encoded, 'base64');
  return bytes.toString('base64') === encoded ? bytes.toString('utf8') : undefined;
}
