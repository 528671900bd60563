import type { Transport } from '@modelcontextprotocol/client';

/** A way to one MCP server. The SDK speaks through it; `diagnostics` is for people and for the cause of a failure. */
export interface ServerTransport extends Transport {
  diagnostics(): TransportDiagnostics;
}

/** `ended` of a connection that we closed ourselves. */
export const CLOSED_HERE = 'was closed';

export interface TransportDiagnostics {
  /** The child's process id; null without a child. */
  readonly pid: number | null;
  /** Why the far side is gone, such as "exited with code 1"; null while it is there. */
  readonly ended: string | null;
  /** The last lines the child wrote to stderr. */
  readonly stderr: string;
  /** Lines that were not JSON-RPC and were skipped. */
  readonly junkLines: number;
  /** Messages over the limit: each failed its own request and nothing else. */
  readonly oversizedMessages: number;
  /** Why the log of stdout stopped; null while it is written or not wanted. */
  readonly stdoutLogError: string | null;
}

export interface TransportLimits {
  /** Bytes of one message; a longer one fails the request it answers. */
  readonly messageBytes: number;
  /** Bytes of a child's stderr that are remembered. */
  readonly stderrBytes: number;
  /** How long a child has to end after its stdin closed, and again after SIGTERM. */
  readonly stopGraceMs: number;
  /** How long the connection to an HTTP server or a socket may take to open. */
  readonly connectMs: number;
}

export const TRANSPORT_LIMITS: TransportLimits = {
  messageBytes: 64 * 1024 * 1024,
  stderrBytes: 64 * 1024,
  stopGraceMs: 2_000,
  connectMs: 10_000,
};
