import { setImmediate as nextTurn } from 'node:timers/promises';
import { EncodedAnswer, type IncomingRequest } from '@a2c/link';
import {
  type CallToolResult,
  computerErrorAck,
  containsBinary,
  errorAck,
  type Generation,
  isGeneration,
  isRecord,
  jsonSize,
  MAX_PROGRESS_LENGTH,
  type Progress,
  parseRequest,
  RELAYED_EVENTS,
  type RelayedEvent,
  requestEvent,
  rulesOf,
  SMCPError,
  type ToolCallCancelNotification,
  type ToolCallProgressReq,
  type ToolCallReq,
  writeToolResult,
} from '@a2c/protocol';
import { hasLongText, jsonBytes } from '../calls/json-bytes.js';
import { type Reader, resultFor } from '../calls/result-form.js';
import { LARGE_REQUEST } from '../calls/tool-calls.js';
import type { Computer } from '../computer.js';
import { type Asker, OVERHEAD_BYTES, ownerOf, tooLarge } from './asker.js';
import type { BlobStore } from './blob-store.js';
import type { BlobParts } from './extract-blobs.js';
import { Queries } from './queries.js';
import type { QueryQueue } from './query-queue.js';

interface RequestHandlerOptions {
  readonly blobs: BlobStore;
  readonly queue: QueryQueue;
  readonly onFault: (event: string, fault: unknown) => void;
  readonly onProgress: (progress: ToolCallProgressReq) => void;
}

/** Least time between two reports of the progress of a call. */
const PROGRESS_INTERVAL_MS = 200;

/** A message of this size reaches every Agent. */
const OTHER_AGENT_BYTES = 1_000_000;

/**
 * Answers the requests of Agents with the arguments of the acknowledgement, in the form of the Agent's generation.
 * Never rejects: every request is answered.
 */
export class RequestHandler {
  readonly #computer: Computer;
  readonly #blobs: BlobStore;
  readonly #onFault: (event: string, fault: unknown) => void;
  readonly #onProgress: (progress: ToolCallProgressReq) => void;
  readonly #queries: Queries;

  constructor(computer: Computer, { blobs, queue, onFault, onProgress }: RequestHandlerOptions) {
    this.#computer = computer;
    this.#blobs = blobs;
    this.#onFault = onFault;
    this.#onProgress = onProgress;
    this.#queries = new Queries(computer, blobs, queue);
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
      if (isLarge) checkQuery(event, payload);
      if (isLarge) await nextTurn(); // This one has decoded it.
      const request = parseRequest(event, payload);
      if (isLarge) await nextTurn();
      // Arguments are JSON for MCP servers, where each byte would become a number.
      if (containsBinary(request)) throw new SMCPError('BadRequest', `${event}: binary data is not JSON; send base64`);
      this.#checkName(request.computer, sid);
      const maxBytes = maxMessageBytes - OVERHEAD_BYTES;
      const { generation, isForeignServer } = reader;
      const asker = { generation, isForeignServer, office, owner: ownerOf(office, request.agent), maxBytes };
      return [await this.#answer(event, request as never, asker)];
    } catch (thrown) {
      const error = SMCPError.from(thrown);
      if (error.cause !== undefined) this.#onFault(name, thrown);
      return encodeError(event, error, reader);
    }
  }

  #answer(event: RelayedEvent, request: never, asker: Asker): Promise<object> {
    if (event === 'client:tool_call') return this.#call(request, asker);
    if (event === 'client:put_blob') return this.#computer.receiveBlob(request, asker.owner);
    return this.#queries.answer(event, request, asker);
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

  async #call(request: ToolCallReq, asker: Asker): Promise<EncodedAnswer> {
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
      bundleId: request.bundle_id,
      nameForm: request.tool_names ?? rulesOf(asker.generation).toolNames,
    });
    const encode = (fitting: CallToolResult) =>
      new EncodedAnswer(JSON.stringify(writeToolResult(resultFor(fitting, asker))));
    const parts = partsFor(request, asker.generation);
    // Agents of other makers that fetch blobs always do, and may not receive as much in one message as the Server does.
    const maxBytes = parts === 'binary' ? Math.min(asker.maxBytes, OTHER_AGENT_BYTES) : asker.maxBytes;
    const usual = hasLongText(result) ? undefined : encode(result);
    if (usual && Buffer.byteLength(usual.json) <= maxBytes) return usual;
    const bytes = jsonBytes(result);
    if (bytes <= maxBytes) return encode(result);
    const reduced = parts && this.#blobs.extract(result, asker.owner, maxBytes, parts);
    if (reduced) return encode(reduced);
    if (bytes <= asker.maxBytes) return encode(result);
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
}

function isRelayed(event: string): event is RelayedEvent {
  return (RELAYED_EVENTS as readonly string[]).includes(event);
}

/** A query may have to wait, and has nothing that is large. The Server adds the scope. */
function checkQuery(event: RelayedEvent, payload: unknown): void {
  if (event === 'client:tool_call' || event === 'client:put_blob' || !isRecord(payload)) return;
  const { agent_scope: _added, ...own } = payload;
  if (jsonSize(own, LARGE_REQUEST) <= LARGE_REQUEST) return;
  throw new SMCPError('BadRequest', `${event}: this request may have ${LARGE_REQUEST / 1_024} KiB`);
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

/** The W3C trace context that the Server adds to requests. */
function traceContext(request: object): Record<string, string> {
  const { traceparent, tracestate } = request as Record<string, unknown>;
  const context: Record<string, string> = {};
  if (typeof traceparent === 'string') context.traceparent = traceparent;
  if (typeof tracestate === 'string') context.tracestate = tracestate;
  return context;
}
