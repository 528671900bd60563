import { type GetBlobRet, SMCPError } from '@a2c/protocol';
import { fromBase64 } from './base64.js';

/** What the Computer sent in place of a blob. */
export interface BlobReference {
  readonly handle: string;
  readonly totalSize: number;
  readonly sha256: unknown;
}

export type FetchChunk = (handle: string, offset: number) => Promise<GetBlobRet>;

/**
 * Blobs are verified with Web Crypto. Web pages without TLS do not have it: an Agent there does not accept blobs, and
 * the Computer answers a large result with an error.
 */
export const canFetchBlobs = crypto.subtle !== undefined;

/** Fetches all chunks in order and verifies size and SHA-256. The caller has checked that the size is acceptable. */
export async function fetchBlob(reference: BlobReference, fetchChunk: FetchChunk): Promise<Uint8Array> {
  const { handle, totalSize, sha256 } = reference;
  if (!Number.isSafeInteger(totalSize) || totalSize < 0 || typeof sha256 !== 'string') {
    throw damaged('the Computer did not send its size and SHA-256');
  }
  const blob = new Uint8Array(totalSize);
  for (let offset = 0; ; ) {
    const chunk = await fetchChunk(handle, offset);
    const bytes = fromBase64(chunk.blob);
    if (!bytes) throw damaged(`the chunk at ${offset} is not base64`);
    if (chunk.chunk_offset !== offset) throw damaged(`got the chunk at ${chunk.chunk_offset} instead of ${offset}`);
    if (offset + bytes.length > totalSize) throw damaged(`it is larger than the ${totalSize} bytes announced`);
    blob.set(bytes, offset);
    offset += bytes.length;
    if (chunk.eof || offset === totalSize) {
      if (offset < totalSize) throw damaged(`it ended after ${offset} of ${totalSize} bytes`);
      break;
    }
    if (bytes.length === 0) throw damaged(`the chunk at ${offset} is empty`);
  }
  if ((await sha256Of(blob)) !== sha256.toLowerCase()) throw damaged('its SHA-256 is not the one announced');
  return blob;
}

/** In hex. */
export async function sha256Of(bytes: Uint8Array<ArrayBuffer>): Promise<string> {
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', bytes));
  return Array.from(digest, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

function damaged(problem: string): SMCPError {
  return new SMCPError('BlobNotAccessible', `${problem}; call the tool again`);
}
