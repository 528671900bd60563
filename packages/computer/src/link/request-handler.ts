import { setImmediate as nextTurn } from 'node:timers/promises';
import type { IncomingRequest } from '@a2c/link';
import {
  type AgentScope,
  type CallToolResult,
  type ContentBlock,
  computerErrorAck,
  configFor,
  containsBinary,
  errorAck,
  type Generation,
  type GetResourcesReq,
  type GetResourcesRet,
  type GetSkillReq,
  type GetSkillRet,
  isGeneration,
  isRecord,
  jsonSize,
  MAX_PROGRESS_LENGTH,
  type Progress,
  parseRequest,
  RELAYED_EVENTS,
  type RelayedEvent,
  type RequestOf,
  type ResultOf,
  requestEvent,
  rulesOf,
  SMCPError,
  type ToolCallCancelNotification,
  type ToolCallProgressReq,
  type ToolCallReq,
  writeToolResult,
} from '@a2c/protocol';
import { jsonBytes } from '../calls/json-bytes.js';
import { type Reader, resultFor } from '../calls/result-form.js';
import { LARGE_REQUEST } from '../calls/tool-calls.js';
import type { Computer } from '../computer.js';
import { isTextType } from '../skills/mime-types.js';
import type { BlobStore } from './blob-store.js';
import type { BlobParts } from './extract-blobs.js';

/** Who asks, and what can be sent back. */
interface Asker extends Reader {
  readonly office: string;
  /** The Agent within the office: the owner of blobs and uploads. */
  readonly owner: string;
  readonly maxBytes: number;
}

type Handlers = {
  readonly [E in RelayedEvent]: (request: RequestOf<E>, asker: Asker) => Promise<ResultOf<E>> | ResultOf<E>;
};

interface RequestHandlerEvents {
  readonly onFault: (event: string, fault: unknown) => void;
  readonly onProgress: (progress: ToolCallProgressReq) => void;
}

/** The size of a message beyond its payload: the packet header and the fields the Server adds. */
const OVERHEAD_BYTES = 512;

/** Least time between two reports of the progress of a call. */
const PROGRESS_INTERVAL_MS = 200;

/** A message of this size reaches every Agent. */
const OTHER_AGENT_BYTES = 1_000_000;

/** Larger texts of skills are blobs. */
const INLINE_SKILL_BYTES = 32 * 1_024;

/**
 * Answers the requests of Agents with the arguments of the acknowledgement, in the form of the Agent's generation.
 * Never rejects: every request is answered.
 */
export class RequestHandler {
  readonly #computer: Computer;
  readonly #blobs: BlobStore;
  readonly #onFault: (event: string, fault: unknown) => void;
  readonly #onProgress: (progress: ToolCallProgressReq) => void;
  readonly #handlers: Handlers;

  constructor(computer: Computer, blobs: BlobStore, { onFault, onProgress }: RequestHandlerEvents) {
    this.#computer = computer;
    this.#blobs = blobs;
    this.#onFault = onFault;
    this.#onProgress = onProgress;
    this.#handlers = {
      'client:tool_call': (request, asker) => this.#call(request, asker),
      'client:get_tools': (request, { generation }) => ({
        tools: computer.getAvailableTools(rulesOf(generation).toolNames, request.tool_names, request.agent_scope),
        req_id: request.req_id,
      }),
      'client:get_config': ({ agent_scope }, { generation }) => {
        const { servers, ...config } = computer.config();
        const permitted = Object.entries(servers).filter(([name]) => computer.mayUseServer(agent_scope, name));
        return configFor(generation, { ...config, servers: Object.fromEntries(permitted) });
      },
      'client:get_desktop': async ({ desktop_size: size, window, agent_scope: scope, req_id }, { generation }) => ({
        desktops: await computer.getDesktop({ size, window, scope, order: rulesOf(generation).configKeys }),
        req_id,
      }),
      'client:get_resources': (request, asker) => this.#resources(request, asker),
      'client:get_skills': ({ req_id, agent_scope }) => ({
        skills: computer.skills().filter(({ name }) => this.#mayUseSkill(agent_scope, name)),
        req_id,
      }),
      'client:get_skill': (request, asker) => this.#skill(request, asker),
      'client:get_blob': (request, { owner, maxBytes }) => blobs.read(request, owner, maxBytes + OVERHEAD_BYTES),
      'client:put_blob': (request, { owner }) => computer.receiveBlob(request, owner),
    };
  }

  async answer(incoming: IncomingRequest, maxMessageBytes: number): Promise<readonly unknown[]> {
    const { name, payload, office, sid } = incoming;
    // Our Server names the generation of an Agent that differs. Another one relays answers as they are, or drops them.
    const agentGeneration = isRecord(payload) && isGeneration(payload.agent_generation) && payload.agent_generation;
    const reader: Reader = {
      generation: agentGeneration || incoming.generation,
      isForeignServer: agentGeneration === false && incoming.serverVersion === undefined,
    };
    let event: ReturnType<typeof requestEvent>;
    try {
      event = requestEvent(name);
      if (event === undefined || !isRelayed(event))
        throw new SMCPError('BadRequest', `unknown event "${name.slice(0, 100)}"`);
      const isLarge = jsonSize(payload, LARGE_REQUEST) > LARGE_REQUEST;
      if (isLarge) await nextTurn(); // This one has decoded it.
      const request = parseRequest(event, payload);
      if (isLarge) await nextTurn();
      // Arguments are JSON for MCP servers, where each byte would become a number.
      if (containsBinary(request)) throw new SMCPError('BadRequest', `${event}: binary data is not JSON; send base64`);
      this.#checkName(request.computer, sid);
      const maxBytes = maxMessageBytes - OVERHEAD_BYTES;
      const asker = { ...reader, office, owner: JSON.stringify([office, request.agent]), maxBytes };
      const answer = await this.#handlers[event](request as never, asker);
      return [event === 'client:tool_call' ? answer : this.#fitting(answer, maxBytes)];
    } catch (thrown) {
      const error = SMCPError.from(thrown);
      if (error.cause !== undefined) this.#onFault(name, thrown);
      return encodeError(event, error, reader);
    }
  }

  /** Cancels a call. Takes as many turns as a large request, because a later cancellation must find its call. */
  async cancel({ agent, req_id }: ToolCallCancelNotification, office: string | undefined): Promise<void> {
    await nextTurn();
    await nextTurn();
    this.#computer.cancel(req_id, { agent, office });
  }

  /** Older peers address a Computer by the id of its connection. */
  #checkName(addressee: string, sid: string): void {
    const { name } = this.#computer;
    if (addressee === name || addressee === sid) return;
    throw new SMCPError('Forbidden', `this is Computer "${name}", not "${addressee}"`, {
      details: { computer: addressee },
    });
  }

  async #call(request: ToolCallReq, asker: Asker): Promise<CallToolResult> {
    const { req_id, tool_name, params, timeout, agent } = request;
    const result = await this.#computer.executeTool(req_id, tool_name, params, {
      timeout,
      agent,
      office: asker.office,
      meta: traceContext(request),
      repeatedAfterMs: request.repeated_after_ms,
      computerEpoch: request.computer_epoch,
      scope: request.agent_scope,
      onProgress: request.progress ? this.#progressOf(request) : undefined,
      nameForm: request.tool_names ?? rulesOf(asker.generation).toolNames,
    });
    const written = (fitting: CallToolResult) => writeToolResult(resultFor(fitting, asker)) as CallToolResult;
    const parts = partsFor(request, asker.generation);
    const bytes = jsonBytes(result);
    // Agents of other makers that fetch blobs always do, and may not receive as much in one message as the Server does.
    const maxBytes = parts === 'binary' ? Math.min(asker.maxBytes, OTHER_AGENT_BYTES) : asker.maxBytes;
    if (bytes <= maxBytes) return written(result);
    const reduced = parts && this.#blobs.extract(result, asker.owner, maxBytes, parts);
    if (reduced) return written(reduced);
    if (bytes <= asker.maxBytes) return written(result);
    throw tooLarge('ToolExecutionFailed', bytes, asker.maxBytes);
  }

  /** Reports the progress of a call, not more often than a person can follow it. */
  #progressOf({ agent, req_id }: ToolCallReq): (progress: Progress) => void {
    let reportedAt = Number.NEGATIVE_INFINITY;
    return ({ progress, total, message }) => {
      const now = performance.now();
      if (now - reportedAt < PROGRESS_INTERVAL_MS) return;
      reportedAt = now;
      this.#onProgress({
        ...{ agent, req_id, computer: this.#computer.name, progress },
        ...(total !== undefined && { total }),
        ...(message !== undefined && { message: message.slice(0, MAX_PROGRESS_LENGTH) }),
      });
    };
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

  /** Sent as it is, an answer over the limit of the Server would end the connection. */
  #fitting(answer: object, maxBytes: number): object {
    const bytes = jsonBytes(answer);
    if (bytes <= maxBytes) return answer;
    throw tooLarge('InternalError', bytes, maxBytes);
  }
}

function isRelayed(event: string): event is RelayedEvent {
  return (RELAYED_EVENTS as readonly string[]).includes(event);
}

function partsFor({ accept_blobs: accepts }: ToolCallReq, generation: Generation): BlobParts | undefined {
  if (accepts === undefined) return rulesOf(generation).blobs ? 'binary' : undefined;
  return accepts ? 'all' : undefined;
}

function encodeError(
  event: ReturnType<typeof requestEvent>,
  error: SMCPError,
  { generation, isForeignServer }: Reader,
) {
  return isForeignServer ? computerErrorAck(event, error, generation) : errorAck(event, error, generation);
}

function tooLarge(kind: 'ToolExecutionFailed' | 'InternalError', bytes: number, limit: number): SMCPError {
  const message = `the answer has ${bytes} bytes, and ${limit} can be sent; ask for less`;
  return new SMCPError(kind, message, { details: { bytes, limit } });
}

/** The W3C trace context that the Server adds to requests. */
function traceContext(request: object): Record<string, string> {
  const { traceparent, tracestate } = request as Record<string, unknown>;
  const context: Record<string, string> = {};
  if (typeof traceparent === 'string') context.traceparent = traceparent;
  if (typeof tracestate === 'string') context.tracestate = tracestate;
  return context;
}
