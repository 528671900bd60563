import { isRecord } from './errors.js';
import { jsonText } from './limits.js';
import type { ContentBlock, ToolCallResult } from './messages.js';

/**
 * Reads a tool result as any peer writes it: `isError` or `is_error`, `meta` or `_meta`, `mime_type` for `mimeType`,
 * nulls for what is absent. Fields and blocks we do not know stay. Only names are mended; contents are not walked.
 */
export function readToolResult(answer: Record<string, unknown>): ToolCallResult {
  const { content, isError, is_error, meta, _meta, ...rest } = withoutNulls(answer);
  const metadata = { ...(isRecord(_meta) && _meta), ...(isRecord(meta) && meta) };
  return {
    ...rest,
    content: Array.isArray(content) ? content.map(readBlock) : [],
    isError: (isError ?? is_error) === true,
    ...(Object.keys(metadata).length > 0 && { meta: metadata }),
  };
}

function readBlock(block: unknown): ContentBlock {
  // Not MCP, but some tools return bare values; as text they are at least seen.
  if (!isRecord(block)) return { type: 'text', text: typeof block === 'string' ? block : jsonText(block) };
  const { meta, ...fields } = withMimeTypeMended(block);
  const read: ContentBlock = { type: 'unknown', ...fields, ...(isRecord(meta) && { _meta: meta }) };
  if (read.type !== 'resource') return read;
  if (isRecord(read.resource)) return { ...read, resource: withMimeTypeMended(read.resource) };
  // The Rust Computer sends an embedded resource without its contents, which in MCP is a link.
  return typeof read.uri === 'string' ? { name: read.uri, ...read, type: 'resource_link' } : read;
}

function withMimeTypeMended(fields: Record<string, unknown>): Record<string, unknown> {
  const { mime_type, ...rest } = withoutNulls(fields);
  return mime_type === undefined ? rest : { mimeType: mime_type, ...rest };
}

/** What an MCP client returns, as far as this wire cares. */
export interface McpToolResult {
  readonly content?: readonly object[];
  readonly isError?: boolean | undefined;
  readonly structuredContent?: unknown;
  readonly _meta?: Record<string, unknown> | undefined;
}

/** Writes an MCP tool result for this wire: the result's own `_meta` moves to `meta`, everything else stays as it is. */
export function writeToolResult(result: McpToolResult): ToolCallResult {
  const { _meta, ...rest } = withoutNulls(result);
  return {
    ...rest,
    content: (rest.content ?? []) as ContentBlock[],
    isError: rest.isError === true,
    ...(isRecord(_meta) && { meta: _meta }),
  };
}

/** A copy without the keys that hold null or undefined; `__proto__` is never a field of ours. */
export function withoutNulls(record: object): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(record).filter(([key, value]) => value !== null && value !== undefined && key !== '__proto__'),
  );
}
