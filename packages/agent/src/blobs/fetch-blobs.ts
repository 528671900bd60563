import { type CallToolResult, type ContentBlock, META_KEYS, SMCPError, withoutBlobKeys } from '@a2c/protocol';
import { toBase64 } from './base64.js';
import { type AskPiece, type BlobNote, pullBlob } from './pull-blob.js';

export interface BlobFetching {
  readonly ask: AskPiece;
  /** What the parts of one result may weigh together. */
  readonly maxBytes: number;
  /** Asked when a part could not be had: whether the whole call is over rather than this part missing. */
  readonly isOver: () => boolean;
}

type Meta = Readonly<Record<string, unknown>> | undefined;

/** The fields that may have been too large; all but text are base64. */
const FIELDS = ['data', 'blob', 'text'] as const;

/**
 * The result with everything in its place. A part that cannot be had becomes a text that says why, and the result one that
 * failed: what the tool did is done, but whoever reads the rest must not take it for the whole.
 */
export async function fetchBlobs(result: CallToolResult, fetching: BlobFetching): Promise<CallToolResult> {
  const structure = noteIn(result._meta);
  const notes = result.content.map(({ _meta }) => noteIn(_meta as Meta));
  if (!structure && !notes.some(Boolean)) return result;
  const parts = new Parts(fetching);
  const content: ContentBlock[] = [];
  for (const [index, block] of result.content.entries()) {
    const note = notes[index];
    if (!note) content.push(block);
    else {
      const part = await parts.get(note, kindOf(block), (bytes) => filled(block, bytes));
      content.push('missing' in part ? part.missing : part.whole);
    }
  }
  if (!structure) return { ...result, content, isError: result.isError || parts.isIncomplete };
  const { structuredContent: _empty, _meta, ...rest } = result;
  const part = await parts.get(structure, 'structuredContent', (bytes) => JSON.parse(textOf(bytes)) as unknown);
  return {
    ...rest,
    ...('whole' in part && { structuredContent: part.whole }),
    content: 'missing' in part ? [...content, part.missing] : content,
    isError: result.isError || parts.isIncomplete,
    _meta: withoutBlobKeys(_meta ?? {}),
  };
}

/** The parts of one result, as long as they are bearable together. */
class Parts {
  readonly #fetching: BlobFetching;
  #left: number;
  isIncomplete = false;

  constructor(fetching: BlobFetching) {
    this.#fetching = fetching;
    this.#left = fetching.maxBytes;
  }

  async get<T>(
    note: BlobNote,
    kind: string,
    read: (bytes: Uint8Array) => T,
  ): Promise<{ readonly whole: T } | { readonly missing: ContentBlock }> {
    try {
      const whole = read(await this.#pull(note));
      this.#left -= note.totalSize;
      return { whole };
    } catch (error) {
      if (!(error instanceof SMCPError || error instanceof SyntaxError) || this.#fetching.isOver()) throw error;
      this.isIncomplete = true;
      const text = `The tool has run, but this part of its result (${kind}, ${note.totalSize} bytes) could not be fetched: ${error.message}`;
      return { missing: { type: 'text', text } };
    }
  }

  #pull(note: BlobNote): Promise<Uint8Array> {
    const { ask, maxBytes } = this.#fetching;
    if (note.totalSize > this.#left) {
      throw new SMCPError('BlobNotAccessible', `results are fetched up to ${maxBytes} bytes (limits.resultBytes)`);
    }
    return pullBlob(note, ask);
  }
}

function noteIn(meta: Meta): BlobNote | undefined {
  const handle = meta?.[META_KEYS.blobHandle];
  if (typeof handle !== 'string') return undefined;
  return { handle, totalSize: Number(meta?.[META_KEYS.totalSize]), sha256: meta?.[META_KEYS.sha256] };
}

/** An embedded resource carries its bytes one level down. */
function carrierOf(block: ContentBlock): Readonly<Record<string, unknown>> {
  return block.type === 'resource' ? ((block.resource ?? {}) as Record<string, unknown>) : block;
}

function filled(block: ContentBlock, bytes: Uint8Array): ContentBlock {
  const carrier = carrierOf(block);
  const field = FIELDS.find((name) => carrier[name] === '') ?? 'data';
  const value = field === 'text' ? textOf(bytes) : toBase64(bytes);
  const { _meta, ...rest } = block;
  // They spoke of the way, which is behind us.
  const meta = withoutBlobKeys(_meta as Record<string, unknown>);
  const whole = block.type === 'resource' ? { resource: { ...carrier, [field]: value } } : { [field]: value };
  return { ...rest, ...whole, ...(Object.keys(meta).length > 0 && { _meta: meta }) };
}

function textOf(bytes: Uint8Array): string {
  return new TextDecoder().decode(bytes);
}

function kindOf(block: ContentBlock): string {
  const { mimeType } = carrierOf(block);
  return typeof mimeType === 'string' ? `${block.type}, ${mimeType}` : block.type;
}
