import type { ServerConfig } from '@a2c/config';
import { isPermanent } from '../clients/explain-failure.js';
import type { MCPClientProtocol } from '../clients/mcp-client.js';
import { wholeLines } from '../clients/stderr-line.js';
import { HubError } from '../errors.js';
import type { TransportDiagnostics } from '../transports/server-transport.js';
import { redactConfig, redactStderr } from './redact-config.js';
import { type ServerState, StateMachine } from './state-machine.js';
import type { ConnectionStatus } from './status.js';

interface Failure {
  readonly error: HubError;
  readonly at: Date;
  readonly isPermanent: boolean;
  readonly diagnostics: TransportDiagnostics | null;
}

export interface FailureDetails {
  /** What the error is derived from; decides whether it is permanent. */
  readonly cause: unknown;
  /** Its secrets are removed from the error and the diagnostics. */
  readonly resolved: ServerConfig | undefined;
  readonly diagnostics: TransportDiagnostics | null;
}

/** The state of one server's connection, its last failure and the times of both. */
export class ConnectionRecord {
  readonly #config: ServerConfig;
  readonly #machine: StateMachine;
  #failure: Failure | undefined;
  /** Of the failure before the present connection. */
  #earlierRun: TransportDiagnostics | null = null;
  #connectedAt = new Date(0);
  #connectedSince = 0;
  #starts = 0;

  constructor(config: ServerConfig, onState: (state: ServerState, cause: string | null) => void) {
    this.#config = config;
    this.#machine = new StateMachine(config.name, (state) => onState(state, this.#failure?.error.message ?? null));
  }

  /** The last failure; undefined if there was none since the server connected. */
  get failure(): HubError | undefined {
    return this.#failure?.error;
  }

  /** True if trying again cannot help before a person changes something. */
  get isPermanentlyFailed(): boolean {
    return this.#failure?.isPermanent === true;
  }

  get wasConnected(): boolean {
    return this.#starts > 0;
  }

  get connectedForMs(): number {
    return performance.now() - this.#connectedSince;
  }

  starting(): void {
    this.#machine.to('initialized');
  }

  connected(): void {
    this.#connectedAt = new Date();
    this.#connectedSince = performance.now();
    this.#earlierRun = this.#failure?.diagnostics ?? null;
    this.#failure = undefined;
    this.#starts++;
    this.#machine.to('connected');
  }

  disconnected(): void {
    // A server in the state `error` or `needs-login` stays there until it is started again.
    if (this.#machine.state === 'connected') this.#machine.to('disconnected');
  }

  failed(error: HubError, { cause, resolved, diagnostics }: FailureDetails): void {
    this.#failure = {
      error: resolved ? error.mapTexts((text) => this.redact(text, resolved)) : error,
      at: new Date(),
      isPermanent: isPermanent(cause),
      diagnostics: diagnostics && resolved ? this.#redactDiagnostics(diagnostics, resolved) : null,
    };
    this.#machine.to(error.kind === 'needs-login' ? 'needs-login' : 'error');
  }

  stopped(): void {
    this.#failure = undefined;
    this.#earlierRun = null;
    if (['error', 'needs-login'].includes(this.#machine.state)) this.#machine.to('initialized');
  }

  redact(text: string, resolved: ServerConfig): string {
    return redactConfig(text, this.#config, resolved);
  }

  redactStderr(stderr: string, resolved: ServerConfig): string {
    return redactStderr(stderr, this.#config, resolved);
  }

  /** Of a connection that is open or starting. */
  diagnosticsOf({ diagnostics, server }: MCPClientProtocol): TransportDiagnostics {
    return this.#redactDiagnostics(finishedLines(diagnostics), server);
  }

  #redactDiagnostics(diagnostics: TransportDiagnostics, resolved: ServerConfig): TransportDiagnostics {
    if (diagnostics.stderr === '') return diagnostics;
    return { ...diagnostics, stderr: this.redactStderr(diagnostics.stderr, resolved) };
  }

  /** The error of a request while there is no connection: the last failure, else `reason`. */
  notConnected(reason: string): HubError {
    const { name } = this.#config;
    const { failure } = this;
    if (failure?.kind === 'needs-login') return failure;
    return new HubError('not-connected', failure?.message ?? `server "${name}" ${reason}`, {
      server: name,
      cause: failure,
    });
  }

  status(
    current: MCPClientProtocol | undefined,
    active: boolean,
    retryAt: Date | undefined,
  ): Omit<ConnectionStatus, 'activity' | 'loggedIn'> {
    const failure = this.#failure;
    return {
      state: this.#machine.state,
      active,
      cause: failure?.error.message ?? null,
      failedAt: failure?.at.toISOString() ?? null,
      connectedAt: current ? this.#connectedAt.toISOString() : null,
      retryAt: retryAt?.toISOString() ?? null,
      era: current?.era ?? null,
      protocolVersion: current?.protocolVersion ?? null,
      serverInfo: current?.serverInfo ?? null,
      capabilities: current?.capabilities ?? null,
      diagnostics: failure?.diagnostics ?? null,
      earlierRun: failure ? null : this.#earlierRun,
      restarts: Math.max(0, this.#starts - 1),
    };
  }
}

/** While the program runs, the line that it is writing is left out. */
function finishedLines(diagnostics: TransportDiagnostics): TransportDiagnostics {
  return diagnostics.ended === null ? { ...diagnostics, stderr: wholeLines(diagnostics.stderr) } : diagnostics;
}
