import type { Server as HttpServer } from 'node:http';
import type { Server as HttpsServer } from 'node:https';
import type { Logger } from '@a2c/log';
import type { VersionPolicy } from '@a2c/protocol';
import type { Authenticator } from './access/identity.js';
import type { ClusterOptions } from './cluster/redis-cluster.js';
import type { AuditLog } from './operation/audit.js';
import type { OfficePolicy } from './rooms/registry.js';

/** The limits that the Server sets to its peers. {@link SERVER_LIMITS} holds the defaults. Times are milliseconds. */
export interface ServerLimits {
  /** The largest message. Socket.IO disconnects the sender of a larger one, so keep it far above real results. */
  readonly messageBytes: number;
  /** The largest tool call: the Computer decodes all of it in one turn of its event loop. Larger files are uploaded. */
  readonly callBytes: number;
  /** How long the binary attachments of a message may take to arrive. */
  readonly attachmentsTimeoutMs: number;
  /**
   * How much of messages and results that are not complete may be in memory. Over it, the identity with most loses the
   * connection or the call of its largest.
   */
  readonly unfinishedBytes: number;
  /** How much may be queued for all slow peers. Over it, the peer with most is disconnected. */
  readonly allQueuedBytes: number;
  /** How much may be queued for a slow peer before it is disconnected, and for a Redis that is away. */
  readonly queuedBytes: number;
  /** Events of any kind per connection and second. Bursts of twice as many pass, as for all rates. */
  readonly eventsPerSecond: number;
  /** `client:` requests per Agent connection and second. */
  readonly callsPerSecond: number;
  /** `client:` requests per office and second, over reconnects of its Agent. */
  readonly officeCallsPerSecond: number;
  /** Pending requests per Agent connection. */
  readonly callsInFlight: number;
  /** Pending requests per office. */
  readonly officeCallsInFlight: number;
  /**
   * Deliveries of notifications to the members of one office per second: a notification to 100 members is 100. Over it
   * they are delivered later.
   */
  readonly officeNotificationsPerSecond: number;
  /** Deliveries of notifications to the members of all offices per second. */
  readonly notificationsPerSecond: number;
  /** Refused requests within ten seconds after which a connection is closed. */
  readonly refusalsBeforeDisconnect: number;
  /** Open connections per IP address. Those without valid credentials give way after a second, the oldest first. */
  readonly connectionsPerAddress: number;
  /** New connections per IP address and second, and as many again with valid credentials in their headers. */
  readonly handshakesPerSecond: number;
  /** What a client may send until TLS has checked its certificate: its hello and its certificates. */
  readonly tlsHandshakeBytes: number;
  /** Unfinished TLS handshakes per IP address, with client certificates. */
  readonly tlsHandshakesPerAddress: number;
  /** The same for the address of a trusted proxy, which is that of many clients. */
  readonly tlsHandshakesPerProxy: number;
  /** How long a TLS handshake may take. */
  readonly tlsHandshakeTimeoutMs: number;
  /** The longest name, office or request id, in characters. */
  readonly identifierLength: number;
  /** The longest timeout of a tool call; longer ones are reduced to it. */
  readonly timeoutMs: number;
  /** The timeout of requests that carry none: tool lists, configurations, desktops, blobs. */
  readonly queryTimeoutMs: number;
  /** How long the calls of an Agent stay pending after its connection was lost, in case it reconnects. */
  readonly reconnectGraceMs: number;
}

/** The default limits of a Server. */
export const SERVER_LIMITS: ServerLimits = {
  messageBytes: 16 * 2 ** 20,
  callBytes: 10 * 2 ** 20,
  attachmentsTimeoutMs: 10_000,
  unfinishedBytes: 256 * 2 ** 20,
  allQueuedBytes: 256 * 2 ** 20,
  queuedBytes: 64 * 2 ** 20,
  eventsPerSecond: 500,
  callsPerSecond: 200,
  officeCallsPerSecond: 400,
  callsInFlight: 256,
  officeCallsInFlight: 512,
  officeNotificationsPerSecond: 20_000,
  notificationsPerSecond: 40_000,
  refusalsBeforeDisconnect: 1_000,
  connectionsPerAddress: 1_000,
  handshakesPerSecond: 100,
  tlsHandshakeBytes: 8 * 1_024,
  tlsHandshakesPerAddress: 32,
  tlsHandshakesPerProxy: 1_024,
  tlsHandshakeTimeoutMs: 10_000,
  identifierLength: 256,
  timeoutMs: 3_600_000,
  queryTimeoutMs: 30_000,
  reconnectGraceMs: 5_000,
};

/**
 * The Server waits this much longer than the timeout of a request, so that the Computer's own timeout answer arrives
 * first.
 */
export const ANSWER_GRACE_MS = 2_000;

/** Options of {@link createServer}. */
export interface ServerOptions {
  /** The HTTP server to attach to. It may serve other requests as well. */
  readonly http: HttpServer | HttpsServer;
  /** Authenticates connections. There is no default, so that an open server is a decision: {@link allowAnonymous}. */
  readonly authenticate: Authenticator;
  /** Limits that differ from {@link SERVER_LIMITS}. */
  readonly limits?: Partial<ServerLimits>;
  /** Which protocol versions are served; `lenient` by default. */
  readonly versionPolicy?: VersionPolicy;
  /**
   * Who may be in an office. By default one Agent and many Computers.
   *
   * @example
   * ```ts
   * const officePolicy = (office: string) => ({ agents: office === 'team' ? 'many' : 'one' }) as const;
   * const { url } = await listen({ authenticate, officePolicy });
   * ```
   */
  readonly officePolicy?: (office: string) => OfficePolicy;
  /** Origins whose web pages may connect, `*` for all. By default only pages served by this host. */
  readonly origins?: readonly string[];
  /**
   * Host names, without port, by which clients may connect; `*` for all. A server without authentication accepts its
   * address and loopback names in any case, and other names only from this list, so that no web page can reach it by
   * DNS rebinding. With authentication, all names are accepted unless this is set.
   */
  readonly hosts?: readonly string[];
  /** Addresses of load balancers whose `X-Forwarded-For` header is used as the client address. */
  readonly trustedProxies?: readonly string[];
  /** Receives one record per request. Without it there is no audit log. */
  readonly audit?: AuditLog;
  /**
   * Serves `/metrics` without credentials. By default they need the operator right: they show how much the Server is
   * used.
   */
  readonly publicMetrics?: boolean;
  /** Records members, recent calls and refusals for the operator interface. Default false. */
  readonly operatorInterface?: boolean;
  /** JSON lines on stderr by default. */
  readonly logger?: Logger;
  /** Runs several nodes as one Server, over Redis. */
  readonly cluster?: ClusterOptions;
  /** Set when a load balancer routes connections to nodes by the `office` of the query. */
  readonly sharded?: boolean;
}
