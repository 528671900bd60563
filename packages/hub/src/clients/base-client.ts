import type { JsonObject, ServerConfig } from '@a2c/config';
import { raceSignal, timerMs } from '@a2c/protocol';
import {
  type ClientCapabilities,
  type Implementation,
  isInputRequiredResult,
  type PriorDiscovery,
  ProtocolError,
  SdkError,
  SdkErrorCode,
  SdkHttpError,
  type ServerCapabilities,
} from '@modelcontextprotocol/client';
import { cancellationOf } from '../cancellation.js';
import type { HubError } from '../errors.js';
import { LineTransport } from '../transports/line-transport.js';
import { type AnyTransport, diagnosticsOf, type TransportDiagnostics } from '../transports/server-transport.js';
import { ANY_RESULT } from './any-result.js';
import { ChangeStream } from './change-stream.js';
import {
  type ClientHandlers,
  createSdkClient,
  type HubSdkClient,
  type ServerRequestHandlers,
} from './client-handlers.js';
import { declaredCapabilities } from './declared-capabilities.js';
import { DirectCalls } from './direct-calls.js';
import { endsLogin, explainFailure, notJson, withEndReason, withLikelyReason } from './explain-failure.js';
import { repeatWithInput } from './input-required.js';
import type { ClientRequestOptions, MCPClientOptions, MCPClientProtocol, ProtocolEra } from './mcp-client.js';
import { NegotiationTransport } from './negotiation-transport.js';
import { keepAsSent, taskResult } from './sent-messages.js';
import { approveServer } from './trust.js';

/** One attempt to connect: an SDK client cannot be used again after its transport is closed. */
interface Session {
  readonly sdk: HubSdkClient;
  readonly transport: AnyTransport;
  readonly changes: ChangeStream;
  /** Sends the calls, unless each request has its own stream. */
  calls?: DirectCalls;
  /** For models; null if the server sent none, or too long ones. */
  instructions: string | null;
  isOpen: boolean;
}

/** Characters. Those of known servers have less than 10,000. */
const MAX_INSTRUCTIONS = 2 ** 16;

/**
 * The client of one MCP server for any transport. A subclass provides the transport; the base class negotiates the
 * protocol generation, sends requests, answers server requests and reports a lost connection.
 *
 * @example
 * ```ts
 * import { connect } from 'node:net';
 * import { BaseMCPClient, MCPServerManager, SocketTransport } from '@a2c/hub';
 *
 * class TcpMCPClient extends BaseMCPClient {
 *   override async createTransport() {
 *     const { port } = this.server.transport as unknown as { port: number };
 *     return new SocketTransport({ name: `port ${port}`, connect: () => connect(port) }, this.options.limits);
 *   }
 * }
 *
 * export const hub = new MCPServerManager({
 *   clients: { tcp: (server, options) => new TcpMCPClient(server, options) },
 * });
 * ```
 */
export abstract class BaseMCPClient implements MCPClientProtocol {
  readonly server: ServerConfig;
  protected readonly options: MCPClientOptions;
  #session: Session | undefined;
  #negotiation: NegotiationTransport | undefined;
  #pending = 0;
  #onIdle: (() => void) | undefined;

  constructor(server: ServerConfig, options: MCPClientOptions) {
    this.server = server;
    this.options = options;
  }

  /** Creates a transport that is not started. Called again if the server does not survive the negotiation. */
  abstract createTransport(): Promise<AnyTransport>;

  /** True if the transport exists in the legacy generation only. */
  protected get isLegacyTransport(): boolean {
    return this.server.transport.type === 'sse';
  }

  async connect(signal: AbortSignal): Promise<void> {
    const isLegacy = this.isLegacyTransport || requiresLegacy(this.options);
    const mode = this.#negotiationMode(isLegacy);
    try {
      await this.#attempt(mode, signal);
    } catch (error) {
      if (isLegacy || signal.aborted) throw error;
      if (isModernOnly(error) || (this.#negotiation?.isModern && isNegotiationFailure(error))) {
        // The server has become modern, or did not survive `initialize` after the probe.
        await this.#attempt('modern', signal);
      } else if (mode === 'prefer-legacy' && isRejection(error)) {
        await this.#attempt('auto', signal);
      } else if (mode !== 'legacy' && isNegotiationFailure(error)) {
        // Some servers exit at a message they do not know. Start them again in the legacy generation.
        await this.#attempt('legacy', signal);
      } else throw error;
    }
  }

  #negotiationMode(isLegacy: boolean): NegotiationMode {
    const { knownEra, handlers } = this.options;
    if (isLegacy || knownEra === 'legacy') return 'legacy';
    return handlers.preferredEra === 'legacy' ? 'prefer-legacy' : 'auto';
  }

  async #attempt(mode: NegotiationMode, signal: AbortSignal): Promise<void> {
    const { guard, limits, redactStderr } = this.options;
    await raceSignal(approveServer(guard, this.server), signal);
    const created = await closeIfAborted(this.createTransport(), signal);
    const silenceMs = mode === 'modern' ? undefined : limits.probeTimeoutMs;
    const negotiation =
      created instanceof LineTransport && mode !== 'legacy'
        ? new NegotiationTransport(created, silenceMs, mode === 'prefer-legacy')
        : undefined;
    this.#negotiation = negotiation;
    // Only lines allow a probe before `initialize` on one connection.
    const sdkMode = mode === 'prefer-legacy' ? (negotiation ? 'auto' : 'legacy') : mode;
    const transport = negotiation ?? created;
    try {
      try {
        await this.#connectSdk(sdkMode, transport, signal);
      } catch (error) {
        const discover = negotiation?.discovered;
        if (!discover || signal.aborted) throw error;
        await this.#connectSdk('modern', transport, signal, { kind: 'modern', discover });
      }
      // Subscribe before the first list is requested, so that no change is missed in between.
      if (this.era === 'modern') {
        const listening = this.listen([]).catch(({ message }: Error) => {
          if (!signal.aborted) this.options.onWarning(`cannot subscribe to change notifications: ${message}`);
        });
        await raceSignal(listening, signal);
      }
    } catch (error) {
      if (this.#session) this.#session.isOpen = false;
      // Read the diagnostics before the transport is closed from here.
      const reason = signal.aborted
        ? withLikelyReason(signal.reason, transport, redactStderr)
        : withEndReason(error, transport, redactStderr);
      await transport.close();
      throw reason;
    }
  }

  async #connectSdk(
    mode: Exclude<NegotiationMode, 'prefer-legacy'>,
    transport: AnyTransport,
    signal: AbortSignal,
    prior?: PriorDiscovery,
  ): Promise<void> {
    const { handlers } = this.options;
    const version = handlers.client?.protocol_version;
    const sdk = createSdkClient(this.server.name, handlers, {
      // The start has a deadline; a slow server is not an old one.
      versionNegotiation: { mode: mode === 'legacy' ? 'legacy' : 'auto', probe: { timeoutMs: NO_TIMEOUT_MS } },
      ...(version && mode === 'legacy' && { supportedProtocolVersions: [version] }),
    });
    const changes = new ChangeStream(sdk, () => session.isOpen, this.#notified);
    const session: Session = { sdk, transport, changes, instructions: null, isOpen: true };
    this.#session = session;
    transport.onmessage ??= keepAsSent; // The SDK calls it before it reads a message.
    sdk.fallbackNotificationHandler = async ({ method, params }) => {
      this.#notified(method, (params ?? {}) as JsonObject);
    };
    sdk.onclose = () => {
      this.#lose(session, undefined);
      session.calls?.close();
    };
    // Late answers and invalid messages: they do not harm the connection.
    sdk.onerror = () => {};
    // The SDK ignores the signal during the negotiation.
    await raceSignal(sdk.connect(transport, { signal, timeout: NO_TIMEOUT_MS, ...(prior && { prior }) }), signal);
    session.instructions = this.#instructionsOf(sdk);
    const { envelope } = sdk;
    if (!envelope || !transport.hasPerRequestStream) session.calls = new DirectCalls(transport, envelope);
  }

  /** Models read them with every request, and pins keep them: no server needs more. */
  #instructionsOf(sdk: HubSdkClient): string | null {
    const instructions = sdk.getInstructions() ?? null;
    if (instructions === null || instructions.length <= MAX_INSTRUCTIONS) return instructions;
    this.options.onWarning(`sent instructions of more than ${MAX_INSTRUCTIONS / 1_024} KiB; they are left out`);
    return null;
  }

  readonly #notified = (method: string, params: JsonObject): void => {
    this.options.onNotification(this, method, params);
  };

  #lose(session: Session, error: unknown): void {
    if (!session.isOpen) return;
    session.isOpen = false;
    const cause = error ?? new SdkError(SdkErrorCode.ConnectionClosed, 'it was closed');
    this.options.onLost(this, this.#explain(withEndReason(cause, session.transport, this.options.redactStderr)));
  }

  get isOpen(): boolean {
    return this.#session?.isOpen === true;
  }

  /** The protocol era of the open connection. */
  get era(): ProtocolEra {
    return this.#session?.sdk.getProtocolEra() ?? 'legacy';
  }

  /** The negotiated protocol version; null before `connect()`. */
  get protocolVersion(): string | null {
    return this.#session?.sdk.getNegotiatedProtocolVersion() ?? null;
  }

  /** The capabilities that the server declared. */
  get capabilities(): ServerCapabilities {
    return this.#session?.sdk.getServerCapabilities() ?? {};
  }

  /** What the connection declares to the server. */
  get declared(): ClientCapabilities {
    return declaredCapabilities(this.options.handlers);
  }

  /** The name and version of the server; null if it did not send them. */
  get serverInfo(): Implementation | null {
    return this.#session?.sdk.getServerVersion() ?? null;
  }

  /** The server's instructions for models; null if it has none. */
  get instructions(): string | null {
    return this.#session?.instructions ?? null;
  }

  /** The state of the transport. */
  get diagnostics(): TransportDiagnostics {
    return diagnosticsOf(this.#session?.transport);
  }

  get hasSession(): boolean {
    return this.#session?.transport.sessionId !== undefined;
  }

  get #connected(): Session {
    if (!this.#session) throw new Error(`the client of server "${this.server.name}" is not connected`);
    return this.#session;
  }

  async request(method: string, params: JsonObject, options: ClientRequestOptions): Promise<JsonObject> {
    const session = this.#connected;
    let latest = params;
    let isBegun = false;
    this.#pending++;
    try {
      const send = this.#sender(session, method, options);
      const result = await send(params);
      if (this.era === 'legacy' || !isInputRequiredResult(result)) return result;
      isBegun = true;
      const context = { server: this.server.name, signal: options.signal };
      const handlers = handlersOf(options.handlers, this.options.handlers);
      const sendNext = (next: JsonObject) => {
        latest = next;
        return send(next);
      };
      return await repeatWithInput(result, sendNext, params, handlers, context);
    } catch (error) {
      if (options.signal.aborted) throw options.signal.reason;
      const failure = this.#failed(session, error, latest);
      throw isBegun ? failure.ofBegunCall() : failure;
    } finally {
      if (--this.#pending === 0) this.#onIdle?.();
    }
  }

  /** Sends the parameters of a request once. */
  #sender(
    { sdk, calls }: Session,
    method: string,
    options: ClientRequestOptions,
  ): (params: JsonObject) => Promise<JsonObject> {
    const { onProgress } = options;
    if (calls && method === 'tools/call') {
      const cancellation = options.cancellation ?? cancellationOf(options.signal);
      return (params) => calls.call(params, cancellation, onProgress);
    }
    const { headers } = options;
    const sdkOptions = {
      signal: options.signal,
      timeout: NO_TIMEOUT_MS,
      ...(onProgress && { onprogress: onProgress }),
      ...(this.era === 'modern' && { allowInputRequired: true, ...(headers && { headers }) }),
    };
    return async (params) => taskResult((await sdk.request({ method, params }, ANY_RESULT, sdkOptions)) as JsonObject);
  }

  async notify(method: string, params: JsonObject): Promise<void> {
    const session = this.#connected;
    try {
      await session.sdk.notification({ method, params });
    } catch (error) {
      throw this.#failed(session, error, params);
    }
  }

  async listen(uris: readonly string[]): Promise<void> {
    try {
      await this.#connected.changes.listen(uris);
    } catch (error) {
      throw this.#explain(error);
    }
  }

  /** A failure of the transport ends the session, so that the next request gets a new connection. */
  #failed(session: Session, error: unknown, params: JsonObject): HubError {
    const failure =
      notJson(error, params, this.server.name) ?? withEndReason(error, session.transport, this.options.redactStderr);
    const explained = this.#explain(failure);
    if (explained.kind === 'connection-lost' || endsLogin(explained)) this.#lose(session, error);
    return explained;
  }

  /** Servers may repeat secrets in errors and on stderr: remove them. */
  #explain(error: unknown): HubError {
    const { login, guard, redact } = this.options;
    const { name } = this.server;
    return explainFailure(error, name, guard.checkLogin(name) ?? login !== undefined).mapTexts(redact);
  }

  async drain(): Promise<void> {
    await new Promise<void>((resolve) => {
      this.#onIdle = resolve;
      if (this.#pending === 0 || !this.isOpen) resolve();
    });
    await this.close();
  }

  /** Closes the connection at once. Pending requests fail. */
  async close(): Promise<void> {
    const session = this.#session;
    if (!session) return;
    session.isOpen = false;
    await session.sdk.close();
    // A client that never finished connecting does not close its transport.
    await session.transport.close();
  }
}

/** The time limit is the caller's signal. */
const NO_TIMEOUT_MS = timerMs(Number.POSITIVE_INFINITY);

/** The handlers of the request come first. Configured roots always apply. */
function handlersOf(
  request: ServerRequestHandlers | undefined,
  { client, onElicit, onSample, onRoots }: ClientHandlers,
): ServerRequestHandlers {
  return {
    onElicit: request?.onElicit ?? onElicit,
    onSample: request?.onSample ?? onSample,
    onRoots: client?.roots ? onRoots : (request?.onRoots ?? onRoots),
  };
}

/**
 * `auto` finds the protocol generation; `modern` accepts a legacy server only if it answers as one; `prefer-legacy`
 * uses the modern generation only with a server that speaks no other.
 */
type NegotiationMode = 'auto' | 'modern' | 'legacy' | 'prefer-legacy';

/** The configuration may require an older version. */
function requiresLegacy({ handlers }: MCPClientOptions): boolean {
  const version = handlers.client?.protocol_version;
  return version != null && version < FIRST_MODERN_VERSION;
}

const FIRST_MODERN_VERSION = '2026';

function isNegotiationFailure(error: unknown): boolean {
  const codes = [SdkErrorCode.EraNegotiationFailed, SdkErrorCode.ConnectionClosed];
  return error instanceof SdkError && codes.includes(error.code);
}

/** The server has answered with an error, or with an HTTP status other than those for credentials. */
function isRejection(error: unknown): boolean {
  if (error instanceof SdkHttpError) return ![401, 403].includes(error.status ?? 0);
  return error instanceof ProtocolError;
}

/** The server rejects `initialize`, because it serves only the modern generation. */
function isModernOnly(error: unknown): boolean {
  return error instanceof ProtocolError && error.code === UNSUPPORTED_PROTOCOL_VERSION;
}

const UNSUPPORTED_PROTOCOL_VERSION = -32022;

/** Closes a transport that is created after the signal aborted. */
async function closeIfAborted(creating: Promise<AnyTransport>, signal: AbortSignal): Promise<AnyTransport> {
  try {
    return await raceSignal(creating, signal);
  } catch (error) {
    void creating.then(
      (transport) => transport.close(),
      () => {}, // The error is already thrown below.
    );
    throw error;
  }
}
