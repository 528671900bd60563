import type { ServerConfig } from '@a2c/config';
import { Backoff } from '@a2c/protocol';
import { Deadline } from '../deadline.js';
import { HubError } from '../errors.js';
import { Lane } from '../lane.js';
import type { HubLimits } from '../limits.js';
import { type ServerState, StateMachine } from '../state-machine.js';
import type { ServerTransport, TransportDiagnostics } from '../transports/server-transport.js';
import { Connection, type ConnectionOptions, type Era } from './connection.js';
import { explainFailure, isPermanent } from './failures.js';
import type { OurSide } from './our-side.js';
import { withoutSecrets } from './secrets.js';

export interface KeeperOptions {
  readonly limits: HubLimits;
  readonly ours: OurSide;
  /** Come back by itself after a failure. */
  readonly autoReconnect: boolean;
  /** Comes when called, and only then. */
  readonly lazy: boolean;
  /** Fills in placeholders; the result holds secrets and lives as long as the connection. */
  readonly prepare: (server: ServerConfig) => Promise<ServerConfig>;
  readonly openTransport: (resolved: ServerConfig) => Promise<ServerTransport>;
  readonly onState: (state: ServerState, cause: string | null) => void;
  /** A connection was made; it counts once this resolves. What it throws fails the start. */
  readonly onConnected: (connection: Connection, signal: AbortSignal) => Promise<void>;
  /** It counts. */
  readonly onReady: (connection: Connection) => void;
  /** There is none any more, or none could be made. */
  readonly onGone: () => void;
  readonly onNotification: ConnectionOptions['onNotification'];
  readonly onWarning: (message: string) => void;
}

interface Failure {
  readonly error: HubError;
  readonly at: Date;
  /** Only a person can mend it. */
  readonly isPermanent: boolean;
  /** What the far side left behind. */
  readonly diagnostics: TransportDiagnostics | null;
}

interface Start {
  readonly connection: Promise<Connection>;
  readonly giveUp: AbortController;
}

/** Makes the connection to one server, keeps it, and brings it back; one thing at a time, in order. */
export class ConnectionKeeper {
  readonly #config: ServerConfig;
  readonly #options: KeeperOptions;
  readonly #machine: StateMachine;
  #backoff: Backoff;
  readonly #lane = new Lane();
  /** Out of use, with requests that may still end on them. */
  readonly #retiring = new Set<Connection>();
  /** The owner wants it to run: a lost connection comes back, a call may start it. */
  #wanted = false;
  #isDisposed = false;
  #current: Connection | undefined;
  /** A connection that was put out of use: the next call may make another, whatever the options say. */
  #isOwed = false;
  #start: Start | undefined;
  #failure: Failure | undefined;
  #connectedAt = new Date(0);
  #retry: { readonly timer: NodeJS.Timeout; readonly at: Date } | undefined;
  #starts = 0;
  /** What the server was found to speak; null asks it. */
  knownEra: Era | null = null;

  constructor(config: ServerConfig, options: KeeperOptions) {
    this.#config = config;
    this.#options = options;
    this.#machine = new StateMachine(config.name, (state) => {
      options.onState(state, this.#failure?.error.message ?? null);
    });
    this.#backoff = this.#newBackoff();
  }

  get current(): Connection | undefined {
    return this.#current?.alive ? this.#current : undefined;
  }

  /** Connected, or on its way: starting, coming back, or resting until the next call. */
  get active(): boolean {
    const isComing = this.#start !== undefined || this.#retry !== undefined || this.#isResting;
    return this.#wanted && (this.current !== undefined || isComing);
  }

  /** The next call may start it. */
  get #isResting(): boolean {
    return this.#isOwed || (this.#options.lazy && !this.#failure?.isPermanent);
  }

  want(): void {
    if (this.#isDisposed) throw this.#notConnected('was removed or replaced');
    if (this.#config.disabled) {
      const { name } = this.#config;
      throw new HubError('disabled-server', `Cannot start disabled server: ${name}`, { server: name });
    }
    this.#wanted = true;
  }

  /** The connection, made at once where that is allowed, whatever back-off was running. */
  async ready(): Promise<Connection> {
    if (this.current) return this.current;
    if (this.#config.disabled) this.want();
    const mayStart = this.#options.autoReconnect || this.#isResting || this.#start !== undefined;
    if (!this.#wanted || !mayStart) throw this.#notConnected('is not running: start it first');
    return this.start();
  }

  /** Joins a start under way, or begins one. */
  start(): Promise<Connection> {
    if (this.current) return Promise.resolve(this.current);
    this.#cancelRetry();
    if (this.#start) return this.#start.connection;
    const giveUp = new AbortController();
    const connection = this.#lane
      .run(() => this.#connect(giveUp.signal))
      .finally(() => {
        if (this.#start?.giveUp === giveUp) this.#start = undefined;
      });
    this.#start = { connection, giveUp };
    return connection;
  }

  async #connect(givenUp: AbortSignal): Promise<Connection> {
    if (this.current) return this.current;
    const deadline = new Deadline(this.#options.limits.startTimeout, 'the start', givenUp);
    let resolved: ServerConfig | undefined;
    try {
      deadline.signal.throwIfAborted();
      this.#machine.to('initialized');
      resolved = await deadline.race(this.#options.prepare(this.#config));
      return await this.#open(resolved, deadline);
    } catch (error) {
      if (givenUp.aborted) throw this.#notConnected('was stopped while it started'); // That is no failure.
      this.knownEra = null; // What was known of the server may be what failed.
      this.#fail(this.#startFailure(error), error, resolved, null);
      this.#options.onGone();
      throw this.#failure?.error;
    } finally {
      deadline.release();
    }
  }

  async #open(resolved: ServerConfig, deadline: Deadline): Promise<Connection> {
    const { limits, ours, openTransport, onNotification, onWarning, onConnected, onReady } = this.#options;
    const connection = await Connection.open(resolved, deadline.signal, {
      ours,
      probeMs: limits.probeMs,
      knownEra: this.knownEra,
      openTransport: () => closeIfLate(openTransport(resolved), deadline),
      onNotification,
      withoutSecrets: (text) => this.#clean(text, resolved),
      onWarning: (error) => onWarning(`its changes will not be heard: ${error.message}`),
      onLost: (lost, error) => this.#onLost(lost, error),
    });
    try {
      await onConnected(connection, deadline.signal);
      deadline.signal.throwIfAborted();
      if (!connection.alive) throw new Error(connection.diagnostics.ended ?? 'the connection was closed at once');
    } catch (error) {
      await connection.close();
      throw error;
    }
    this.#current = connection;
    this.#isOwed = false;
    this.knownEra = connection.era;
    this.#connectedAt = new Date();
    this.#failure = undefined;
    this.#starts++;
    this.#machine.to('connected');
    onReady(connection);
    return connection;
  }

  #onLost(connection: Connection, error: HubError): void {
    if (this.#current !== connection) return;
    const { diagnostics, server } = connection;
    void connection.close(); // Whatever is left of a child goes, too.
    // One that ran for long has earned a quick return; one that dies again and again has not.
    if (Date.now() - this.#connectedAt.getTime() > this.#options.limits.reconnectMaxMs)
      this.#backoff = this.#newBackoff();
    this.#fail(error, error, server, diagnostics);
    this.#options.onGone();
  }

  /** Records why, and plans to come back where that can help. */
  #fail(
    error: HubError,
    cause: unknown,
    resolved: ServerConfig | undefined,
    diagnostics: TransportDiagnostics | null,
  ): void {
    this.#current = undefined;
    this.#failure = {
      error: resolved ? error.mapTexts((text) => this.#clean(text, resolved)) : error,
      at: new Date(),
      isPermanent: isPermanent(cause),
      diagnostics: diagnostics && resolved ? this.#cleanDiagnostics(diagnostics, resolved) : null,
    };
    this.#machine.to('error');
    if (this.#wanted && this.#options.autoReconnect && !this.#options.lazy && !this.#failure.isPermanent) {
      this.#comeBackLater();
    }
  }

  #clean(text: string, resolved: ServerConfig): string {
    return withoutSecrets(text, this.#config, resolved);
  }

  #cleanDiagnostics(diagnostics: TransportDiagnostics, resolved: ServerConfig): TransportDiagnostics {
    return { ...diagnostics, stderr: this.#clean(diagnostics.stderr, resolved) };
  }

  #startFailure(error: unknown): HubError {
    const { name } = this.#config;
    const { kind, message, cause } = explainFailure(error, name);
    // There was no connection yet that could be lost.
    const reason = kind === 'connection-lost' && error instanceof Error ? error.message : message;
    const why = `server "${name}" could not be started: ${reason}`;
    return new HubError(kind === 'unauthorized' ? kind : 'not-connected', why, { server: name, cause: cause ?? error });
  }

  #comeBackLater(): void {
    const wait = this.#backoff.next();
    const comeBack = () => {
      this.#retry = undefined;
      this.start().catch(() => {}); // `#fail` has recorded it and planned the next.
    };
    this.#retry = { timer: setTimeout(comeBack, wait), at: new Date(Date.now() + wait) };
  }

  #newBackoff(): Backoff {
    const { reconnectFirstMs, reconnectMaxMs } = this.#options.limits;
    return new Backoff(reconnectFirstMs, reconnectMaxMs);
  }

  #cancelRetry(): void {
    clearTimeout(this.#retry?.timer);
    this.#retry = undefined;
  }

  /** The owner does not want it any more. A start that is asked for after this is a new one. */
  async stop(): Promise<void> {
    this.#wanted = false;
    this.#start?.giveUp.abort();
    this.#start = undefined;
    await this.#end();
    if (this.#wanted) return;
    this.#backoff = this.#newBackoff();
    this.#failure = undefined;
    if (this.#machine.state === 'error') this.#machine.to('initialized');
  }

  /** Stops for good. */
  async dispose(): Promise<void> {
    this.#isDisposed = true;
    await this.stop();
  }

  /** Ends the connection; the next call makes another. */
  async rest(): Promise<void> {
    if (this.#current) await this.#end();
  }

  /** This connection is of no use any more: the next call makes another, and what is under way may still end on this one. */
  replace(connection: Connection): void {
    if (this.#current !== connection) return; // Somebody else has noticed first.
    this.#current = undefined;
    this.#isOwed = true;
    this.#machine.to('disconnected');
    this.#retiring.add(connection);
    void connection.retired().then(() => this.#retiring.delete(connection));
  }

  async #end(): Promise<void> {
    this.#cancelRetry();
    this.#isOwed = false;
    const ending = this.#current;
    this.#current = undefined; // Whoever asks from now on gets another one, not one that is about to close.
    const closed = Promise.all([ending, ...this.#retiring].map((connection) => connection?.close()));
    await this.#lane.run(async () => {
      await closed;
      const since = this.#current;
      this.#current = undefined;
      await since?.close();
      // A lost one has told already, and stays in its error until somebody starts it.
      if ((ending ?? since) && this.#machine.state === 'connected') this.#machine.to('disconnected');
    });
    this.#options.onGone();
  }

  /** Begins nothing before this is over. */
  startAfter(event: Promise<unknown>): void {
    void this.#lane.run(async () => {
      await event;
    });
  }

  #notConnected(otherwise: string): HubError {
    const { name } = this.#config;
    const why = this.#failure?.error.message ?? `server "${name}" ${otherwise}`;
    return new HubError('not-connected', why, { server: name, cause: this.#failure?.error });
  }

  status() {
    const { current } = this;
    return {
      state: this.#machine.state,
      active: this.active,
      cause: this.#failure?.error.message ?? null,
      failedAt: this.#failure?.at.toISOString() ?? null,
      connectedAt: current ? this.#connectedAt.toISOString() : null,
      retryAt: this.#retry?.at.toISOString() ?? null,
      era: current?.era ?? null,
      protocolVersion: current?.protocolVersion ?? null,
      serverInfo: current?.serverInfo ?? null,
      capabilities: current?.capabilities ?? null,
      diagnostics: current
        ? this.#cleanDiagnostics(current.diagnostics, current.server)
        : (this.#failure?.diagnostics ?? null),
      restarts: Math.max(0, this.#starts - 1),
    };
  }
}

/** A way that opens when nobody waits any more must not stay open. */
async function closeIfLate(opening: Promise<ServerTransport>, deadline: Deadline): Promise<ServerTransport> {
  try {
    return await deadline.race(opening);
  } catch (error) {
    void opening.then(
      (transport) => transport.close(),
      () => {}, // It failed, which is what `error` says.
    );
    throw error;
  }
}
