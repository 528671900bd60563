import type { Transport, TransportSendOptions } from '@modelcontextprotocol/client';

/** A transport of the SDK that can report on its state. */
export interface ServerTransport extends Transport {
  /** The state of the connection. */
  diagnostics(): TransportDiagnostics;
}

/** Options of one message. */
export interface SendOptions extends TransportSendOptions {
  /** No other message is expected in this turn of the event loop: it need not be written together with others. */
  readonly isAlone?: boolean;
}

/** Any transport of the SDK; `diagnostics` is optional. */
export type AnyTransport = Transport & Partial<Pick<ServerTransport, 'diagnostics'>>;

/** The value of `ended` after `close()`. */
export const CLOSED_BY_CLIENT = 'was closed';

/** Why a message is not sent. */
export const NOT_READ = 'the server does not read what is sent to it';

/** The state of a connection, for people and for error messages. */
export interface TransportDiagnostics {
  /** The process id of the server, if it is a child process. */
  readonly pid: number | null;
  /** How the connection ended, such as "exited with code 1"; null while it is open. */
  readonly ended: string | null;
  /** The last lines that the child process wrote to stderr. */
  readonly stderr: string;
  /** The number of lines that were not JSON-RPC. They are skipped. */
  readonly junkLines: number;
  /** The number of messages over the size limit. Each of them fails only the request it answers. */
  readonly oversizedMessages: number;
  /** Why writing `stdout_log` stopped; null if it is written or not configured. */
  readonly stdoutLogError: string | null;
}

const NO_DIAGNOSTICS: TransportDiagnostics = {
  pid: null,
  ended: null,
  stderr: '',
  junkLines: 0,
  oversizedMessages: 0,
  stdoutLogError: null,
};

/** The diagnostics of a transport, or defaults if there are none. */
export function diagnosticsOf(transport: AnyTransport | undefined): TransportDiagnostics {
  return transport?.diagnostics?.() ?? NO_DIAGNOSTICS;
}

/** The limits of a transport. */
export interface TransportLimits {
  /** The size of one message; a larger one fails the request it answers. */
  readonly messageBytes: number;
  /** How much of a child's stderr is kept. */
  readonly stderrBytes: number;
  /** How long a child may take to end after its stdin was closed, and again after SIGTERM. */
  readonly stopGraceMs: number;
  /** How long opening a connection to an HTTP server or a socket may take. */
  readonly connectTimeoutMs: number;
}

export const TRANSPORT_LIMITS: TransportLimits = {
  messageBytes: 64 * 1024 * 1024,
  stderrBytes: 64 * 1024,
  stopGraceMs: 2_000,
  connectTimeoutMs: 10_000,
};
