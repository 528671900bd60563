import {
  type CallToolResult,
  errorAck,
  parseNotification,
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

/** Where a request came from, as far as it matters to the answer. */
export interface RequestOrigin {
  readonly office: string;
  /** The connection's own id, by which old peers address a Computer. */
  readonly sid: string;
  /** The largest message the Server accepts. */
  readonly messageBytes: number;
}

type Handlers = {
  readonly [E in RelayedEvent]: (request: RequestOf<E>, origin: RequestOrigin) => Promise<ResultOf<E>>;
};

/** What a message costs beyond its payload: the packet's head and the Server's own additions. */
const PACKET_HEAD_BYTES = 512;

/** Turns requests into the arguments of their acknowledgement; never rejects, so that every request is answered. */
export class RequestServer {
  readonly #computer: Computer;
  readonly #blobs: BlobStore;
  readonly #onFault: (event: string, fault: unknown) => void;
  readonly #handlers: Handlers;

  constructor(computer: Computer, blobs: BlobStore, onFault: (event: string, fault: unknown) => void) {
    this.#computer = computer;
    this.#blobs = blobs;
    this.#onFault = onFault;
    this.#handlers = {
      'client:tool_call': (request, { office }) => this.#call(request, office),
      'client:get_tools': async ({ req_id }) => ({ tools: computer.getAvailableTools(), req_id }),
      'client:get_config': async () => computer.config(),
      'client:get_desktop': async ({ desktop_size: size, window, req_id }) => ({
        desktops: await computer.getDesktop({ size, window }),
        req_id,
      }),
      'client:get_blob': async (request, { office, messageBytes }) =>
        blobs.read(request, ownerOf(office, request.agent), messageBytes),
    };
  }

  async answer(name: string, payload: unknown, origin: RequestOrigin): Promise<readonly unknown[]> {
    let event: ReturnType<typeof requestEvent>;
    try {
      event = requestEvent(name);
      if (event === undefined || !isRelayed(event))
        throw new SMCPError('BadRequest', `unknown event "${name.slice(0, 100)}"`);
      const request = parseRequest(event, payload);
      this.#checkName(request.computer, origin);
      const answer = await this.#handlers[event](request as never, origin);
      const fitting = this.#fitting(event, request, answer, origin);
      return [event === 'client:tool_call' ? writeToolResult(fitting as CallToolResult) : fitting];
    } catch (thrown) {
      const error = SMCPError.from(thrown);
      if (error.cause !== undefined) this.#onFault(name, thrown);
      return errorAck(event, error, reqIdOf(payload));
    }
  }

  /** A cancel for a call that is not ours, or over, is nothing to speak of. */
  cancel(payload: unknown, office: string): void {
    const { agent, req_id } = parseNotification('notify:tool_call_cancel', payload);
    this.#computer.cancel(req_id, { agent, office });
  }

  #checkName(asked: string, { sid }: RequestOrigin): void {
    const { name } = this.#computer;
    if (asked === name || asked === sid) return;
    throw new SMCPError('Forbidden', `this is Computer "${name}", not "${asked}"`, { details: { computer: asked } });
  }

  #call(request: ToolCallReq, office: string): Promise<CallToolResult> {
    const { req_id, tool_name, params, timeout, agent, repeated_after_ms: repeatedAfterMs } = request;
    return this.#computer.executeTool(req_id, tool_name, params, {
      timeout,
      agent,
      office,
      repeatedAfterMs,
      meta: traceContext(request),
    });
  }

  /** A message over the Server's limit would not be refused: it would end the connection and everything on it. */
  #fitting(event: RelayedEvent, request: RequestOf<RelayedEvent>, answer: object, origin: RequestOrigin): unknown {
    const limit = origin.messageBytes - PACKET_HEAD_BYTES;
    const bytes = jsonBytes(answer);
    if (bytes <= limit) return answer;
    const isCall = event === 'client:tool_call';
    const acceptsBlobs = isCall && (request as ToolCallReq).accept_blobs === true;
    if (acceptsBlobs) {
      const owner = ownerOf(origin.office, request.agent);
      const lighter = this.#blobs.moveOut(answer as CallToolResult, owner, limit);
      if (lighter) return lighter;
    }
    const remedy = isCall && !acceptsBlobs ? 'ask for less, or call with accept_blobs' : 'ask for less';
    throw new SMCPError(
      isCall ? 'ToolExecutionFailed' : 'InternalError',
      `the answer has ${bytes} bytes, and the Server takes ${limit}; ${remedy}`,
      { details: { bytes, limit } },
    );
  }
}

function isRelayed(event: string): event is RelayedEvent {
  return (RELAYED_EVENTS as readonly string[]).includes(event);
}

function ownerOf(office: string, agent: string): string {
  return JSON.stringify([office, agent]);
}

/** W3C trace context, which the Server adds to requests. */
function traceContext(request: object): Record<string, string> {
  const entries = Object.entries(request).filter(
    ([key, value]) => (key === 'traceparent' || key === 'tracestate') && typeof value === 'string',
  );
  return Object.fromEntries(entries as [string, string][]);
}

function reqIdOf(payload: unknown): string | undefined {
  if (typeof payload !== 'object' || payload === null || !('req_id' in payload)) return undefined;
  return typeof payload.req_id === 'string' ? payload.req_id.slice(0, 256) : undefined;
}
