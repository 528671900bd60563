import { createHash } from 'node:crypto';
import {
  type CallToolResult,
  type ComputerRequest,
  executionOf,
  isRecord,
  META_KEYS,
  parseAnswer,
  type RelayedEvent,
  type RequestOf,
  SMCPError,
  withoutBlobKeys,
} from '@a2c/protocol';
import type { BlobFetch } from './blob-fetch.js';
import { type Answer, decoded } from './pending-calls.js';

/** The call whose result has blobs. */
export interface BlobSource {
  readonly request: ComputerRequest;
  /** The most bytes that are inserted into a result. */
  readonly maxBlobBytes: number;
  /** Starts to fetch the blobs of the result. */
  readonly fetchBlobs: () => BlobFetch;
  /** Sends a request to the Computer and resolves to its answer. */
  readonly send: <E extends RelayedEvent>(event: E, payload: RequestOf<E>) => Promise<Answer>;
}

type Block = Record<string, unknown>;

/**
 * Fetches the blobs of a result and inserts them, for an Agent that cannot fetch them itself.
 *
 * @throws SMCPError if they are too large together, or cannot be fetched. It says whether the call has run, as the
 *   result does.
 */
export async function inlineBlobs(result: Record<string, unknown>, call: BlobSource): Promise<Record<string, unknown>> {
  const { content } = result;
  if (!Array.isArray(content) || !content.some((block) => handleOf(block) !== undefined)) return result;
  const fetch = call.fetchBlobs();
  try {
    const blocks: unknown[] = [];
    let bytes = 0;
    for (const block of content as readonly unknown[]) {
      const handle = handleOf(block);
      if (handle === undefined) blocks.push(block);
      else {
        const blob = await fetchBlob(handle, call, fetch, bytes);
        bytes += blob.bytes;
        blocks.push(filled(block as Block, blob.text));
      }
    }
    return { ...result, content: blocks };
  } catch (error) {
    if (!(error instanceof SMCPError)) throw error;
    // A refusal to send a blob is no refusal of the call.
    const details = { ...error.details, [META_KEYS.execution]: executionOf(result as CallToolResult) };
    throw new SMCPError(error.kind, error.message, { details, cause: error.cause });
  } finally {
    fetch.close();
  }
}

function handleOf(block: unknown): string | undefined {
  const meta = isRecord(block) ? block._meta : undefined;
  const handle = isRecord(meta) ? meta[META_KEYS.blobHandle] : undefined;
  return typeof handle === 'string' ? handle : undefined;
}

function filled(block: Block, text: string): Block {
  const { _meta, resource, ...fields } = block;
  const meta = withoutBlobKeys(_meta as Record<string, unknown>);
  const kept = { ...fields, ...(Object.keys(meta).length > 0 && { _meta: meta }) };
  return isRecord(resource) ? { ...kept, resource: { ...resource, blob: text } } : { ...kept, data: text };
}

/** Base64 makes 4 bytes of 3. */
const BASE64_RATIO = 4 / 3;

/**
 * Fetches a blob, as Base64.
 *
 * @param before the bytes of the blobs that are here already
 */
async function fetchBlob(
  handle: string,
  { request, maxBlobBytes }: BlobSource,
  fetch: BlobFetch,
  before: number,
): Promise<{ readonly text: string; readonly bytes: number }> {
  const chunks: Buffer[] = [];
  const hash = createHash('sha256');
  for (let offset = 0; ; ) {
    const chunk = await fetchChunk(handle, offset, request, fetch);
    if (before + chunk.totalSize > maxBlobBytes) throw tooLarge(chunk.totalSize);
    offset += chunk.bytes.length;
    if (offset > chunk.totalSize || (chunk.bytes.length === 0 && !chunk.isLast)) throw damaged();
    fetch.hold((before + offset) * BASE64_RATIO);
    hash.update(chunk.bytes);
    chunks.push(chunk.bytes);
    if (!chunk.isLast) continue;
    if (hash.digest('hex') !== chunk.sha256) throw damaged();
    return { text: base64Of(chunks), bytes: offset };
  }
}

interface Chunk {
  readonly bytes: Buffer;
  readonly isLast: boolean;
  readonly totalSize: number;
  readonly sha256: string;
}

/** A function of its own: a loop that waits for the next chunk would keep the last answer in memory. */
async function fetchChunk(
  handle: string,
  offset: number,
  { agent, req_id, computer }: ComputerRequest,
  fetch: BlobFetch,
): Promise<Chunk> {
  const payload = { agent, req_id: `${req_id}:blob`, computer, blob_handle: handle, chunk_offset: offset };
  return chunkOf(await fetch.ask(payload));
}

function chunkOf({ args }: Answer): Chunk {
  const { blob, eof, total_size, sha256 } = parseAnswer('client:get_blob', decoded(args));
  return { bytes: Buffer.from(blob, 'base64'), isLast: eof, totalSize: total_size, sha256: sha256.toLowerCase() };
}

/** Encodes without a copy of all chunks. Removes them from the list. */
function base64Of(chunks: Buffer[]): string {
  let text = '';
  let rest: Buffer = Buffer.alloc(0);
  for (let chunk = chunks.shift(); chunk; chunk = chunks.shift()) {
    const bytes = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
    const whole = chunks.length === 0 ? bytes.length : bytes.length - (bytes.length % 3);
    text += bytes.toString('base64', 0, whole);
    rest = bytes.subarray(whole);
  }
  return text;
}

function tooLarge(bytes: number): SMCPError {
  const message = `the result has a part of ${bytes} bytes, which this Agent cannot receive in one message`;
  return new SMCPError('ToolExecutionFailed', message, { details: { bytes } });
}

function damaged(): SMCPError {
  return new SMCPError('ToolExecutionFailed', 'a part of the result arrived damaged from the Computer');
}
