import type { IncomingRequest } from '@a2c/link';
import {
  type CallToolResult,
  errorAck,
  parseRequest,
  RELAYED_EVENTS,
  type RelayedEvent,
  type RequestOf,
  type ResultOf,
  requestEvent,
  SMCPError,
  type ToolCallReq,
  writeToolResult,
} from '@a2c/protocol';
import { jsonBytes } from '../calls/json-bytes.js';
import type { Computer } from '../computer.js';
import type { BlobStore } from './blob-store.js';

type Handlers = {
  readonly [E in RelayedEvent]?: (
    request: RequestOf<E>,
    office: string,
    maxBytes: number,
  ) => Promise<ResultOf<E>> | ResultOf<E>;
};

/** The size of a message beyond its payload: the packet header and the fields the Server adds. */
const OVERHEAD_BYTES = 512;

/**
 * Answers the requests of Agents with the arguments of the acknowledgement. Never rejects: every request is answered.
 */
export class RequestHandler {
  readonly #computer: Computer;
  readonly #blobs: BlobStore;
  readonly #onFault: (event: string, fault: unknown) => void;
  readonly #handlers: Handlers;

  constructor(computer: Computer, blobs: BlobStore, onFault: (event: string, fault: unknown) => void) {
    this.#computer = computer;
    this.#blobs = blobs;
    this.#onFault = onFault;
    this.#handlers = {
      'client:tool_call': (request, office) => this.#call(request, office),
      'client:get_tools': ({ req_id }) => ({ tools: computer.getAvailableTools(), req_id }),
      'client:get_config': () => computer.config(),
      'client:get_desktop': async ({ desktop_size: size, window, req_id }) => ({
        desktops: await computer.getDesktop({ size, window }),
        req_id,
      }),
      'client:get_blob': (request, office, maxBytes) => blobs.read(request, ownerOf(office, request.agent), maxBytes),
    };
  }

  async answer(incoming: IncomingRequest, maxMessageBytes: number): Promise<readonly unknown[]> {
    const { name, payload, office, sid } = incoming;
    let event: ReturnType<typeof requestEvent>;
    try {
      event = requestEvent(name);
      const handler = event !== undefined && isRelayed(event) ? this.#handlers[event] : undefined;
      if (event === undefined || !isRelayed(event) || !handler)
        throw new SMCPError('BadRequest', `unknown event "${name.slice(0, 100)}"`);
      const request = parseRequest(event, payload);
      this.#checkName(request.computer, sid);
      const answer = await handler(request as never, office, maxMessageBytes);
      const fitting = this.#fit(answer, event, request, { office, maxBytes: maxMessageBytes - OVERHEAD_BYTES });
      return [event === 'client:tool_call' ? writeToolResult(fitting as CallToolResult) : fitting];
    } catch (thrown) {
      const error = SMCPError.from(thrown);
      if (error.cause !== undefined) this.#onFault(name, thrown);
      return errorAck(event, error);
    }
  }

  /** Older peers address a Computer by the id of its connection. */
  #checkName(addressee: string, sid: string): void {
    const { name } = this.#computer;
    if (addressee === name || addressee === sid) return;
    throw new SMCPError('Forbidden', `this is Computer "${name}", not "${addressee}"`, {
      details: { computer: addressee },
    });
  }

  #call(request: ToolCallReq, office: string): Promise<CallToolResult> {
    const {
      req_id,
      tool_name,
      params,
      timeout,
      agent,
      repeated_after_ms: repeatedAfterMs,
      computer_epoch: computerEpoch,
    } = request;
    return this.#computer.executeTool(req_id, tool_name, params, {
      timeout,
      agent,
      office,
      repeatedAfterMs,
      computerEpoch,
      meta: traceContext(request),
    });
  }

  /** Extracts blobs from an answer over the Server's limit. Sent as it is, it would end the connection. */
  #fit(
    answer: object,
    event: RelayedEvent,
    request: RequestOf<RelayedEvent>,
    { office, maxBytes }: { readonly office: string; readonly maxBytes: number },
  ): unknown {
    const bytes = jsonBytes(answer);
    if (bytes <= maxBytes) return answer;
    const isCall = event === 'client:tool_call';
    const acceptsBlobs = isCall && (request as ToolCallReq).accept_blobs === true;
    if (acceptsBlobs) {
      const reduced = this.#blobs.extract(answer as CallToolResult, ownerOf(office, request.agent), maxBytes);
      if (reduced) return reduced;
    }
    const remedy = isCall && !acceptsBlobs ? 'ask for less, or call with accept_blobs' : 'ask for less';
    throw new SMCPError(
      isCall ? 'ToolExecutionFailed' : 'InternalError',
      `the answer has ${bytes} bytes, and the Server takes ${maxBytes}; ${remedy}`,
      { details: { bytes, limit: maxBytes } },
    );
  }
}

function isRelayed(event: string): event is RelayedEvent {
  return (RELAYED_EVENTS as readonly string[]).includes(event);
}

function ownerOf(office: string, agent: string): string {
  return JSON.stringify([office, agent]);
}

/** The W3C trace context that the Server adds to requests. */
function traceContext(request: object): Record<string, string> {
  const entries = Object.entries(request).filter(
    ([key, value]) => (key === 'traceparent' || key === 'tracestate') && typeof value === 'string',
  );
  return Object.fromEntries(entries as [string, string][]);
}
