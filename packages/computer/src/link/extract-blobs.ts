import { createHash, randomUUID } from 'node:crypto';
import { type CallToolResult, type ContentBlock, META_KEYS } from '@a2c/protocol';
import { jsonBytes } from '../calls/json-bytes.js';

/** A part of a result that is too large for one message. */
export interface Blob {
  readonly handle: string;
  readonly bytes: Buffer;
  readonly mimeType: string;
  readonly sha256: string;
}

/** Smaller parts stay in the message: a handle and its request would cost more. */
const MIN_BLOB_BYTES = 16 * 1_024;

const BLOB_FIELDS = [
  ['data', 'base64'],
  ['blob', 'base64'],
  ['text', 'utf8'],
] as const;

/** Which parts an Agent can fetch: every Agent from 0.2 on images, sounds and embedded files; ours everything. */
export type BlobParts = 'all' | 'binary';

/** Replaces the large parts of a result by handles. Returns undefined when the rest is still larger than `maxBytes`. */
export function extractBlobs(
  result: CallToolResult,
  maxBytes: number,
  parts: BlobParts,
): { readonly result: CallToolResult; readonly blobs: readonly Blob[] } | undefined {
  const blobs: Blob[] = [];
  const reduced = { ...result, content: result.content.map((block) => extractFromBlock(block, blobs, parts)) };
  if (jsonBytes(reduced) <= maxBytes) return { result: reduced, blobs };
  if (parts === 'binary') return undefined;
  const minimal = extractStructure(reduced, blobs);
  return jsonBytes(minimal) <= maxBytes ? { result: minimal, blobs } : undefined;
}

/** Last, because every Agent reads `content`, but only Agents that know blobs find the structured content. */
function extractStructure({ structuredContent, ...rest }: CallToolResult, blobs: Blob[]): CallToolResult {
  if (structuredContent === undefined) return rest;
  const json = Buffer.from(JSON.stringify(structuredContent));
  return { ...rest, _meta: { ...rest._meta, ...addBlob(json, 'application/json', blobs) } };
}

function extractFromBlock(block: ContentBlock, blobs: Blob[], parts: BlobParts): ContentBlock {
  const { resource, _meta } = block as { resource?: Readonly<Record<string, unknown>>; _meta?: object };
  const holder = block.type === 'resource' && resource ? resource : block;
  const fields = parts === 'all' ? BLOB_FIELDS : BLOB_FIELDS.filter(([, encoding]) => encoding === 'base64');
  const found = fields.find(([field]) => lengthOf(holder[field]) >= MIN_BLOB_BYTES);
  if (!found) return block;
  const [field, encoding] = found;
  const defaultType = encoding === 'utf8' ? 'text/plain; charset=utf-8' : 'application/octet-stream';
  const mimeType = typeof holder.mimeType === 'string' ? holder.mimeType : defaultType;
  const reference = addBlob(Buffer.from(holder[field] as string, encoding), mimeType, blobs);
  const emptied = { ...holder, [field]: '' };
  return { ...block, ...(holder === block ? emptied : { resource: emptied }), _meta: { ..._meta, ...reference } };
}

function lengthOf(value: unknown): number {
  return typeof value === 'string' ? value.length : 0;
}

/** Returns the metadata that refers to the blob. */
function addBlob(bytes: Buffer, mimeType: string, blobs: Blob[]): Record<string, unknown> {
  const handle = randomUUID();
  const sha256 = createHash('sha256').update(bytes).digest('hex');
  blobs.push({ handle, bytes, mimeType, sha256 });
  return { [META_KEYS.blobHandle]: handle, [META_KEYS.totalSize]: bytes.length, [META_KEYS.sha256]: sha256 };
}
