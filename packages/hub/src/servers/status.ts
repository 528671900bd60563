import type { TransportType } from '@a2c/config';
import type { Implementation, ServerCapabilities } from '@modelcontextprotocol/client';
import type { ProtocolEra } from '../clients/mcp-client.js';
import type { TransportDiagnostics } from '../transports/server-transport.js';
import type { ServerState } from './state-machine.js';

/** The status of one connection. Times are ISO 8601. */
export interface ConnectionStatus {
  readonly state: ServerState;
  /** Connected, starting, waiting for a reconnect, or started by the next call. */
  readonly active: boolean;
  /** What a starting server does: the last line of its stderr, or "downloading"; null if unknown. */
  readonly activity: string | null;
  /** Whether the last connection used a stored login. */
  readonly loggedIn: boolean;
  /** The error of the last failure; null if there was none since the server connected. */
  readonly cause: string | null;
  /** When it failed last. */
  readonly failedAt: string | null;
  readonly connectedAt: string | null;
  /** When the next reconnect is attempted. */
  readonly retryAt: string | null;
  readonly era: ProtocolEra | null;
  readonly protocolVersion: string | null;
  readonly serverInfo: Implementation | null;
  readonly capabilities: ServerCapabilities | null;
  readonly restarts: number;
  readonly diagnostics: TransportDiagnostics | null;
  /** Of the run before a restart by itself: what a program wrote before it ended. */
  readonly earlierRun: TransportDiagnostics | null;
}

/** The status of one server. */
export interface ServerStatus extends ConnectionStatus {
  readonly name: string;
  /** Of the connection if there is one, else of the configuration. */
  readonly transport: TransportType;
  readonly disabled: boolean;
  /** Whether its program runs in a sandbox. */
  readonly sandboxed: boolean;
  /** The instructions of the server for models. */
  readonly instructions: string | null;
  /** The number of tools. */
  readonly tools: number;
  /** True if the tools come from the cache of an earlier run. */
  readonly toolsFromCache: boolean;
  /** The number of tools that are new or changed since a person approved them; 0 without pins. */
  readonly changedTools: number;
  /** Display names that another server uses too: these tools can be called only together with the server's name. */
  readonly conflicts: readonly string[];
  readonly callsInFlight: number;
  readonly callsQueued: number;
}
