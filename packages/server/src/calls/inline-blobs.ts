import { createHash } from 'node:crypto';
import {
  type ComputerRequest,
  isRecord,
  META_KEYS,
  parseAnswer,
  type RelayedEvent,
  type RequestOf,
  SMCPError,
  withoutBlobKeys,
} from '@a2c/protocol';
import { type Answer, decoded } from './pending-calls.js';

/** The call whose result has blobs. */
export interface BlobSource {
  readonly request: ComputerRequest;
  /** The most bytes that are inserted into a result. */
  readonly maxBlobBytes: number;
  /** Sends a request to the Computer and resolves to its answer. */
  readonly send: <E extends RelayedEvent>(event: E, payload: RequestOf<E>) => Promise<Answer>;
}

type Block = Record<string, unknown>;

/**
 * Fetches the blobs of a result and inserts them, for an Agent that cannot fetch them itself.
 *
 * @throws SMCPError if they are too large together, or cannot be fetched
 */
export async function inlineBlobs(result: Record<string, unknown>, call: BlobSource): Promise<Record<string, unknown>> {
  const { content } = result;
  if (!Array.isArray(content) || !content.some((block) => handleOf(block) !== undefined)) return result;
  let leftBytes = call.maxBlobBytes;
  const blocks: unknown[] = [];
  for (const block of content as readonly unknown[]) {
    const handle = handleOf(block);
    if (handle === undefined) blocks.push(block);
    else {
      const data = await fetchBlob(handle, call, leftBytes);
      leftBytes -= data.length;
      blocks.push(filled(block as Block, data));
    }
  }
  return { ...result, content: blocks };
}

function handleOf(block: unknown): string | undefined {
  const meta = isRecord(block) ? block._meta : undefined;
  const handle = isRecord(meta) ? meta[META_KEYS.blobHandle] : undefined;
  return typeof handle === 'string' ? handle : undefined;
}

function filled(block: Block, data: Buffer): Block {
  const text = data.toString('base64');
  const { _meta, resource, ...fields } = block;
  const meta = withoutBlobKeys(_meta as Record<string, unknown>);
  const kept = { ...fields, ...(Object.keys(meta).length > 0 && { _meta: meta }) };
  return isRecord(resource) ? { ...kept, resource: { ...resource, blob: text } } : { ...kept, data: text };
}

async function fetchBlob(handle: string, { request, send }: BlobSource, maxBytes: number): Promise<Buffer> {
  const { agent, req_id, computer } = request;
  const chunks: Buffer[] = [];
  const hash = createHash('sha256');
  for (let offset = 0; ; ) {
    const payload = { agent, req_id: `${req_id}:blob`, computer, blob_handle: handle, chunk_offset: offset };
    const { args } = await send('client:get_blob', payload);
    const { blob, eof, total_size, sha256 } = parseAnswer('client:get_blob', decoded(args));
    if (total_size > maxBytes) throw tooLarge(total_size);
    const bytes = Buffer.from(blob, 'base64');
    chunks.push(bytes);
    hash.update(bytes);
    offset += bytes.length;
    if (offset > total_size || (bytes.length === 0 && !eof)) throw damaged();
    if (!eof) continue;
    if (hash.digest('hex') !== sha256.toLowerCase()) throw damaged();
    return Buffer.concat(chunks);
  }
}

function tooLarge(bytes: number): SMCPError {
  const message = `the result has a part of ${bytes} bytes, which this Agent cannot receive in one message`;
  return new SMCPError('ToolExecutionFailed', message, { details: { bytes } });
}

function damaged(): SMCPError {
  return new SMCPError('ToolExecutionFailed', 'a part of the result arrived damaged from the Computer');
}
