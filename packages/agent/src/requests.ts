import { type Link, randomId } from '@a2c/link';
import {
  type CallOptions,
  type CallToolResult,
  delay,
  type Progress,
  parseRequest,
  type RequestOf,
  type ResultOf,
  SMCPError,
  type ToolCallProgressNotification,
  type ToolCallReq,
} from '@a2c/protocol';
import type { FetchChunk } from './blobs/fetch-blob.js';
import { fetchBlobs, hasBlobs } from './blobs/fetch-blobs.js';
import type { Discovery } from './office/discovery.js';
import type { AgentLimits, QueryOptions } from './options.js';
import { type AgentRequest, type Presence, repeatedRequest } from './repeated-request.js';

export interface AgentRequestsOptions {
  /** The name of the Agent. */
  readonly agent: string;
  readonly link: Link;
  readonly discovery: Discovery;
  readonly limits: AgentLimits;
  /** Whether a tool call is repeated after a lost connection. */
  readonly repeatCalls: boolean;
  /** Whether the Agent has left the office. */
  readonly isOver: () => boolean;
}

/** How long a call waits for the room list of a Server that does not answer. */
const ROOM_LIST_MS = 2_000;

interface WatchedCall {
  readonly computer: string;
  readonly onProgress: (progress: Progress) => void;
}

/** The requests of an Agent: tool calls with their blobs, and queries. */
export class AgentRequests {
  readonly #options: AgentRequestsOptions;
  /** The calls whose progress is wanted, by request id. */
  readonly #watched = new Map<string, WatchedCall>();

  readonly #presence: Presence;

  constructor(options: AgentRequestsOptions) {
    this.#options = options;
    const { limits, discovery, isOver } = options;
    this.#presence = {
      absenceMs: limits.absenceMs,
      epochOf: (computer) => discovery.epochOf(computer),
      whenPresent: async (computer, ms, signal) => {
        if (!isOver()) await discovery.whenPresent(computer, ms, signal);
      },
    };
  }

  /** Calls a tool and fetches the blobs of its result. */
  async call(call: ToolCallReq, { signal, onProgress }: CallOptions): Promise<CallToolResult> {
    const { limits, discovery, repeatCalls: repeat } = this.#options;
    const timeoutMs = call.timeout * 1_000 + limits.graceMs;
    const deadline = performance.now() + timeoutMs;
    if (onProgress) this.#watched.set(call.req_id, { computer: call.computer, onProgress });
    try {
      signal?.throwIfAborted();
      if (discovery.isListing) await this.#roomList();
      let result: CallToolResult;
      try {
        result = await this.#request('client:tool_call', call, { timeoutMs, signal, repeat });
      } catch (error) {
        throw this.#failed(call, error, signal);
      }
      return hasBlobs(result) ? await this.withBlobs(call.computer, result, signal, deadline) : result;
    } finally {
      if (onProgress && this.#watched.get(call.req_id)?.onProgress === onProgress) this.#watched.delete(call.req_id);
    }
  }

  /** Passes progress to the call it is about, if that is pending on this Computer. */
  progressed({ computer, req_id, progress, total, message }: ToolCallProgressNotification): void {
    const watched = this.#watched.get(req_id);
    if (watched?.computer === computer) watched.onProgress({ progress, total, message });
  }

  /** Cancels a call that timed out or was aborted. Returns the error to report. */
  #failed(call: ToolCallReq, error: unknown, signal: AbortSignal | undefined): unknown {
    const isTimeout = error instanceof SMCPError && error.code === 408;
    if (isTimeout || signal?.aborted) this.cancel(call.req_id);
    return isTimeout && error.a2cCode === undefined ? toolTimeout(call, error) : error;
  }

  /** Requests the cancellation of a call. */
  cancel(reqId: string): void {
    const { link, agent } = this.#options;
    link.notify('server:tool_call_cancel', { agent, req_id: reqId }, { queue: true });
  }

  /** Sends a request that can be repeated without effect. */
  query<E extends Exclude<AgentRequest, 'client:tool_call'>>(
    event: E,
    fields: Omit<RequestOf<E>, 'agent' | 'req_id'>,
    {
      signal,
      repeat = true,
      maxMs = Number.POSITIVE_INFINITY,
    }: QueryOptions & { readonly repeat?: boolean; readonly maxMs?: number },
  ): Promise<ResultOf<E>> {
    const { agent, limits } = this.#options;
    const request = parseRequest(event, { agent, req_id: randomId(), ...fields });
    const timeoutMs = Math.min(limits.queryMs + limits.graceMs, maxMs);
    return this.#request(event, request, { timeoutMs, signal, repeat });
  }

  /**
   * Fetches the blobs of a result. Each chunk has the time limit of a query, and is repeated after a lost connection.
   * After the deadline, in milliseconds of `performance.now`, the blobs that are left count as failed: a Computer could
   * send any number of them.
   */
  withBlobs(
    computer: string,
    result: CallToolResult,
    signal: AbortSignal | undefined,
    deadline = Number.POSITIVE_INFINITY,
  ): Promise<CallToolResult> {
    const { limits, isOver } = this.#options;
    const fetchChunk = this.fetchChunk(computer, signal, deadline);
    return fetchBlobs(result, { fetchChunk, maxBytes: limits.resultBytes, isCallOver: isOver });
  }

  /** Fetches chunks of blobs of a Computer. */
  fetchChunk(computer: string, signal: AbortSignal | undefined, deadline = Number.POSITIVE_INFINITY): FetchChunk {
    const { chunkBytes: max_chunk_bytes } = this.#options.limits;
    return async (blob_handle, chunk_offset) => {
      const leftMs = deadline - performance.now();
      if (leftMs <= 0) throw new SMCPError('Timeout', 'the time limit of the call has passed; call with a longer one');
      const fields = { computer, blob_handle, chunk_offset, max_chunk_bytes };
      return this.query('client:get_blob', fields, { signal, maxMs: leftMs });
    };
  }

  #request<E extends AgentRequest>(
    event: E,
    request: RequestOf<E>,
    options: { readonly timeoutMs: number; readonly signal: AbortSignal | undefined; readonly repeat: boolean },
  ): Promise<ResultOf<E>> {
    return repeatedRequest(this.#options.link, event, request, options, this.#presence);
  }

  /** Waits for the room list, which has the epochs of the Computers; not longer than a Server that works needs. */
  async #roomList(): Promise<void> {
    const over = new AbortController();
    await Promise.race([this.#options.discovery.listed(), delay(ROOM_LIST_MS, over.signal).catch(() => {})]);
    over.abort();
  }
}

function toolTimeout({ computer, tool_name, req_id }: ToolCallReq, cause: SMCPError): SMCPError {
  return new SMCPError('ToolTimeout', `tool "${tool_name}" of Computer "${computer}": ${cause.message}`, {
    details: { computer, tool: tool_name, req_id },
    cause,
  });
}
