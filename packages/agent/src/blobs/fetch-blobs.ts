import { type ContentBlock, META_KEYS, SmcpError, type ToolCallResult } from '@a2c/protocol';
import { toBase64 } from './base64.js';
import { type AskPiece, type BlobNote, pullBlob } from './pull-blob.js';

export interface BlobFetching {
  readonly ask: AskPiece;
  /** What the parts of one result may weigh together. */
  readonly maxBytes: number;
  /** Asked when a part could not be had: whether the whole call is over rather than this part missing. */
  readonly isOver: () => boolean;
}

/** Where a part's bytes belong, and what the Computer said of them. */
interface Hole {
  readonly note: BlobNote;
  readonly field: (typeof FIELDS)[number];
}

/** The fields that may have been too large; all but text are base64. */
const FIELDS = ['data', 'blob', 'text'] as const;

/**
 * The result with everything in its place. A part that cannot be had becomes a text that says why, and the result one that
 * failed: what the tool did is done, but whoever reads the rest must not take it for the whole.
 */
export async function fetchBlobs(result: ToolCallResult, fetching: BlobFetching): Promise<ToolCallResult> {
  const holes = result.content.map(holeIn);
  if (!holes.some(Boolean)) return result;
  const content: ContentBlock[] = [];
  let left = fetching.maxBytes;
  let isError = result.isError;
  for (const [index, block] of result.content.entries()) {
    const hole = holes[index];
    if (!hole) {
      content.push(block);
      continue;
    }
    try {
      content.push(await filled(block, hole, left, fetching));
      left -= hole.note.totalSize;
    } catch (error) {
      if (!(error instanceof SmcpError) || fetching.isOver()) throw error;
      content.push(missing(block, hole, error));
      isError = true;
    }
  }
  return { ...result, content, isError };
}

function holeIn(block: ContentBlock): Hole | undefined {
  const meta = block._meta as Readonly<Record<string, unknown>> | undefined;
  const handle = meta?.[META_KEYS.blobHandle];
  if (typeof handle !== 'string') return undefined;
  const carrier = carrierOf(block);
  const field = FIELDS.find((name) => carrier[name] === '') ?? 'data';
  return { field, note: { handle, totalSize: Number(meta?.[META_KEYS.totalSize]), sha256: meta?.[META_KEYS.sha256] } };
}

/** An embedded resource carries its bytes one level down. */
function carrierOf(block: ContentBlock): Readonly<Record<string, unknown>> {
  return block.type === 'resource' ? ((block.resource ?? {}) as Record<string, unknown>) : block;
}

async function filled(
  block: ContentBlock,
  { note, field }: Hole,
  left: number,
  { ask, maxBytes }: BlobFetching,
): Promise<ContentBlock> {
  if (note.totalSize > left) {
    throw new SmcpError('BlobNotAccessible', `results are fetched up to ${maxBytes} bytes (limits.resultBytes)`);
  }
  const bytes = await pullBlob(note, ask);
  const value = field === 'text' ? new TextDecoder().decode(bytes) : toBase64(bytes);
  const { _meta, ...rest } = block;
  const meta = withoutBlobKeys(_meta as Record<string, unknown>);
  const whole = block.type === 'resource' ? { resource: { ...carrierOf(block), [field]: value } } : { [field]: value };
  return { ...rest, ...whole, ...(Object.keys(meta).length > 0 && { _meta: meta }) };
}

/** They spoke of the way, which is behind us. */
function withoutBlobKeys(meta: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const { [META_KEYS.blobHandle]: _handle, [META_KEYS.totalSize]: _size, [META_KEYS.sha256]: _sum, ...own } = meta;
  return own;
}

function missing(block: ContentBlock, { note }: Hole, { message }: SmcpError): ContentBlock {
  const { mimeType } = carrierOf(block);
  const kind = typeof mimeType === 'string' ? `${block.type}, ${mimeType}` : block.type;
  return {
    type: 'text',
    text: `The tool has run, but this part of its result (${kind}, ${note.totalSize} bytes) could not be fetched: ${message}`,
  };
}
