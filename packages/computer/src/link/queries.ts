import { EncodedAnswer } from '@a2c/link';
import {
  type AgentScope,
  type ContentBlock,
  configFor,
  type GetResourcesReq,
  type GetResourcesRet,
  type GetSkillReq,
  type GetSkillRet,
  type RelayedEvent,
  type RequestOf,
  rulesOf,
  SMCPError,
} from '@a2c/protocol';
import { jsonBytes } from '../calls/json-bytes.js';
import type { Computer } from '../computer.js';
import { isTextType } from '../skills/mime-types.js';
import { type Asker, OVERHEAD_BYTES, tooLarge } from './asker.js';
import type { BlobStore } from './blob-store.js';
import type { QueryQueue, QueryWork } from './query-queue.js';
import { ToolLists } from './tool-lists.js';

/** Requests that change nothing. */
export type QueryEvent = Exclude<RelayedEvent, 'client:tool_call' | 'client:put_blob'>;

type Handlers = { readonly [E in QueryEvent]: (request: RequestOf<E>, asker: Asker) => QueryWork };

/** Larger texts of skills are blobs. */
const INLINE_SKILL_BYTES = 32 * 1_024;

/** Answers the queries of Agents, in the turn of each Agent. */
export class Queries {
  readonly #computer: Computer;
  readonly #blobs: BlobStore;
  readonly #queue: QueryQueue;
  readonly #handlers: Handlers;

  constructor(computer: Computer, blobs: BlobStore, queue: QueryQueue) {
    this.#computer = computer;
    this.#blobs = blobs;
    this.#queue = queue;
    const lists = new ToolLists(computer);
    this.#handlers = {
      'client:get_tools': ({ tool_names: names, agent_scope: scope, req_id }, { generation, maxBytes }) => ({
        write: () => {
          const { json, bytes } = lists.get({ form: rulesOf(generation).toolNames, names, scope });
          const end = `,"req_id":${JSON.stringify(req_id)}}`;
          checkSize(bytes + '{"tools":'.length + Buffer.byteLength(end), maxBytes);
          return new EncodedAnswer(`{"tools":${json}${end}`);
        },
      }),
      'client:get_config': ({ agent_scope }, { generation, maxBytes }) => ({
        write: () => {
          const { servers, ...config } = computer.config();
          const permitted = Object.entries(servers).filter(([name]) => computer.mayUseServer(agent_scope, name));
          return encode(configFor(generation, { ...config, servers: Object.fromEntries(permitted) }), maxBytes);
        },
      }),
      'client:get_desktop': ({ desktop_size: size, window, agent_scope: scope, req_id }, { generation, maxBytes }) => ({
        read: async () => {
          const desktops = await computer.getDesktop({ size, window, scope, order: rulesOf(generation).configKeys });
          return () => encode({ desktops, req_id }, maxBytes);
        },
      }),
      'client:get_resources': (request, asker) => ({
        read: async () => {
          const answer = await this.#resources(request, asker);
          return () => encode(answer, asker.maxBytes);
        },
      }),
      'client:get_skills': ({ req_id, agent_scope }, { maxBytes }) => ({
        write: () => {
          const skills = computer.skills().filter(({ name }) => this.#mayUseSkill(agent_scope, name));
          return encode({ skills, req_id }, maxBytes);
        },
      }),
      'client:get_skill': (request, asker) => ({
        read: async () => {
          const answer = await this.#skill(request, asker);
          return () => encode(answer, asker.maxBytes);
        },
      }),
      'client:get_blob': (request, { owner, maxBytes }) => ({
        write: () => encode(blobs.read(request, owner, maxBytes + OVERHEAD_BYTES), maxBytes),
      }),
    };
  }

  /** @throws SMCPError as the queue does, or because there is no such thing or it may not be seen. */
  answer<E extends QueryEvent>(event: E, request: RequestOf<E>, asker: Asker): Promise<EncodedAnswer> {
    return this.#queue.answer(asker.owner, this.#handlers[event](request, asker));
  }

  /** Extension: with `uri` the answer has the contents of that resource in place of the list. */
  async #resources(request: GetResourcesReq, asker: Asker): Promise<GetResourcesRet> {
    const { mcp_server, cursor, req_id } = request;
    const { uri } = request as { uri?: unknown };
    if (!this.#computer.mayUseServer(request.agent_scope, mcp_server))
      throw new SMCPError('Forbidden', `the caller may not use the MCP server "${mcp_server}"`);
    if (typeof uri === 'string') return this.#contents(mcp_server, uri, req_id, asker);
    const { resources, nextCursor } = await this.#computer.resources(mcp_server, cursor);
    return { resources: [...resources], ...(nextCursor !== undefined && { next_cursor: nextCursor }), req_id };
  }

  async #contents(server: string, uri: string, req_id: string, { owner, maxBytes }: Asker): Promise<GetResourcesRet> {
    const contents = await this.#computer.readResource(server, uri);
    const content = contents.map((resource): ContentBlock => ({ type: 'resource', resource }));
    const result = { content };
    const fitting = jsonBytes(result) <= maxBytes ? result : this.#blobs.extract(result, owner, maxBytes, 'all');
    if (!fitting) throw tooLarge('InternalError', jsonBytes(result), maxBytes);
    return { resources: [], content: fitting.content, req_id } as GetResourcesRet;
  }

  /** Skills of an MCP server are named after it. */
  #mayUseSkill(scope: AgentScope | undefined, name: string): boolean {
    const [source, server, skill] = name.split(':');
    return skill === undefined || source !== 'mcp' || this.#computer.mayUseServer(scope, server as string);
  }

  async #skill({ name, rel_path, req_id, agent_scope }: GetSkillReq, { owner }: Asker): Promise<GetSkillRet> {
    if (!this.#mayUseSkill(agent_scope, name)) throw new SMCPError('Forbidden', `the caller may not use "${name}"`);
    const file = await this.#computer.readSkill(name, rel_path);
    const { bytes, mimeType, sha256, relPath } = file;
    const about = { name, rel_path: relPath, mime_type: mimeType, total_size: bytes.length, sha256 };
    const isInline = isTextType(mimeType) && bytes.length <= INLINE_SKILL_BYTES;
    if (isInline) return { ...about, body: bytes.toString(), req_id };
    return { ...about, blob_handle: this.#blobs.add(bytes, mimeType, sha256, owner), req_id };
  }
}

function encode(answer: object, maxBytes: number): EncodedAnswer {
  const json = JSON.stringify(answer);
  checkSize(Buffer.byteLength(json), maxBytes);
  return new EncodedAnswer(json);
}

function checkSize(bytes: number, maxBytes: number): void {
  if (bytes > maxBytes) throw tooLarge('InternalError', bytes, maxBytes);
}
