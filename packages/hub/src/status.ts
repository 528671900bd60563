import type { TransportType } from '@a2c/config';
import type { Implementation, ServerCapabilities } from '@modelcontextprotocol/client';
import type { Era } from './connection/connection.js';
import type { ServerState } from './state-machine.js';
import type { TransportDiagnostics } from './transports/server-transport.js';

/** Everything a person may want to know about one server. Times are ISO 8601. */
export interface ServerStatus {
  readonly name: string;
  readonly transport: TransportType;
  readonly disabled: boolean;
  readonly state: ServerState;
  /** Connected, or on its way: starting, coming back, or waiting for the first call. */
  readonly active: boolean;
  /** Why it failed last, and when; null when nothing did since it connected. */
  readonly cause: string | null;
  readonly failedAt: string | null;
  readonly connectedAt: string | null;
  /** When it is tried again. */
  readonly retryAt: string | null;
  readonly era: Era | null;
  readonly protocolVersion: string | null;
  readonly serverInfo: Implementation | null;
  readonly instructions: string | null;
  readonly capabilities: ServerCapabilities | null;
  readonly tools: number;
  /** The tools are those of an earlier run. */
  readonly toolsFromCache: boolean;
  /** Display names that another server has, so that these tools can only be called with the server's name. */
  readonly conflicts: readonly string[];
  readonly callsInFlight: number;
  readonly callsQueued: number;
  readonly restarts: number;
  readonly diagnostics: TransportDiagnostics | null;
}
