import type { Server as HttpServer } from 'node:http';
import type { Server as HttpsServer } from 'node:https';
import type { Logger } from '@a2c/log';
import type { VersionPolicy } from '@a2c/protocol';
import type { Authenticator } from './access/identity.js';
import type { ClusterOptions } from './cluster/redis-cluster.js';
import type { AuditLog } from './operation/audit.js';

/** Every bound the server sets on what others may do. Each is an option; these are the defaults. */
export interface ServerLimits {
  /** Largest message accepted. Socket.IO disconnects whoever sends a larger one, so keep it far above real results. */
  readonly messageBytes: number;
  /** What may queue for one slow peer before it is cut off, and for a Redis that is away. */
  readonly queuedBytes: number;
  /** Events of any kind per connection and second; bursts of twice as many pass. */
  readonly eventsPerSecond: number;
  /** `client:` requests per Agent and second. */
  readonly callsPerSecond: number;
  /** The same per office; it outlives the Agent's connection. */
  readonly officeCallsPerSecond: number;
  readonly callsInFlight: number;
  readonly officeCallsInFlight: number;
  /** Refusals within ten seconds after which a connection is ended. */
  readonly refusalsBeforeDisconnect: number;
  readonly connectionsPerAddress: number;
  /** New connections per address and second. */
  readonly handshakesPerSecond: number;
  readonly identifierLength: number;
  readonly timeoutSeconds: number;
  /** For requests that carry no timeout of their own: tool lists, configurations, desktops. */
  readonly querySeconds: number;
  /** How long a lost Agent's calls go on, in case it comes back for them. */
  readonly reconnectGraceSeconds: number;
}

export const DEFAULT_LIMITS: ServerLimits = {
  messageBytes: 16 * 2 ** 20,
  queuedBytes: 64 * 2 ** 20,
  eventsPerSecond: 500,
  callsPerSecond: 200,
  officeCallsPerSecond: 400,
  callsInFlight: 256,
  officeCallsInFlight: 512,
  refusalsBeforeDisconnect: 1_000,
  connectionsPerAddress: 1_000,
  handshakesPerSecond: 100,
  identifierLength: 256,
  timeoutSeconds: 3_600,
  querySeconds: 30,
  reconnectGraceSeconds: 5,
};

/** The Server waits this much longer than it tells the Computer to, so that the Computer's own answer wins. */
export const SERVER_GRACE_SECONDS = 2;

export interface ServerOptions {
  /** The server to live in. It may serve other things as well. */
  readonly http: HttpServer | HttpsServer;
  /** Who may connect. There is no default: an open server is a decision. */
  readonly authenticate: Authenticator;
  readonly limits?: Partial<ServerLimits>;
  readonly versionPolicy?: VersionPolicy;
  /** Web pages of these origins may connect; by default only pages served by this host. */
  readonly origins?: readonly string[];
  /** Addresses of load balancers whose `X-Forwarded-For` tells where a connection really comes from. */
  readonly trustedProxies?: readonly string[];
  readonly audit?: AuditLog;
  readonly logger?: Logger;
  /** Several nodes as one Server. */
  readonly cluster?: ClusterOptions;
  /** A load balancer keeps each office on one node, by the `office` of the connection's query. */
  readonly sharded?: boolean;
}
