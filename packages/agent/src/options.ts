import type { Dialect } from '@a2c/protocol';

/** Every wait and bound of an Agent. Each is an option; these are the defaults. */
export interface AgentLimits {
  /** For one attempt to connect and join. */
  readonly connectSeconds: number;
  /** How long `Agent.connect` waits for tool lists. What comes later arrives as an event. */
  readonly discoverySeconds: number;
  /** For requests that carry no timeout of their own: tool lists, configurations, desktops, rooms. */
  readonly querySeconds: number;
  /** The Agent waits this much longer than it tells the Computer to, so that a better answer than its own wins. */
  readonly graceSeconds: number;
  /** For leaving in good order; after it the connection is closed, which leaves as well. */
  readonly leaveSeconds: number;
  /** The first pause before connecting again; it doubles up to the longest. */
  readonly reconnectMinMs: number;
  readonly reconnectMaxMs: number;
  /** How long a Server that knows no takeover may take our own lost connection for another Agent. */
  readonly ghostSeconds: number;
  /** How long a Computer that was lost with a call may take to come back for it. */
  readonly absenceSeconds: number;
  /** Announcements about one Computer within this time are one: some Servers say each twice, under both names. */
  readonly coalesceMs: number;
  /** What the parts of one result that are too large for a message, and are fetched after it, may weigh together. */
  readonly resultBytes: number;
  /** How much of such a part is asked for at a time. */
  readonly pieceBytes: number;
}

export const DEFAULT_LIMITS: AgentLimits = {
  connectSeconds: 20,
  discoverySeconds: 10,
  querySeconds: 30,
  graceSeconds: 5,
  leaveSeconds: 2,
  reconnectMinMs: 100,
  reconnectMaxMs: 5_000,
  ghostSeconds: 60,
  absenceSeconds: 20,
  coalesceMs: 20,
  resultBytes: 256 * 2 ** 20,
  pieceBytes: 4 * 2 ** 20,
};

/** The handshake's `auth` object, or what makes one for every connection, such as a fresh token. */
export type Auth = Readonly<Record<string, unknown>>;
export type AuthSource = Auth | (() => Auth | Promise<Auth>);

/** Certificates, as PEM texts. Node only: a browser has its own. */
export interface TlsOptions {
  /** The authority that signed the Server's certificate, where it is not a public one. */
  readonly ca?: string;
  readonly cert?: string;
  readonly key?: string;
  readonly passphrase?: string;
}

export type Transport = 'polling' | 'websocket';

export interface AgentOptions {
  /** The Server: `https://host[:port]`. A path means that Socket.IO is mounted there instead of `/socket.io/`. */
  readonly url: string;
  readonly office: string;
  /** The name the Computers know this Agent by. Old Computers want the same text as the office. */
  readonly name: string;
  /** Sent as `auth.api_key` and as the header `x-api-key`. */
  readonly apiKey?: string | undefined;
  readonly auth?: AuthSource | undefined;
  /** More HTTP headers. Browsers send them with polling only. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  readonly tls?: TlsOptions | undefined;
  /** Which of its two names an event is sent under. Both are always understood. */
  readonly dialect?: Dialect | undefined;
  /**
   * Whether calls in flight are repeated, with the same `req_id`, when the connection was lost. Off, they fail with 503:
   * right for Computers that do not know a repeated `req_id` and would run the tool again.
   */
  readonly retry?: boolean | undefined;
  /** Connect to other hosts without TLS. */
  readonly allowInsecure?: boolean | undefined;
  /** By default polling first, because only that way a refusal can be read; then websocket. */
  readonly transports?: readonly Transport[] | undefined;
  readonly limits?: Partial<AgentLimits> | undefined;
}
