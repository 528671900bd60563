import { isRecord, jsonText, withoutNulls } from './json.js';
import type { CallToolResult, ContentBlock, ToolCallRet } from './messages/answers.js';

/**
 * Reads a tool result from the wire. Accepts the variants of all known peers: `isError` or `is_error`, `meta` or
 * `_meta`, `mime_type` for `mimeType`, null for an absent field. Unknown fields and blocks are kept; contents are not
 * copied.
 */
export function readToolResult(answer: Record<string, unknown>): CallToolResult {
  const { content, isError, is_error } = answer;
  const result: Record<string, unknown> = {
    content: Array.isArray(content) ? content.map(readBlock) : [],
    isError: (isError ?? is_error) === true,
  };
  // A loop: destructuring with a rest is a slow call into the engine.
  for (const key in answer) if (!READ_FIELDS.has(key) && answer[key] != null) result[key] = answer[key];
  const metadata = metadataOf(answer);
  if (metadata) result._meta = metadata;
  return result as unknown as CallToolResult;
}

/** The fields that are not copied as they are. */
const READ_FIELDS: ReadonlySet<string> = new Set(['content', 'isError', 'is_error', 'meta', '_meta', '__proto__']);

function readBlock(block: unknown): ContentBlock {
  // Some tools return bare values instead of content blocks; they become text.
  if (!isRecord(block)) return { type: 'text', text: typeof block === 'string' ? block : jsonText(block) };
  if (block.type === 'text' && typeof block.text === 'string' && Object.keys(block).length === 2)
    return block as ContentBlock;
  const fields = readFields(block);
  const type = typeof fields.type === 'string' ? fields.type : 'unknown';
  if (type === 'resource' && isRecord(fields.resource))
    return { ...fields, type, resource: readFields(fields.resource) };
  // The Rust Computer sends an embedded resource without contents, which is a resource link in MCP.
  if (type === 'resource' && typeof fields.uri === 'string')
    return { name: fields.uri, ...fields, type: 'resource_link' };
  return { ...fields, type };
}

/** The fields of a block or an embedded resource, in MCP's spelling. */
function readFields(raw: Record<string, unknown>): Record<string, unknown> {
  const { mime_type, annotations, ...fields } = withoutNulls(raw);
  return {
    ...(mime_type !== undefined && { mimeType: mime_type }),
    ...withMetadataMerged(fields),
    ...(annotations !== undefined && { annotations: isRecord(annotations) ? withoutNulls(annotations) : annotations }),
  };
}

function withMetadataMerged(given: Record<string, unknown>): Record<string, unknown> {
  const { meta: _, _meta: __, ...fields } = given;
  const metadata = metadataOf(given);
  return metadata ? { ...fields, _meta: metadata } : fields;
}

function metadataOf({ meta, _meta }: Record<string, unknown>): Record<string, unknown> | undefined {
  const metadata = isRecord(meta) && isRecord(_meta) ? { ..._meta, ...meta } : isRecord(meta) ? meta : _meta;
  return isRecord(metadata) && Object.keys(metadata).length > 0 ? metadata : undefined;
}

/** Encodes a tool result for the wire: `_meta` of the result becomes `meta`. The content is not copied. */
export function writeToolResult(result: CallToolResult): ToolCallRet {
  const fields = withoutNulls(result);
  if (fields._meta === undefined && Array.isArray(fields.content))
    return { ...fields, content: fields.content, isError: fields.isError === true };
  const { _meta, ...rest } = fields;
  return {
    ...rest,
    content: (rest.content ?? []) as readonly ContentBlock[],
    isError: rest.isError === true,
    ...(isRecord(_meta) && { meta: _meta }),
  };
}
