import type { ServerConfig } from '@a2c/config';
import type { ServerLogin } from '@a2c/login';
import { Backoff, raceSignal } from '@a2c/protocol';
import type { ClientHandlers } from '../clients/client-handlers.js';
import { explainFailure, isPermanent } from '../clients/explain-failure.js';
import type { ClientFactory, MCPClientOptions, MCPClientProtocol, ProtocolEra } from '../clients/mcp-client.js';
import { lastLine, registryAnswered } from '../clients/stderr-line.js';
import { Deadline } from '../deadline.js';
import { HubError } from '../errors.js';
import { SerialQueue } from '../serial-queue.js';
import { downloadRemedy, mayDownload } from '../transports/process/downloaders.js';
import { ConnectionRecord } from './connection-record.js';
import { LoginWatch } from './login-watch.js';
import type { ServerState } from './state-machine.js';
import type { ConnectionStatus } from './status.js';

export interface SupervisorOptions extends Pick<MCPClientOptions, 'guard' | 'root' | 'limits' | 'onNotification'> {
  /** Awaited before each start. */
  readonly handlers: () => Promise<ClientHandlers>;
  /** Reconnect after a failure. */
  readonly autoReconnect: boolean;
  /** Connect on demand only. */
  readonly lazy: boolean;
  /** Fills in placeholders. The result contains secrets and is kept as long as the connection. */
  readonly prepare: (server: ServerConfig) => Promise<ServerConfig>;
  readonly createClient: ClientFactory;
  /** The login of the server with its placeholders filled in. */
  readonly loginOf: (resolved: ServerConfig) => ServerLogin | undefined;
  readonly onState: (state: ServerState, cause: string | null) => void;
  /** Called after connecting; the start succeeds when it resolves and fails when it rejects. */
  readonly onConnected: (client: MCPClientProtocol, signal: AbortSignal) => Promise<void>;
  /** The start has succeeded. */
  readonly onReady: (client: MCPClientProtocol) => void;
  /** The connection ended, or the start failed. */
  readonly onGone: () => void;
  readonly onWarning: (message: string) => void;
  /** The program wrote to stderr. */
  readonly onOutput: () => void;
}

interface Start {
  readonly client: Promise<MCPClientProtocol>;
  readonly cancel: AbortController;
}

const NOT_RUNNING = 'is not running: start it first';

/** Connects to one server, reconnects after failures and disconnects; one operation at a time, in order. */
export class ConnectionSupervisor {
  readonly #config: ServerConfig;
  readonly #options: SupervisorOptions;
  readonly #record: ConnectionRecord;
  readonly #queue = new SerialQueue();
  readonly #loginWatch = new LoginWatch();
  /** Replaced connections that still have pending requests. */
  readonly #draining = new Set<MCPClientProtocol>();
  #backoff: Backoff;
  /** The server should run: a lost connection is restored, and a call may start it. */
  #wanted = false;
  #isDisposed = false;
  #current: MCPClientProtocol | undefined;
  /** The connection was replaced: the next call connects again, also without `autoReconnect`. */
  #isReplaced = false;
  #start: Start | undefined;
  #starting: MCPClientProtocol | undefined;
  /** Of the last failed start. */
  #startDiagnostics: MCPClientProtocol['diagnostics'] | undefined;
  #retry: { readonly timer: NodeJS.Timeout; readonly at: Date } | undefined;
  /** The protocol generation of the last connection; null if unknown. */
  knownEra: ProtocolEra | null = null;

  constructor(config: ServerConfig, options: SupervisorOptions) {
    this.#config = config;
    this.#options = options;
    this.#record = new ConnectionRecord(config, options.onState);
    this.#backoff = this.#newBackoff();
  }

  /** The open connection. */
  get current(): MCPClientProtocol | undefined {
    return this.#current?.isOpen ? this.#current : undefined;
  }

  /** Connected, starting, waiting for a reconnect, or started by the next call. */
  get active(): boolean {
    const isComing = this.#start !== undefined || this.#retry !== undefined || this.#startsOnCall;
    return this.#wanted && (this.current !== undefined || isComing);
  }

  get #startsOnCall(): boolean {
    return this.#isReplaced || (this.#options.lazy && !this.#record.isPermanentlyFailed);
  }

  /** Marks the server as one that should run. */
  want(): void {
    if (this.#isDisposed) throw this.#record.notConnected('was removed or replaced');
    if (this.#config.disabled) {
      const { name } = this.#config;
      throw new HubError('disabled-server', `Cannot start disabled server: ${name}`, { server: name });
    }
    this.#wanted = true;
  }

  /** Returns the connection. Connects first if that is allowed, without waiting for a scheduled reconnect. */
  async ready(): Promise<MCPClientProtocol> {
    if (this.current) return this.current;
    if (this.#config.disabled) this.want();
    const mayStart = this.#options.autoReconnect || this.#startsOnCall || this.#start !== undefined;
    if (!this.#wanted || !mayStart) throw this.#record.notConnected(NOT_RUNNING);
    // Another attempt before a person has logged in would fail the same way.
    if (this.#record.failure?.kind === 'needs-login' && !this.#start && !(await this.#loginWatch.hasChanged())) {
      throw this.#record.failure;
    }
    return this.start();
  }

  /**
   * Fills in the placeholders for a start. Changes nothing: if that fails, a running server keeps running.
   *
   * @throws HubError with the reason.
   */
  async prepare(): Promise<ServerConfig> {
    try {
      return await Deadline.run(this.#startTimeoutMs, { what: 'the start' }, (deadline) =>
        deadline.race(this.#options.prepare(this.#config)),
      );
    } catch (error) {
      const { kind, message, cause } = this.#startFailure(error);
      throw new HubError(kind, `${message}; it keeps running as it is`, { server: this.#config.name, cause });
    }
  }

  /** Why there is no connection at present. */
  get notRunning(): HubError | undefined {
    return this.current ? undefined : this.#record.notConnected(this.#start ? 'is still starting' : NOT_RUNNING);
  }

  /** Connects, or joins a start in progress. `prepared` is the result of `prepare`, if that was called before. */
  start(prepared?: ServerConfig): Promise<MCPClientProtocol> {
    if (this.current) return Promise.resolve(this.current);
    this.#cancelRetry();
    if (this.#start) return this.#start.client;
    const cancel = new AbortController();
    const client = this.#queue
      .run(() => this.#connect(cancel.signal, prepared))
      .finally(() => {
        if (this.#start?.cancel === cancel) this.#start = undefined;
      });
    this.#start = { client, cancel };
    return client;
  }

  async #connect(cancelled: AbortSignal, prepared: ServerConfig | undefined): Promise<MCPClientProtocol> {
    if (this.current) return this.current;
    const handlers = await this.#handlers(cancelled);
    const deadlineOptions = { what: 'the start', signal: cancelled };
    return Deadline.run(this.#startTimeoutMs, deadlineOptions, async (deadline) => {
      let resolved: ServerConfig | undefined;
      this.#startDiagnostics = undefined;
      try {
        deadline.signal.throwIfAborted();
        this.#record.starting();
        resolved = prepared ?? (await deadline.race(this.#options.prepare(this.#config)));
        return await this.#open(resolved, handlers, deadline);
      } catch (error) {
        // A cancelled start is not a failure.
        if (cancelled.aborted) throw this.#record.notConnected('was stopped while it started');
        this.knownEra = null; // The assumed protocol generation may be the reason.
        this.#fail(this.#startFailure(error), error, resolved, this.#startDiagnostics);
        this.#options.onGone();
        throw this.#record.failure;
      }
    });
  }

  async #handlers(cancelled: AbortSignal): Promise<ClientHandlers> {
    try {
      return await raceSignal(this.#options.handlers(), cancelled);
    } catch {
      throw this.#record.notConnected('was stopped while it started');
    }
  }

  /** The first start may include a download. */
  get #startTimeoutMs(): number {
    const { start_timeout } = this.#config;
    const { startTimeoutMs, downloadTimeoutMs } = this.#options.limits;
    if (start_timeout !== undefined) return start_timeout * 1_000;
    return this.#mayDownload ? downloadTimeoutMs : startTimeoutMs;
  }

  get #mayDownload(): boolean {
    const { transport } = this.#config;
    return transport.type === 'stdio' && !this.#record.wasConnected && mayDownload(transport.argv);
  }

  /** A program that writes is alive: it gets more time, unless the configuration limits it. */
  #extendStart(deadline: Deadline): void {
    const { startTimeoutMs, downloadTimeoutMs } = this.#options.limits;
    if (this.#config.start_timeout === undefined) deadline.extend(startTimeoutMs, downloadTimeoutMs);
  }

  async #open(resolved: ServerConfig, handlers: ClientHandlers, deadline: Deadline): Promise<MCPClientProtocol> {
    const { signal } = deadline;
    const { guard, root, limits, createClient, onNotification, onWarning, onOutput, onConnected, onReady } =
      this.#options;
    const login = this.#options.loginOf(resolved);
    await this.#loginWatch.attempt(login);
    const client = createClient(resolved, {
      guard,
      root,
      limits,
      handlers,
      knownEra: this.knownEra,
      login,
      redact: (text) => this.#record.redact(login?.redact(text) ?? text, resolved),
      redactStderr: (text) => this.#record.redactStderr(login?.redact(text) ?? text, resolved),
      onNotification,
      onOutput: () => {
        this.#extendStart(deadline);
        onOutput();
      },
      onWarning,
      onLost: (lost, error) => this.#onLost(lost, error),
    });
    this.#starting = client;
    try {
      await client.connect(signal);
      await onConnected(client, signal);
      signal.throwIfAborted();
      if (!client.isOpen) throw new Error(client.diagnostics.ended ?? 'the connection was closed at once');
    } catch (error) {
      await client.close();
      this.#startDiagnostics = client.diagnostics;
      throw error;
    } finally {
      this.#starting = undefined;
    }
    this.#current = client;
    this.#isReplaced = false;
    this.knownEra = client.era;
    this.#record.connected();
    onReady(client);
    return client;
  }

  #onLost(client: MCPClientProtocol, error: HubError): void {
    if (this.#current !== client) return;
    const { diagnostics, server } = client;
    void client.close(); // Ends what is left of a child process.
    // A connection that lasted resets the backoff; one that fails again and again does not.
    if (this.#record.connectedForMs > this.#options.limits.reconnectMaxMs) this.#backoff = this.#newBackoff();
    this.#fail(error, error, server, diagnostics);
    this.#options.onGone();
  }

  /** Records the failure and schedules a reconnect if it can help. */
  #fail(
    error: HubError,
    cause: unknown,
    resolved: ServerConfig | undefined,
    diagnostics: MCPClientProtocol['diagnostics'] | undefined,
  ): void {
    this.#current = undefined;
    this.#record.failed(error, { cause, resolved, diagnostics: diagnostics ?? null });
    const { autoReconnect, lazy } = this.#options;
    if (!this.#wanted || !autoReconnect) return;
    if (error.kind === 'needs-login') this.#loginWatch.start(() => void this.start().catch(() => {}));
    else if (!lazy && !this.#record.isPermanentlyFailed) this.#scheduleReconnect();
  }

  #startFailure(error: unknown): HubError {
    const { name } = this.#config;
    const refused = this.#options.guard.checkLogin(name);
    const explained = explainFailure(error, name, refused ?? this.#loginWatch.hasLogin);
    if (explained.kind === 'needs-login') return explained;
    const { kind, message, cause } = explained;
    // "The connection was lost" would be wrong: there was none yet.
    const reason = kind === 'connection-lost' && error instanceof Error ? error.message : message;
    const { transport } = this.#config;
    const mayHelp = this.#mayDownload && transport.type === 'stdio' && !isPermanent(error) && !registryAnswered(reason);
    const remedy = mayHelp ? downloadRemedy(transport) : null;
    const text = [`server "${name}" could not be started: ${reason}`, remedy].filter(Boolean).join('; ');
    return new HubError(kind === 'unauthorized' ? kind : 'not-connected', text, {
      server: name,
      cause: cause ?? error,
    });
  }

  #scheduleReconnect(): void {
    const delayMs = this.#backoff.next();
    const reconnect = () => {
      this.#retry = undefined;
      this.start().catch(() => {}); // `#fail` has recorded the error and scheduled the next attempt.
    };
    this.#retry = { timer: setTimeout(reconnect, delayMs), at: new Date(Date.now() + delayMs) };
  }

  #newBackoff(): Backoff {
    const { reconnectMinMs, reconnectMaxMs } = this.#options.limits;
    return new Backoff(reconnectMinMs, reconnectMaxMs);
  }

  #cancelRetry(): void {
    clearTimeout(this.#retry?.timer);
    this.#retry = undefined;
  }

  /** Disconnects, and stays disconnected until the next `want()`. */
  async stop(): Promise<void> {
    this.#wanted = false;
    this.#loginWatch.stop();
    this.#start?.cancel.abort();
    this.#start = undefined;
    await this.#disconnect();
    if (this.#wanted) return;
    this.#backoff = this.#newBackoff();
    this.#record.stopped();
  }

  /** Stops permanently. */
  async dispose(): Promise<void> {
    this.#isDisposed = true;
    await this.stop();
  }

  /** Disconnects an idle server; the next call connects again. */
  async disconnectIdle(): Promise<void> {
    if (this.#current) await this.#disconnect();
  }

  /** Takes a connection out of use. Its pending requests may finish; the next call connects again. */
  replace(client: MCPClientProtocol): void {
    if (this.#current !== client) return; // Already replaced.
    this.#current = undefined;
    this.#isReplaced = true;
    this.#record.disconnected();
    this.#draining.add(client);
    void client.drain().then(() => this.#draining.delete(client));
  }

  async #disconnect(): Promise<void> {
    this.#cancelRetry();
    this.#isReplaced = false;
    const closing = this.#current;
    this.#current = undefined; // New requests must not use a connection that is about to close.
    const closed = Promise.all([closing, ...this.#draining].map((client) => client?.close()));
    await this.#queue.run(async () => {
      await closed;
      const openedSince = this.#current;
      this.#current = undefined;
      await openedSince?.close();
      if (closing ?? openedSince) this.#record.disconnected();
    });
    this.#options.onGone();
  }

  /** Delays every start until the promise is settled. */
  startAfter(previous: Promise<unknown>): void {
    void this.#queue.run(async () => {
      await previous;
    });
  }

  status(): ConnectionStatus {
    const status = this.#record.status(this.current, this.active, this.#retry?.at);
    // During a retry, what the failed attempt wrote is shown.
    const running = this.current ?? (status.diagnostics ? undefined : this.#starting);
    const diagnostics = running ? this.#record.diagnosticsOf(running) : status.diagnostics;
    return { ...status, diagnostics, activity: this.#activity, loggedIn: this.#loginWatch.isLoggedIn };
  }

  /** The last finished line of stderr during a start. Before the first of a program that downloads, "downloading". */
  get #activity(): string | null {
    const starting = this.#starting;
    if (!starting) return null;
    const line = lastLine(this.#record.diagnosticsOf(starting).stderr);
    if (line !== undefined) return line;
    return this.#mayDownload ? 'downloading' : null;
  }
}
