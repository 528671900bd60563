import { createHash, randomUUID } from 'node:crypto';
import { type CallToolResult, type ContentBlock, META_KEYS } from '@a2c/protocol';
import { jsonBytes } from '../calls/json-bytes.js';

/** A part that was too large for a message, and what the message says in its place. */
export interface MovedPart {
  readonly handle: string;
  readonly bytes: Buffer;
  readonly mimeType: string;
  readonly sha256: string;
}

/** Smaller parts stay where they are: a handle and its pull would cost more. */
const SMALLEST_BLOB = 16 * 1_024;

const HEAVY_FIELDS = [
  ['data', 'base64'],
  ['blob', 'base64'],
  ['text', 'utf8'],
] as const;

/** The result without its large parts, and those; undefined when it would still be larger than `limit`. */
export function lighten(
  result: CallToolResult,
  limit: number,
): { readonly result: CallToolResult; readonly parts: readonly MovedPart[] } | undefined {
  const parts: MovedPart[] = [];
  const lighter = { ...result, content: result.content.map((block) => lightBlock(block, parts)) };
  if (jsonBytes(lighter) <= limit) return { result: lighter, parts };
  const lightest = withoutStructure(lighter, parts);
  return jsonBytes(lightest) <= limit ? { result: lightest, parts } : undefined;
}

/** Last of all, because every Agent reads content, and only one that knows of this can pull the structure. */
function withoutStructure({ structuredContent, ...rest }: CallToolResult, parts: MovedPart[]): CallToolResult {
  if (structuredContent === undefined) return rest;
  const json = Buffer.from(JSON.stringify(structuredContent));
  return { ...rest, _meta: { ...rest._meta, ...moved(json, 'application/json', parts) } };
}

function lightBlock(block: ContentBlock, parts: MovedPart[]): ContentBlock {
  const { resource, _meta } = block as { resource?: Readonly<Record<string, unknown>>; _meta?: object };
  const carrier = block.type === 'resource' && resource ? resource : block;
  const heavy = HEAVY_FIELDS.find(([field]) => weight(carrier[field]) >= SMALLEST_BLOB);
  if (!heavy) return block;
  const [field, encoding] = heavy;
  const textual = encoding === 'utf8' ? 'text/plain; charset=utf-8' : 'application/octet-stream';
  const mimeType = typeof carrier.mimeType === 'string' ? carrier.mimeType : textual;
  const notes = moved(Buffer.from(carrier[field] as string, encoding), mimeType, parts);
  const emptied = { ...carrier, [field]: '' };
  return { ...block, ...(carrier === block ? emptied : { resource: emptied }), _meta: { ..._meta, ...notes } };
}

function weight(value: unknown): number {
  return typeof value === 'string' ? value.length : 0;
}

function moved(bytes: Buffer, mimeType: string, parts: MovedPart[]): Record<string, unknown> {
  const handle = randomUUID();
  const sha256 = createHash('sha256').update(bytes).digest('hex');
  parts.push({ handle, bytes, mimeType, sha256 });
  return { [META_KEYS.blobHandle]: handle, [META_KEYS.totalSize]: bytes.length, [META_KEYS.sha256]: sha256 };
}
