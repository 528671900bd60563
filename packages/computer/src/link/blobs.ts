import { createHash, randomUUID } from 'node:crypto';
import {
  type ContentBlock,
  type GetBlobReq,
  type GetBlobRet,
  META_KEYS,
  SmcpError,
  type ToolCallResult,
} from '@a2c/protocol';
import { jsonBytes } from '../calls/json-bytes.js';

interface StoredBlob {
  readonly owner: string;
  readonly bytes: Buffer;
  readonly mimeType: string;
  readonly sha256: string;
}

/** What base64 and the fields around it cost a piece. */
const ENVELOPE_BYTES = 2_048;
/** Smaller parts stay where they are: a handle and its pull would cost more. */
const SMALLEST_BLOB = 16 * 1_024;

/**
 * The large parts of results, kept until they are pulled or newer ones need the room. A handle is random and good only for
 * the Agent that got it.
 */
export class BlobStore {
  readonly #maxBytes: number;
  readonly #blobs = new Map<string, StoredBlob>();
  #bytes = 0;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  /** The result with its large parts moved out; undefined when it would still be larger than `limit`. */
  moveOut(result: ToolCallResult, owner: string, limit: number): ToolCallResult | undefined {
    const content = result.content.map((block) => this.#lighten(block, owner));
    const lighter = { ...result, content };
    return jsonBytes(lighter) <= limit ? lighter : undefined;
  }

  /** One piece, small enough for a message of `limit` bytes. */
  read(request: GetBlobReq, owner: string, limit: number): GetBlobRet {
    const { blob_handle, chunk_offset = 0, max_chunk_bytes = Number.POSITIVE_INFINITY, req_id } = request;
    const blob = this.#blobs.get(blob_handle);
    if (!blob) throw inaccessible('gone', 'there is nothing under this handle, or no longer; call the tool again');
    if (blob.owner !== owner) throw inaccessible('forbidden', 'this handle was given to another Agent');
    const { bytes, mimeType, sha256 } = blob;
    if (chunk_offset < 0 || chunk_offset > bytes.length || max_chunk_bytes < 1)
      throw inaccessible('range', `the offset must be from 0 to ${bytes.length}, the size of a piece at least 1`);
    const most = Math.max(1, Math.floor(((limit - ENVELOPE_BYTES) * 3) / 4));
    const piece = bytes.subarray(chunk_offset, chunk_offset + Math.min(max_chunk_bytes, most));
    return {
      blob_handle,
      mime_type: mimeType,
      total_size: bytes.length,
      sha256,
      chunk_offset,
      eof: chunk_offset + piece.length === bytes.length,
      blob: piece.toString('base64'),
      req_id,
    };
  }

  #lighten(block: ContentBlock, owner: string): ContentBlock {
    if (block.type === 'resource') {
      const resource = block.resource as Record<string, unknown> | undefined;
      const lighter = resource && this.#emptied(resource, owner);
      return lighter ? { ...block, resource: lighter.fields, _meta: { ...metaOf(block), ...lighter.meta } } : block;
    }
    const lighter = this.#emptied(block, owner);
    return lighter ? { ...block, ...lighter.fields, _meta: { ...metaOf(block), ...lighter.meta } } : block;
  }

  /** The first of the fields that carry weight, moved out. */
  #emptied(fields: Readonly<Record<string, unknown>>, owner: string) {
    for (const [field, encoding] of HEAVY_FIELDS) {
      const value = fields[field];
      if (typeof value !== 'string' || value.length < SMALLEST_BLOB) continue;
      const bytes = Buffer.from(value, encoding);
      const textual = encoding === 'utf8' ? 'text/plain; charset=utf-8' : 'application/octet-stream';
      const mimeType = typeof fields.mimeType === 'string' ? fields.mimeType : textual;
      const { handle, sha256 } = this.#keep(bytes, mimeType, owner);
      const meta = {
        [META_KEYS.blobHandle]: handle,
        [META_KEYS.totalSize]: bytes.length,
        [META_KEYS.sha256]: sha256,
      };
      return { fields: { ...fields, [field]: '' }, meta };
    }
    return undefined;
  }

  #keep(bytes: Buffer, mimeType: string, owner: string): { handle: string; sha256: string } {
    const handle = randomUUID();
    const sha256 = createHash('sha256').update(bytes).digest('hex');
    this.#blobs.set(handle, { owner, bytes, mimeType, sha256 });
    this.#bytes += bytes.length;
    for (const [oldest, blob] of this.#blobs) {
      if (this.#bytes <= this.#maxBytes || oldest === handle) break;
      this.#bytes -= blob.bytes.length;
      this.#blobs.delete(oldest);
    }
    return { handle, sha256 };
  }
}

const HEAVY_FIELDS = [
  ['data', 'base64'],
  ['blob', 'base64'],
  ['text', 'utf8'],
] as const;

function metaOf(block: ContentBlock): Record<string, unknown> {
  return (block._meta ?? {}) as Record<string, unknown>;
}

function inaccessible(reason: 'gone' | 'forbidden' | 'range', message: string): SmcpError {
  return new SmcpError('BlobNotAccessible', message, { details: { reason } });
}
