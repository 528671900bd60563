import {
  type CallToolResult,
  type ContentBlock,
  type Execution,
  JSON_TEXT_LIMITS,
  jsonTextProblem,
  MAX_ANSWER_DEPTH,
  META_KEYS,
  SMCPError,
  withoutBlobKeys,
} from '@a2c/protocol';
import { toBase64 } from './base64.js';
import { type BlobReference, type FetchChunk, fetchBlob } from './fetch-blob.js';

export interface BlobOptions {
  readonly fetchChunk: FetchChunk;
  /** The total size of the blobs of one result. */
  readonly maxBytes: number;
  /** Whether the whole call is over, so that a failed blob rejects it. */
  readonly isCallOver: () => boolean;
}

type Meta = Readonly<Record<string, unknown>> | undefined;

/** The fields a blob may replace. All but `text` hold base64. */
const FIELDS = ['data', 'blob', 'text'] as const;

/** Whether parts of the result are to be fetched. */
export function hasBlobs({ _meta, content }: CallToolResult): boolean {
  return referenceIn(_meta) !== undefined || content.some((block) => referenceIn(block._meta as Meta) !== undefined);
}

/**
 * Returns the result with its blobs in place; the same object when it has none. A blob that cannot be fetched becomes a
 * text with the reason, and the result gets `isError`: the tool has run, but the result is incomplete.
 */
export async function fetchBlobs(result: CallToolResult, options: BlobOptions): Promise<CallToolResult> {
  if (!hasBlobs(result)) return result;
  const structure = referenceIn(result._meta);
  const blobs = new Blobs(options);
  const content: ContentBlock[] = [];
  for (const block of result.content) {
    const reference = referenceIn(block._meta as Meta);
    content.push(reference ? await blobs.fetch(reference, kindOf(block), (bytes) => fillIn(block, bytes)) : block);
  }
  const isError = () => result.isError === true || blobs.isIncomplete;
  if (!structure) return { ...result, content, isError: isError() };
  const { structuredContent: _empty, _meta, ...rest } = result;
  let structuredContent: unknown;
  const failure = await blobs.fetch(structure, 'structuredContent', (bytes) => {
    structuredContent = parsed(textOf(bytes));
  });
  return {
    ...rest,
    ...(failure === undefined && { structuredContent }),
    content: failure ? [...content, failure] : content,
    isError: isError(),
    _meta: withoutBlobKeys(_meta ?? {}),
  };
}

/** Fetches the blobs of one result within their common size limit. */
class Blobs {
  readonly #options: BlobOptions;
  #bytesLeft: number;
  isIncomplete = false;

  constructor(options: BlobOptions) {
    this.#options = options;
    this.#bytesLeft = options.maxBytes;
  }

  /** Returns what `use` makes of the blob, or a text block with the reason of the failure. */
  async fetch<T>(
    reference: BlobReference,
    kind: string,
    use: (bytes: Uint8Array) => T,
  ): Promise<T | { type: 'text'; text: string }> {
    const { fetchChunk, maxBytes, isCallOver } = this.#options;
    try {
      if (reference.totalSize > this.#bytesLeft) {
        throw new SMCPError('BlobNotAccessible', `results are fetched up to ${maxBytes} bytes (limits.resultBytes)`);
      }
      const used = use(await fetchBlob(reference, fetchChunk));
      this.#bytesLeft -= reference.totalSize;
      return used;
    } catch (error) {
      if (!(error instanceof SMCPError || error instanceof SyntaxError)) throw error;
      if (isCallOver()) throw hasRun(error);
      this.isIncomplete = true;
      const part = `this part of its result (${kind}, ${reference.totalSize} bytes)`;
      return { type: 'text', text: `The tool has run, but ${part} could not be fetched: ${error.message}` };
    }
  }
}

/** The Agent has left: nothing is returned, but the tool has run. */
function hasRun(cause: Error): SMCPError {
  const { kind, message, details } = SMCPError.from(cause);
  return new SMCPError(kind, `the tool has run, but its result was not fetched: ${message}`, {
    details: { ...details, [META_KEYS.execution]: 'ran' satisfies Execution },
    cause,
  });
}

function referenceIn(meta: Meta): BlobReference | undefined {
  const handle = meta?.[META_KEYS.blobHandle];
  if (typeof handle !== 'string') return undefined;
  return { handle, totalSize: Number(meta?.[META_KEYS.totalSize]), sha256: meta?.[META_KEYS.sha256] };
}

/** An embedded resource holds the field one level down. */
function holderOf(block: ContentBlock): Readonly<Record<string, unknown>> {
  return block.type === 'resource' ? ((block.resource ?? {}) as Record<string, unknown>) : block;
}

function fillIn(block: ContentBlock, bytes: Uint8Array): ContentBlock {
  const holder = holderOf(block);
  const field = FIELDS.find((name) => holder[name] === '') ?? 'data';
  const value = field === 'text' ? textOf(bytes) : toBase64(bytes);
  const { _meta, ...rest } = block;
  const meta = withoutBlobKeys(_meta as Record<string, unknown>);
  const filled = block.type === 'resource' ? { resource: { ...holder, [field]: value } } : { [field]: value };
  return { ...rest, ...filled, ...(Object.keys(meta).length > 0 && { _meta: meta }) };
}

/** The limits are those of a result in one message. */
const STRUCTURE_LIMITS = { ...JSON_TEXT_LIMITS, depth: MAX_ANSWER_DEPTH };

function parsed(text: string): unknown {
  const problem = jsonTextProblem(text, STRUCTURE_LIMITS);
  if (problem !== undefined) throw new SMCPError('BlobNotAccessible', `it ${problem}`);
  return JSON.parse(text);
}

function textOf(bytes: Uint8Array): string {
  return new TextDecoder().decode(bytes);
}

function kindOf(block: ContentBlock): string {
  const { mimeType } = holderOf(block);
  return typeof mimeType === 'string' ? `${block.type}, ${mimeType}` : block.type;
}
