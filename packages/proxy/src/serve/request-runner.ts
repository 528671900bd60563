import type { Progress } from '@a2c/protocol';
import {
  CLIENT_CAPABILITIES_META_KEY,
  type ClientCapabilities,
  type InputRequests,
  type InputRequiredResult,
  inputRequired,
  MissingRequiredClientCapabilityError,
  type ServerContext,
} from '@modelcontextprotocol/server';
import type { ServerRequest, ServerRequestHandler, ToolboxCallOptions } from '../toolbox.js';
import { ResumableCall, type ResumableCalls, type WorkOptions } from './input-required.js';
import { ANY_RESULT, type LenientServer } from './lenient-server.js';

/**
 * Runs the work for requests of one client, with cancellation, progress and server requests in both generations of MCP.
 */
export class RequestRunner {
  readonly #server: LenientServer;
  readonly #calls: ResumableCalls;

  constructor(server: LenientServer, calls: ResumableCalls) {
    this.#server = server;
    this.#calls = calls;
  }

  /** Runs work for one request. `params` identify the request when it is repeated with the required input. */
  async run<T>(
    ctx: ServerContext,
    params: unknown,
    work: (options: ToolboxCallOptions) => Promise<T>,
  ): Promise<T | InputRequiredResult> {
    this.#server.pendingRequests += 1;
    try {
      return await this.#run(ctx, params, work);
    } finally {
      this.#server.pendingRequests -= 1;
    }
  }

  #run<T>(
    ctx: ServerContext,
    params: unknown,
    work: (options: ToolboxCallOptions) => Promise<T>,
  ): Promise<T | InputRequiredResult> {
    const envelope = ctx.mcpReq.envelope as Readonly<Record<string, unknown>> | undefined;
    const declared = envelope?.[CLIENT_CAPABILITIES_META_KEY] as ClientCapabilities | undefined;
    const capabilities = declared ?? this.#server.getClientCapabilities();
    const start = ({ onServerRequest, ...options }: WorkOptions) =>
      work({
        ...options,
        client: this.#server,
        onServerRequest: withinCapabilities(onServerRequest, capabilities),
        supportsForms: supportsElicitation('form', capabilities),
      });
    if (declared) return this.#runResumable(ctx, params, start);
    return start({
      signal: ctx.mcpReq.signal,
      onProgress: progressNotifier(ctx),
      onServerRequest: (request) => this.#send(ctx, request),
    });
  }

  /** MCP 2025: the server request is sent over the client's connection. */
  async #send(
    ctx: ServerContext,
    { method, params, signal: requestSignal }: ServerRequest,
  ): Promise<Record<string, unknown>> {
    const signal = requestSignal ? AbortSignal.any([ctx.mcpReq.signal, requestSignal]) : ctx.mcpReq.signal;
    const options = { signal, timeout: this.#calls.timeoutMs };
    const answer = ctx.mcpReq.send({ method, ...(params && { params }) }, ANY_RESULT, options);
    return answer as Promise<Record<string, unknown>>;
  }

  /** MCP 2026: the result lists the required input, and the client repeats the request with the responses. */
  async #runResumable<T>(
    ctx: ServerContext,
    params: unknown,
    start: (options: WorkOptions) => Promise<T>,
  ): Promise<T | InputRequiredResult> {
    const request = [ctx.mcpReq.method, params];
    const state = ctx.mcpReq.requestState<string>();
    const call = state === undefined ? new ResumableCall<T>(start) : this.#calls.resume<T>(state, request);
    if (state !== undefined) call.respond(ctx.mcpReq.inputResponses ?? {});
    call.onProgress = progressNotifier(ctx);
    const step = await call.next(ctx.mcpReq.signal);
    if (step.kind === 'done') return step.result;
    return inputRequired({
      inputRequests: step.inputRequests as InputRequests,
      requestState: this.#calls.suspend(call, request),
    });
  }
}

function progressNotifier(ctx: ServerContext): (progress: Progress) => void {
  const progressToken = ctx.mcpReq._meta?.progressToken;
  return (progress) => {
    if (progressToken === undefined) return;
    const sent = ctx.mcpReq.notify({ method: 'notifications/progress', params: { ...progress, progressToken } });
    sent.catch(() => {}); // the client has disconnected
  };
}

/**
 * Answers server requests that the client does not support, so that the MCP server continues at once instead of
 * waiting.
 */
function withinCapabilities(
  handler: ServerRequestHandler,
  capabilities: ClientCapabilities | undefined,
): ServerRequestHandler {
  return async (request) => {
    if (isSupported(request, capabilities)) return handler(request);
    if (request.method === 'elicitation/create') return { action: 'cancel' };
    // The one error code for this that both generations have. The server passes it on to its caller.
    const requiredCapabilities = request.method === 'roots/list' ? { roots: {} } : { sampling: {} };
    const message = `The client cannot answer ${request.method}`;
    throw new MissingRequiredClientCapabilityError({ requiredCapabilities }, message);
  };
}

function isSupported({ method, params }: ServerRequest, capabilities: ClientCapabilities | undefined): boolean {
  switch (method) {
    case 'elicitation/create':
      return supportsElicitation(params?.mode === 'url' ? 'url' : 'form', capabilities);
    case 'sampling/createMessage':
      return capabilities?.sampling !== undefined;
    case 'roots/list':
      return capabilities?.roots !== undefined;
  }
}

/** `elicitation: {}` is the declaration from before there were modes, and means forms. */
function supportsElicitation(mode: 'form' | 'url', capabilities: ClientCapabilities | undefined): boolean {
  const declared = capabilities?.elicitation;
  if (!declared) return false;
  if (mode === 'url') return declared.url !== undefined;
  return declared.form !== undefined || declared.url === undefined;
}
