import { TRANSPORT_LIMITS, type TransportLimits } from './transports/server-transport.js';

/** The limits of a hub. Each can be changed with the option `limits`. */
export interface HubLimits extends TransportLimits {
  /** How often approvals of changed tools are looked for. */
  readonly approvalPollMs: number;
  /** From the start of a server, or its last output on stderr, until its tools are listed. */
  readonly startTimeoutMs: number;
  /** Of the whole start of a server that writes to stderr, or whose program downloads packages first. */
  readonly downloadTimeoutMs: number;
  /** Of a call, if neither the caller nor the server's configuration sets a timeout. */
  readonly callTimeoutMs: number;
  /** Of checking the arguments of one call against the schema of the tool. */
  readonly argumentCheckMs: number;
  /** Of listing windows, reading one window and renewing subscriptions: one slow server must not delay a desktop. */
  readonly listTimeoutMs: number;
  /** How long a server request waits until it can be attributed to one of several clients. */
  readonly attributionTimeoutMs: number;
  /** How long a silent server is probed for the modern generation before the legacy handshake is tried as well. */
  readonly probeTimeoutMs: number;
  /** Calls of one caller that a server executes at a time; of all callers, four times as many. More are queued. */
  readonly callsInFlight: number;
  /** Queued calls of one caller for one server; of all callers, four times as many. More fail with `overloaded`. */
  readonly callsQueued: number;
  /** Connections of one server that belong to single clients. One more closes the one that was idle longest. */
  readonly clientConnections: number;
  /** How long a connection for the calls of stateless clients is kept after its last call. */
  readonly clientIdleMs: number;
  /** Tools of one server; the rest of a longer list is ignored. */
  readonly toolsPerServer: number;
  /** Pages of one list; a list with more pages is cut. */
  readonly listPages: number;
  /** Windows of one server; those with the highest priority are used. */
  readonly windowsPerServer: number;
  /** The first delay before a reconnect; it doubles with every attempt. */
  readonly reconnectMinMs: number;
  /** The longest delay before a reconnect. */
  readonly reconnectMaxMs: number;
}

/** The default limits of a hub. */
export const HUB_LIMITS: HubLimits = {
  approvalPollMs: 2_000,
  ...TRANSPORT_LIMITS,
  startTimeoutMs: 60_000,
  downloadTimeoutMs: 600_000,
  callTimeoutMs: 60_000,
  argumentCheckMs: 2_000,
  listTimeoutMs: 10_000,
  attributionTimeoutMs: 5_000,
  probeTimeoutMs: 5_000,
  callsInFlight: 64,
  callsQueued: 256,
  clientConnections: 64,
  clientIdleMs: 60_000,
  toolsPerServer: 5_000,
  listPages: 500,
  windowsPerServer: 200,
  reconnectMinMs: 500,
  reconnectMaxMs: 30_000,
};
