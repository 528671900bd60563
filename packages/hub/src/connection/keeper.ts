import type { ServerConfig } from '@a2c/config';
import { Backoff } from '../backoff.js';
import { Deadline } from '../deadline.js';
import { HubError } from '../errors.js';
import { Lane } from '../lane.js';
import type { HubLimits } from '../limits.js';
import { type ServerState, StateMachine } from '../state-machine.js';
import type { ServerTransport } from '../transports/server-transport.js';
import { Connection, type ConnectionOptions, type Era } from './connection.js';
import type { OurSide } from './our-side.js';

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
  /** There is none any more. */
  readonly onGone: () => void;
  readonly onNotification: ConnectionOptions['onNotification'];
  readonly onWarning: (message: string) => void;
}

/** Makes the connection to one server, keeps it, and brings it back; one thing at a time, in order. */
export class ConnectionKeeper {
  readonly #config: ServerConfig;
  readonly #options: KeeperOptions;
  readonly #machine: StateMachine;
  readonly #backoff: Backoff;
  readonly #lane = new Lane();
  /** The owner wants it to run: a lost connection comes back, a call may start it. */
  #wanted = false;
  #current: Connection | undefined;
  #starting: Promise<Connection> | undefined;
  #giveUpStarting = new AbortController();
  #failure: { readonly cause: string; readonly at: Date } | undefined;
  #connectedAt: Date | undefined;
  #retry: { readonly timer: NodeJS.Timeout; readonly at: Date } | undefined;
  #starts = 0;
  /** What the server was found to speak; null asks it. */
  knownEra: Era | null = null;

  constructor(config: ServerConfig, options: KeeperOptions) {
    this.#config = config;
    this.#options = options;
    this.#machine = new StateMachine(config.name, (state) => options.onState(state, this.#failure?.cause ?? null));
    this.#backoff = new Backoff(options.limits.reconnectFirstMs, options.limits.reconnectMaxMs);
  }

  get current(): Connection | undefined {
    return this.#current?.alive ? this.#current : undefined;
  }

  /** Connected, or on its way: starting, coming back, or resting until the next call. */
  get active(): boolean {
    const isComing = this.#starting !== undefined || this.#retry !== undefined || this.#isResting;
    return this.#wanted && (this.current !== undefined || isComing);
  }

  get #isResting(): boolean {
    return this.#options.lazy && this.#machine.state !== 'error';
  }

  want(): void {
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
    const mayStart = this.#options.autoReconnect || this.#isResting || this.#starting !== undefined;
    if (!this.#wanted || !mayStart) throw this.#notConnected();
    return this.start();
  }

  /** Joins a start under way, or begins one. */
  start(): Promise<Connection> {
    if (this.current) return Promise.resolve(this.current);
    this.#cancelRetry();
    if (this.#starting) return this.#starting;
    const starting = this.#lane
      .run(() => this.#connect())
      .finally(() => {
        if (this.#starting === starting) this.#starting = undefined;
      });
    this.#starting = starting;
    return starting;
  }

  async #connect(): Promise<Connection> {
    if (this.current) return this.current;
    if (!this.#wanted) throw this.#notConnected();
    const giveUp = new AbortController();
    this.#giveUpStarting = giveUp;
    const deadline = new Deadline(this.#options.limits.startTimeout, 'the start', giveUp.signal);
    try {
      this.#machine.to('initialized');
      return await this.#open(deadline);
    } catch (error) {
      if (giveUp.signal.aborted) throw this.#notConnected(); // Stopped on the way: that is no failure.
      this.knownEra = null; // What was known of the server may be what failed.
      throw this.#fail(error);
    } finally {
      deadline.release();
    }
  }

  async #open(deadline: Deadline): Promise<Connection> {
    const { limits, ours, prepare, openTransport, onNotification, onWarning, onConnected, onReady } = this.#options;
    const resolved = await deadline.race(prepare(this.#config));
    const connection = await Connection.open(resolved, deadline.signal, {
      ours,
      probeMs: limits.probeMs,
      knownEra: this.knownEra,
      openTransport: () => openTransport(resolved),
      onNotification,
      onWarning: (error) => onWarning(`its changes will not be heard: ${error.message}`),
      onLost: (lost, error) => this.#onLost(lost, error),
    });
    try {
      await onConnected(connection, deadline.signal);
    } catch (error) {
      await connection.close();
      throw error;
    }
    if (!connection.alive) throw new Error(connection.diagnostics.ended ?? 'the connection was closed at once');
    this.#current = connection;
    this.knownEra = connection.era;
    this.#connectedAt = new Date();
    this.#failure = undefined;
    this.#starts++;
    this.#backoff.reset();
    this.#machine.to('connected');
    onReady(connection);
    return connection;
  }

  #onLost(connection: Connection, error: HubError): void {
    if (this.#current !== connection) return;
    void connection.close(); // Whatever is left of a child goes, too.
    this.#fail(error);
    this.#options.onGone();
  }

  /** Records why, and plans to come back where that can help. */
  #fail(error: unknown): HubError {
    const explained = this.#explain(error);
    this.#current = undefined;
    this.#failure = { cause: explained.message, at: new Date() };
    this.#machine.to('error');
    if (this.#wanted && this.#options.autoReconnect && !this.#options.lazy && !isPermanent(error))
      this.#comeBackLater();
    return explained;
  }

  #explain(error: unknown): HubError {
    if (error instanceof HubError && error.kind === 'connection-lost') return error;
    const { name } = this.#config;
    const message = error instanceof Error ? error.message : String(error);
    const why = `server "${name}" could not be started: ${message}`;
    return new HubError('not-connected', why, { server: name, cause: error });
  }

  #comeBackLater(): void {
    const wait = this.#backoff.next();
    const comeBack = () => {
      this.#retry = undefined;
      this.start().catch(() => {}); // `#fail` has recorded it and planned the next.
    };
    this.#retry = { timer: setTimeout(comeBack, wait), at: new Date(Date.now() + wait) };
  }

  #cancelRetry(): void {
    clearTimeout(this.#retry?.timer);
    this.#retry = undefined;
  }

  /** The owner does not want it any more. A start that is asked for after this is a new one. */
  async stop(): Promise<void> {
    this.#wanted = false;
    this.#giveUpStarting.abort();
    this.#starting = undefined;
    await this.#end();
    if (this.#wanted) return;
    this.#failure = undefined;
    if (this.#machine.state === 'error') this.#machine.to('initialized');
  }

  /** Ends the connection; the next call makes another. */
  async rest(): Promise<void> {
    if (this.#current) await this.#end();
  }

  /** This connection is of no use any more: the next call makes another, and what is under way may still end on this one. */
  replace(connection: Connection): void {
    if (this.#current !== connection) return; // Somebody else has noticed first.
    this.#current = undefined;
    this.#machine.to('disconnected');
    connection.retire();
  }

  async #end(): Promise<void> {
    this.#cancelRetry();
    const ending = this.#current;
    this.#current = undefined; // Whoever asks from now on gets another one, not one that is about to close.
    await this.#lane.run(async () => {
      const since = this.#current;
      this.#current = undefined;
      await Promise.all([ending?.close(), since?.close()]);
      // A lost one has told already, and stays in its error until somebody starts it.
      if (ending ?? since) this.#machine.to('disconnected');
    });
    this.#options.onGone();
  }

  /** Runs something between starts and stops. */
  inOrder<T>(task: () => Promise<T>): Promise<T> {
    return this.#lane.run(task);
  }

  #notConnected(): HubError {
    const { name } = this.#config;
    const why = this.#failure?.cause ?? `server "${name}" is not running: start it first`;
    return new HubError('not-connected', why, { server: name });
  }

  status() {
    const { current } = this;
    return {
      state: this.#machine.state,
      active: this.active,
      cause: this.#failure?.cause ?? null,
      failedAt: this.#failure?.at.toISOString() ?? null,
      connectedAt: current ? (this.#connectedAt?.toISOString() ?? null) : null,
      retryAt: this.#retry?.at.toISOString() ?? null,
      era: current?.era ?? null,
      protocolVersion: current?.protocolVersion ?? null,
      serverInfo: current?.serverInfo ?? null,
      capabilities: current?.capabilities ?? null,
      diagnostics: current?.diagnostics ?? null,
      restarts: Math.max(0, this.#starts - 1),
    };
  }
}

/** Trying again changes nothing until a person does. By name: these come from packages deep below. */
function isPermanent(error: unknown): boolean {
  if (error instanceof HubError) return error.kind === 'refused';
  const names = ['TrustError', 'ResolveError', 'ConfigError', 'InputError', 'VrlCompileError'];
  return error instanceof Error && names.includes(error.name);
}
