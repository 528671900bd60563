import { randomUUID } from 'node:crypto';
import { cancellationOf } from '@a2c/hub';
import { META_KEYS } from '@a2c/protocol';
import {
  CLIENT_CAPABILITIES_META_KEY,
  type ClientCapabilities,
  type InputRequests,
  type InputRequiredResult,
  inputRequired,
  LOG_LEVEL_META_KEY,
  type LoggingMessageNotification,
} from '@modelcontextprotocol/server';
import type { Registry } from '../registry.js';
import type { ServerRequest, ToolboxCallOptions } from '../toolbox.js';
import type { RequestContext } from './call-dispatch.js';
import { supportsElicitation, withinCapabilities } from './client-capabilities.js';
import { ConnectedClient } from './connected-client.js';
import { ResumableCall, type ResumableCalls, type WorkOptions } from './input-required.js';
import { ANY_RESULT, type LenientServer } from './lenient-server.js';
import { withServerNames } from './named-questions.js';
import { RequestOptions } from './request-options.js';
import type { Endpoint } from './server-factory.js';

/** The requests of MCP 2026 whose result may ask for input. */
const MAY_REQUIRE_INPUT: ReadonlySet<string> = new Set(['tools/call', 'prompts/get', 'resources/read']);

/**
 * Runs the work for requests of one client, with cancellation, progress and server requests in both generations of MCP.
 */
export class RequestRunner {
  readonly #server: LenientServer;
  readonly #client: ConnectedClient;
  readonly #calls: ResumableCalls;
  readonly #registry: Registry;

  constructor(server: LenientServer, client: ConnectedClient, { calls, proxy }: Pick<Endpoint, 'calls' | 'proxy'>) {
    this.#server = server;
    this.#client = client;
    this.#calls = calls;
    this.#registry = proxy.registry;
  }

  /** Runs work for one request. `params` identify the request when it is repeated with the required input. */
  run<T>(
    ctx: RequestContext,
    params: unknown,
    work: (options: RequestOptions) => Promise<T>,
  ): Promise<T | InputRequiredResult> {
    // A call that the SDK does not handle is counted already.
    return ctx.mcpReq.canceller ? this.#run(ctx, params, work) : this.#runCounted(ctx, params, work);
  }

  async #runCounted<T>(
    ctx: RequestContext,
    params: unknown,
    work: (options: RequestOptions) => Promise<T>,
  ): Promise<T | InputRequiredResult> {
    this.#server.handledRequests += 1;
    try {
      return await this.#run(ctx, params, work);
    } finally {
      this.#server.handledRequests -= 1;
    }
  }

  #run<T>(
    ctx: RequestContext,
    params: unknown,
    work: (options: RequestOptions) => Promise<T>,
  ): Promise<T | InputRequiredResult> {
    const client = this.#clientOf(ctx);
    // That of this request: another one may declare another level meanwhile.
    const { logLevel, capabilities } = client;
    const start = ({ cancelled, onProgress, onServerRequest, onLog }: WorkOptions) => {
      const options = new RequestOptions(cancelled, {
        client,
        onProgress,
        onLog: (log) => {
          if (client.wantsLog(log, logLevel)) onLog(log);
        },
        onServerRequest:
          onServerRequest && withinCapabilities(withServerNames(onServerRequest, client, this.#registry), capabilities),
        supportsForms: supportsElicitation('form', capabilities),
        supportsUrls: supportsElicitation('url', capabilities),
      });
      return work(options);
    };
    const isModern = client.era === 'modern';
    if (isModern && MAY_REQUIRE_INPUT.has(ctx.mcpReq.method)) return this.#runResumable(ctx, params, start);
    return start({
      cancelled: ctx.mcpReq.canceller ?? ctx.mcpReq.signal,
      onProgress: progressNotifier(ctx),
      onLog: logNotifier(ctx),
      onServerRequest: isModern ? undefined : (request) => this.#send(ctx, request),
    });
  }

  /** The client with what it declares in this request. */
  #clientOf(ctx: RequestContext): ConnectedClient {
    const envelope = ctx.mcpReq.envelope as Readonly<Record<string, unknown>> | undefined;
    const client = this.#client.isStateless ? this.#newClient(ctx) : this.#client;
    const declared = envelope ? envelope[CLIENT_CAPABILITIES_META_KEY] : this.#server.getClientCapabilities();
    client.capabilities = (declared ?? {}) as ClientCapabilities;
    if (envelope) client.logLevel = envelope[LOG_LEVEL_META_KEY] as string | undefined;
    return client;
  }

  #newClient({ mcpReq }: RequestContext): ConnectedClient {
    return new ConnectedClient('modern', true, this.#client.isDirect, mcpReq.address ?? this.#client.address);
  }

  /** MCP 2025: the server request is sent over the client's connection. */
  async #send(ctx: RequestContext, { method, params, key, signal }: ServerRequest): Promise<Record<string, unknown>> {
    const options = { ...(signal && { signal }), timeout: this.#calls.timeoutMs };
    const sent = withElicitationId(params);
    this.#client.asked(sent);
    const answer = ctx.mcpReq.send({ method, ...withKey(sent, key) }, ANY_RESULT, options);
    return answer as Promise<Record<string, unknown>>;
  }

  /** MCP 2026: the result lists the required input, and the client repeats the request with the responses. */
  async #runResumable<T>(
    ctx: RequestContext,
    params: unknown,
    start: (options: WorkOptions) => Promise<T>,
  ): Promise<T | InputRequiredResult> {
    const request = [ctx.mcpReq.method, params];
    const state = ctx.mcpReq.requestState<string>();
    const { inputResponses: responses } = ctx.mcpReq;
    const onProgress = progressNotifier(ctx);
    const hasProgress = onProgress !== undefined;
    const call =
      state === undefined
        ? new ResumableCall<T>(start, { responses, hasProgress })
        : this.#calls.resume<T>(state, request);
    if (state !== undefined) call.respond(responses ?? {});
    call.onProgress = onProgress;
    call.onLog = logNotifier(ctx);
    const step = await call.next(ctx.mcpReq.canceller ?? cancellationOf(ctx.mcpReq.signal));
    if (step.kind === 'done') return step.result;
    return inputRequired({
      inputRequests: step.inputRequests as InputRequests,
      requestState: this.#calls.suspend(call, request, ctx.mcpReq.address ?? this.#client.address),
    });
  }
}

/** A URL has an id since MCP 2025-11-25; MCP 2026 has removed it. */
function withElicitationId(params: ServerRequest['params']): ServerRequest['params'] {
  return params?.mode === 'url' ? { elicitationId: randomUUID(), ...params } : params;
}

/** The parameters with the key of the request in `_meta`. */
function withKey(params: ServerRequest['params'], key: string | undefined): Pick<ServerRequest, 'params'> {
  if (key === undefined) return params ? { params } : {};
  return { params: { ...params, _meta: { ...(params?._meta as object | undefined), [META_KEYS.inputKey]: key } } };
}

function logNotifier(ctx: RequestContext): (params: Readonly<Record<string, unknown>>) => void {
  return (params) => {
    const sent = ctx.mcpReq.notify({ method: 'notifications/message', params: params as LogParams });
    sent.catch(() => {}); // the client has disconnected
  };
}

type LogParams = LoggingMessageNotification['params'];

/** Undefined if the client did not ask for progress: then servers are not asked for it either. */
function progressNotifier(ctx: RequestContext): ToolboxCallOptions['onProgress'] {
  const progressToken = ctx.mcpReq._meta?.progressToken;
  if (progressToken === undefined) return undefined;
  return (progress) => {
    const sent = ctx.mcpReq.notify({ method: 'notifications/progress', params: { ...progress, progressToken } });
    sent.catch(() => {}); // the client has disconnected
  };
}
