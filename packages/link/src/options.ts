import type { Generation, RequestEvent, ResultOf, Role, SMCPError } from '@a2c/protocol';

/** Time limits of a link, in milliseconds. The limits of Agents and Computers extend these. */
export interface LinkLimits {
  /** For one attempt to connect, including the credentials of a function `auth`. */
  readonly connectMs: number;
  /** For the Server's answer to a join or leave. */
  readonly answerMs: number;
  /** For the answer to the leave that precedes an orderly disconnect. */
  readonly leaveMs: number;
  /** First delay before the next attempt. It doubles with every attempt up to `reconnectMaxMs`. */
  readonly reconnectMinMs: number;
  readonly reconnectMaxMs: number;
  /** How long a re-join is repeated when the Server may mistake our own lost connection for another member. */
  readonly staleSeatMs: number;
}

/** Default limits. */
export const LINK_LIMITS: LinkLimits = {
  connectMs: 20_000,
  answerMs: 10_000,
  leaveMs: 2_000,
  reconnectMinMs: 100,
  reconnectMaxMs: 5_000,
  staleSeatMs: 60_000,
};

/** The `auth` object of the Socket.IO handshake, such as `{ token: '…' }`. */
export type Auth = Readonly<Record<string, unknown>>;

/** An `auth` object, or a function that returns one for every connection, such as a fresh token. */
export type AuthSource = Auth | (() => Auth | Promise<Auth>);

/** Certificates as PEM texts. Node only: browsers use their own. */
export interface TlsOptions {
  /** The authority that signed the Server's certificate, if it is not a public one. */
  readonly ca?: string;
  /** The client certificate and its key, if the Server requires one. */
  readonly cert?: string;
  readonly key?: string;
  readonly passphrase?: string;
}

/** A transport of Engine.IO. */
export type Transport = 'polling' | 'websocket';

/** Where the Server is and how to authenticate. Common to Agents and Computers. */
export interface ServerOptions {
  /** URL of the Server: `https://host[:port]`. A path is the path of Socket.IO, instead of `/socket.io/`. */
  readonly url: string;
  /** Sent wherever a Server may read it: `auth.api_key`, `auth.token`, the headers `x-api-key` and `access_token`. */
  readonly apiKey?: string | undefined;
  readonly auth?: AuthSource | undefined;
  /** Additional HTTP headers. Browsers send them with polling only. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  readonly tls?: TlsOptions | undefined;
  /** Returns the `http.Agent` for the origin of the Server, such as one that uses a proxy. Node only. */
  readonly httpAgent?: ((origin: string) => Promise<object | undefined>) | undefined;
  /**
   * How this side speaks: `spec` as the published document, or as a generation of the SDKs. Default: the newest, or the
   * one that the Server names when it refuses that.
   */
  readonly dialect?: Generation | undefined;
  /** Permits connections without TLS to other hosts. Default false. */
  readonly allowInsecure?: boolean | undefined;
  /** Rewrites the error of each connection that fails, such as to add a remedy. The kind and details must stay. */
  readonly explain?: ((error: SMCPError) => SMCPError) | undefined;
  /** Default: polling, then websocket. Only polling shows why a Server refused the handshake. */
  readonly transports?: readonly Transport[] | undefined;
}

/** Options of a `Link`. */
export interface LinkOptions extends ServerOptions {
  readonly role: Role;
  /** The name of this member in the office. */
  readonly name: string;
  readonly limits?: Partial<LinkLimits> | undefined;
}

/** How long an attempt is repeated. */
export interface RetryOptions {
  /**
   * How long transient failures are retried, in milliseconds. Default 0: one attempt. `Infinity`: until success, abort
   * or a final refusal.
   */
  readonly retryForMs?: number | undefined;
  /** Aborting it ends the attempt; the promise rejects with the reason of the signal. */
  readonly signal?: AbortSignal | undefined;
}

/** Options of `Link.connect`. */
export interface ConnectOptions extends RetryOptions {
  /** The office that will be joined, if known: a load balancer selects the node by it. */
  readonly office?: string | undefined;
}

/** Options of `Link.join`. */
export interface JoinOptions extends RetryOptions {
  /** The name to join under. Default: the present one. */
  readonly name?: string | undefined;
  /**
   * When to wait for a seat that another member holds: `never` (default), on a `rejoin` after a lost connection, or
   * `always`, which includes this join as far as `retryForMs` permits.
   */
  readonly waitForSeat?: 'never' | 'rejoin' | 'always' | undefined;
}

/** An answer as it arrived. */
export interface ReceivedAnswer {
  /** The arguments of the acknowledgement. */
  readonly ack: readonly unknown[];
  readonly generation: Generation;
  /** The version of a Server of a2c. */
  readonly serverVersion: string | undefined;
}

/** Options of `Link.request`. */
export interface RequestOptions<E extends RequestEvent = RequestEvent> {
  /** Time limit, including the wait for a lost seat. */
  readonly timeoutMs: number;
  readonly signal?: AbortSignal | undefined;
  /** Parses the answer. Default: `parseAnswer` of the protocol. */
  readonly parse?: ((answer: ReceivedAnswer) => ResultOf<E> | Promise<ResultOf<E>>) | undefined;
}

/** Options of `Link.notify`. */
export interface NotifyOptions {
  /** Send after the next re-join when the seat is lost at present. Default false. */
  readonly queue?: boolean | undefined;
}

/** Options of `Link.disconnect`. */
export interface DisconnectOptions {
  /** Leave first and wait for the answer, so that the seat is free when the promise resolves. Default false. */
  readonly graceful?: boolean | undefined;
  /** The error for pending and later requests. */
  readonly reason?: SMCPError | undefined;
}
