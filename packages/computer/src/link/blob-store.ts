import { type CallToolResult, type GetBlobReq, type GetBlobRet, SMCPError, timerMs } from '@a2c/protocol';
import { jsonBytes } from '../calls/json-bytes.js';
import { lighten, type MovedPart } from './lighten.js';

interface StoredBlob extends MovedPart {
  readonly owner: string;
  /** Runs since its last piece was read. */
  release?: NodeJS.Timeout | undefined;
}

interface Lightened {
  readonly result: CallToolResult;
  readonly handles: readonly string[];
}

/** What base64 and the fields around it cost a piece. */
const ENVELOPE_BYTES = 2_048;

/**
 * The large parts of results, kept until they are pulled or newer ones need the room. A handle is random and good only for
 * the Agent that got it.
 */
export class BlobStore {
  readonly #maxBytes: number;
  readonly #readMs: number;
  readonly #blobs = new Map<string, StoredBlob>();
  /** A repeated call has the same result, and gets the same handles. */
  readonly #known = new WeakMap<CallToolResult, Lightened>();
  #bytes = 0;

  constructor(maxBytes: number, readMs: number) {
    this.#maxBytes = maxBytes;
    this.#readMs = readMs;
  }

  /** The result with its large parts moved out; undefined when it would still be larger than `limit`. */
  moveOut(result: CallToolResult, owner: string, limit: number): CallToolResult | undefined {
    const known = this.#known.get(result);
    if (known && jsonBytes(known.result) <= limit && this.#holds(known.handles)) return known.result;
    const lighter = lighten(result, limit);
    if (!lighter) return undefined;
    for (const part of lighter.parts) this.#keep({ ...part, owner });
    this.#known.set(result, { result: lighter.result, handles: lighter.parts.map(({ handle }) => handle) });
    return lighter.result;
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
    const eof = chunk_offset + piece.length === bytes.length;
    if (eof) this.#releaseLater(blob);
    return {
      blob_handle,
      mime_type: mimeType,
      total_size: bytes.length,
      sha256,
      chunk_offset,
      eof,
      blob: piece.toString('base64'),
      req_id,
    };
  }

  /** Who is given the handles again needs them as long as anybody. */
  #holds(handles: readonly string[]): boolean {
    const blobs = handles.map((handle) => this.#blobs.get(handle));
    for (const blob of blobs) clearTimeout(blob?.release);
    return blobs.every(Boolean);
  }

  #keep(blob: StoredBlob): void {
    this.#blobs.set(blob.handle, blob);
    this.#bytes += blob.bytes.length;
    for (const oldest of this.#blobs.values()) {
      if (this.#bytes <= this.#maxBytes || oldest === blob) break;
      this.#release(oldest);
    }
  }

  #releaseLater(blob: StoredBlob): void {
    clearTimeout(blob.release);
    blob.release = setTimeout(() => this.#release(blob), timerMs(this.#readMs)).unref();
  }

  #release(blob: StoredBlob): void {
    clearTimeout(blob.release);
    if (this.#blobs.delete(blob.handle)) this.#bytes -= blob.bytes.length;
  }
}

function inaccessible(reason: 'gone' | 'forbidden' | 'range', message: string): SMCPError {
  return new SMCPError('BlobNotAccessible', message, { details: { reason } });
}
