import { TRANSPORT_LIMITS, type TransportLimits } from './transports/server-transport.js';

/** Every bound of the hub. Seconds are called `…Timeout`, milliseconds end in `Ms`. */
export interface HubLimits extends TransportLimits {
  /** From the start of a server to its list of tools. */
  readonly startTimeout: number;
  /** Of a call when neither the caller nor the server's configuration says. */
  readonly callTimeout: number;
  /** Of listing and reading what a server shows, windows above all: one slow server must not hold up a desktop. */
  readonly listTimeout: number;
  /** Of finding out, while several clients call one server, which of them it asks. */
  readonly attributionTimeout: number;
  /** Calls one server works on at a time; more wait. */
  readonly callsInFlight: number;
  /** Calls that may wait for one server; more are refused. */
  readonly callsQueued: number;
  readonly toolsPerServer: number;
  /** Pages of one list; a server whose cursor never ends is cut here. */
  readonly listPages: number;
  readonly windowsPerServer: number;
  /** How long a server may think about the question whether it speaks the newer generation of MCP. */
  readonly probeMs: number;
  /** The first wait before coming back, doubled each time, and its end. */
  readonly reconnectFirstMs: number;
  readonly reconnectMaxMs: number;
}

export const HUB_LIMITS: HubLimits = {
  ...TRANSPORT_LIMITS,
  startTimeout: 30,
  callTimeout: 60,
  listTimeout: 10,
  attributionTimeout: 5,
  callsInFlight: 64,
  callsQueued: 256,
  toolsPerServer: 5_000,
  listPages: 500,
  windowsPerServer: 200,
  probeMs: 3_000,
  reconnectFirstMs: 500,
  reconnectMaxMs: 30_000,
};
