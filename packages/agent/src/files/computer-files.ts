import {
  type A2CResource,
  type A2CSkillRef,
  type ContentBlock,
  type PutBlobReq,
  type ResultOf,
  SMCPError,
} from '@a2c/protocol';
import { toBase64 } from '../blobs/base64.js';
import { fetchBlob, sha256Of } from '../blobs/fetch-blob.js';
import type { AgentLimits, QueryOptions } from '../options.js';
import type { AgentRequests } from '../requests.js';

/** One page of the resources of an MCP server. */
export interface ResourcePage {
  readonly resources: readonly A2CResource[];
  /** Pass it to get the next page; absent on the last one. */
  readonly nextCursor?: string;
}

/** The contents of a resource, as MCP has them: `text`, or `blob` in Base64. */
export type ResourceContents = Readonly<Record<string, unknown>> & { readonly uri: string };

/** A file of a skill. */
export interface SkillFile {
  readonly name: string;
  readonly path: string;
  readonly mimeType: string;
  readonly bytes: Uint8Array;
  /** The bytes as UTF-8 text. */
  readonly text: string;
}

/** Options of `Agent.putBlob`. */
export interface PutBlobOptions extends QueryOptions {
  /** Becomes part of the file name on the Computer. */
  readonly name?: string | undefined;
  /** Called after every chunk with the number of bytes that arrived. */
  readonly onProgress?: ((sentBytes: number) => void) | undefined;
}

/** A file that was sent to a Computer. */
export interface LandedFile {
  /** Where it is on the Computer; tools of that Computer take this path. */
  readonly path: string;
  readonly size: number;
  readonly sha256: string;
}

/** A lost answer can make a Computer of another maker refuse the next chunk; then the upload starts again. */
const ATTEMPTS = 3;
/** A blob that is no longer accessible for one of these reasons is not asked for again. */
const FINAL_REASONS = ['gone', 'forbidden', 'invalid_handle'];
const REPEATED_REASONS = ['range', 'invalid_upload'];

/** Resources, skills and files of the Computers in the office. */
export class ComputerFiles {
  readonly #requests: AgentRequests;
  readonly #limits: Pick<AgentLimits, 'resultBytes' | 'uploadChunkBytes'>;

  constructor(requests: AgentRequests, limits: Pick<AgentLimits, 'resultBytes' | 'uploadChunkBytes'>) {
    this.#requests = requests;
    this.#limits = limits;
  }

  async resources(computer: string, server: string, cursor: string | undefined, query: QueryOptions) {
    const fields = { computer, mcp_server: server, ...(cursor !== undefined && { cursor }) };
    const { resources, next_cursor } = await this.#requests.query('client:get_resources', fields, query);
    return { resources, ...(next_cursor !== undefined && { nextCursor: next_cursor }) } satisfies ResourcePage;
  }

  async readResource(computer: string, server: string, uri: string, query: QueryOptions) {
    const fields = { computer, mcp_server: server, uri };
    const answer = await this.#requests.query('client:get_resources', fields, query);
    const { content } = answer as { content?: readonly ContentBlock[] };
    if (!Array.isArray(content)) {
      const message = `Computer "${computer}" lists resources, but does not let Agents read them`;
      throw new SMCPError('CapabilityNotSupported', message, { details: { capability: 'resources/read' } });
    }
    const result = await this.#requests.withBlobs(computer, { content }, query.signal);
    if (result.isError) throw new SMCPError('BlobNotAccessible', String(result.content[0]?.text));
    return result.content.map(({ resource }) => resource as ResourceContents);
  }

  async skills(computer: string, query: QueryOptions): Promise<readonly A2CSkillRef[]> {
    return (await this.#requests.query('client:get_skills', { computer }, query)).skills;
  }

  /** The file may change while it is fetched; then it is fetched again. */
  async skill(computer: string, name: string, path: string | undefined, query: QueryOptions): Promise<SkillFile> {
    for (let attempt = 1; ; attempt++) {
      try {
        return await this.#skillOnce(computer, name, path, query);
      } catch (error) {
        const hasChanged = error instanceof SMCPError && error.kind === 'BlobNotAccessible' && !isFinal(error);
        if (attempt === ATTEMPTS || !hasChanged) throw error;
      }
    }
  }

  async #skillOnce(computer: string, name: string, path: string | undefined, query: QueryOptions): Promise<SkillFile> {
    const fields = { computer, name, ...(path !== undefined && { rel_path: path }) };
    const answer = await this.#requests.query('client:get_skill', fields, query);
    const bytes = answer.body === undefined ? await this.#blob(computer, answer, query) : utf8(answer.body);
    const text = answer.body ?? new TextDecoder().decode(bytes);
    return { name: answer.name, path: answer.rel_path, mimeType: answer.mime_type, bytes, text };
  }

  async #blob(
    computer: string,
    { blob_handle: handle = '', total_size: totalSize, sha256 }: ResultOf<'client:get_skill'>,
    { signal }: QueryOptions,
  ): Promise<Uint8Array> {
    const { resultBytes: maxBytes } = this.#limits;
    if (totalSize > maxBytes)
      throw new SMCPError('BlobNotAccessible', `files are fetched up to ${maxBytes} bytes (limits.resultBytes)`, {
        details: { reason: 'forbidden' },
      });
    return fetchBlob({ handle, totalSize, sha256 }, this.#requests.fetchChunk(computer, signal));
  }

  async put(computer: string, data: Uint8Array, options: PutBlobOptions): Promise<LandedFile> {
    if (data.length === 0) throw new SMCPError('BadRequest', 'an empty file cannot be sent');
    const sha256 = await sha256Of(data as Uint8Array<ArrayBuffer>);
    for (let attempt = 1; ; attempt++) {
      try {
        return await this.#putOnce(computer, data, sha256, options);
      } catch (error) {
        const reason = error instanceof SMCPError ? String(error.details.reason) : '';
        if (attempt === ATTEMPTS || !REPEATED_REASONS.includes(reason)) throw error;
      }
    }
  }

  async #putOnce(computer: string, data: Uint8Array, sha256: string, options: PutBlobOptions): Promise<LandedFile> {
    const { uploadChunkBytes: chunkBytes } = this.#limits;
    const { name, signal, onProgress } = options;
    let uploadId: string | undefined;
    for (let offset = 0; ; ) {
      const chunk = data.subarray(offset, offset + chunkBytes);
      const eof = offset + chunk.length === data.length;
      const identity: Partial<PutBlobReq> =
        uploadId === undefined
          ? { total_size: data.length, sha256, ...(name !== undefined && { name_hint: name }) }
          : { upload_id: uploadId };
      const fields = { computer, chunk_offset: offset, eof, blob: toBase64(chunk), ...identity };
      const answer = await this.#requests.query('client:put_blob', fields, { signal });
      uploadId = answer.upload_id;
      offset += chunk.length;
      onProgress?.(offset);
      if (!eof) continue;
      if (answer.landing_path === undefined || answer.sha256?.toLowerCase() !== sha256)
        throw new SMCPError('BlobWriteFailed', 'the Computer did not confirm the file', {
          details: { reason: 'integrity' },
        });
      return { path: answer.landing_path, size: data.length, sha256 };
    }
  }
}

function isFinal({ details }: SMCPError): boolean {
  return FINAL_REASONS.includes(String(details.reason));
}

function utf8(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}
