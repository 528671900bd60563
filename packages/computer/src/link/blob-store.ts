import { randomUUID } from 'node:crypto';
import { type CallToolResult, type GetBlobReq, type GetBlobRet, Shares, SMCPError, timerMs } from '@a2c/protocol';
import { jsonBytes } from '../calls/json-bytes.js';
import { first } from '../shares.js';
import { type Blob, type BlobParts, extractBlobs } from './extract-blobs.js';

interface StoredBlob extends Blob {
  readonly owner: string;
  /** Started when the last chunk was read. */
  release?: NodeJS.Timeout | undefined;
}

interface Extracted {
  readonly result: CallToolResult;
  readonly handles: readonly string[];
}

/** The size of a chunk's message beyond the base64 text. */
const OVERHEAD_BYTES = 2_048;

/** The size of a chunk of which the Agent states none, as in the published SDKs. */
const DEFAULT_CHUNK_BYTES = 256 * 1_024;

/** Handles are random ids. */
const HANDLE = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/**
 * Keeps the blobs of results until they are fetched or newer ones need the space; then the Agent with most makes room.
 * A handle is random and valid only for the Agent that received it.
 */
export class BlobStore {
  readonly #maxBytes: number;
  readonly #readMs: number;
  readonly #blobs = new Map<string, StoredBlob>();
  /** A repeated call has the same result and gets the same handles. */
  readonly #extracted = new WeakMap<CallToolResult, Extracted>();
  readonly #bytes = new Shares();

  constructor(maxBytes: number, readMs: number) {
    this.#maxBytes = maxBytes;
    this.#readMs = readMs;
  }

  /** Stores bytes for one Agent and returns their handle. */
  add(bytes: Buffer, mimeType: string, sha256: string, owner: string): string {
    const handle = randomUUID();
    this.#add({ handle, bytes, mimeType, sha256, owner });
    return handle;
  }

  /** Stores the blobs of a result and returns the rest; undefined when that is still larger than `maxBytes`. */
  extract(result: CallToolResult, owner: string, maxBytes: number, parts: BlobParts): CallToolResult | undefined {
    const known = this.#extracted.get(result);
    if (known && jsonBytes(known.result) <= maxBytes && this.#retain(known.handles)) return known.result;
    const extracted = extractBlobs(result, maxBytes, parts);
    if (!extracted) return undefined;
    for (const blob of extracted.blobs) this.#add({ ...blob, owner });
    this.#extracted.set(result, { result: extracted.result, handles: extracted.blobs.map(({ handle }) => handle) });
    return extracted.result;
  }

  /** Reads one chunk that fits into a message of `maxMessageBytes`. */
  read(request: GetBlobReq, owner: string, maxMessageBytes: number): GetBlobRet {
    const { blob_handle, chunk_offset = 0, max_chunk_bytes: wanted = 0, req_id } = request;
    if (!HANDLE.test(blob_handle)) throw inaccessible('invalid_handle', 'this is not a blob handle of this Computer');
    const blob = this.#blobs.get(blob_handle);
    if (!blob) throw inaccessible('gone', 'unknown or expired blob handle; call the tool again');
    if (blob.owner !== owner) throw inaccessible('forbidden', 'this blob handle belongs to another Agent');
    const { bytes, mimeType, sha256 } = blob;
    if (chunk_offset < 0 || chunk_offset > bytes.length)
      throw inaccessible('range', `the offset must be from 0 to ${bytes.length}`);
    const maxBytes = Math.max(1, Math.floor(((maxMessageBytes - OVERHEAD_BYTES) * 3) / 4));
    const chunkBytes = Math.min(wanted > 0 ? wanted : DEFAULT_CHUNK_BYTES, maxBytes);
    const chunk = bytes.subarray(chunk_offset, chunk_offset + chunkBytes);
    const eof = chunk_offset + chunk.length === bytes.length;
    if (eof) this.#releaseLater(blob);
    return {
      blob_handle,
      mime_type: mimeType,
      total_size: bytes.length,
      sha256,
      chunk_offset,
      eof,
      blob: chunk.toString('base64'),
      req_id,
    };
  }

  /** Stops the release of blobs whose handles are sent again. Returns false when one was released already. */
  #retain(handles: readonly string[]): boolean {
    const blobs = handles.map((handle) => this.#blobs.get(handle));
    for (const blob of blobs) clearTimeout(blob?.release);
    return blobs.every(Boolean);
  }

  #add(blob: StoredBlob): void {
    this.#blobs.set(blob.handle, blob);
    this.#bytes.add(blob.owner, blob.bytes.length);
    while (this.#bytes.total > this.#maxBytes) {
      const owner = this.#bytes.largest();
      const oldest = first(this.#blobs.values(), (each) => each.owner === owner);
      if (!oldest || oldest === blob) break;
      this.#release(oldest);
    }
  }

  #releaseLater(blob: StoredBlob): void {
    clearTimeout(blob.release);
    blob.release = setTimeout(() => this.#release(blob), timerMs(this.#readMs)).unref();
  }

  #release(blob: StoredBlob): void {
    clearTimeout(blob.release);
    if (this.#blobs.delete(blob.handle)) this.#bytes.add(blob.owner, -blob.bytes.length);
  }
}

function inaccessible(reason: 'invalid_handle' | 'gone' | 'forbidden' | 'range', message: string): SMCPError {
  return new SMCPError('BlobNotAccessible', message, { details: { reason } });
}
