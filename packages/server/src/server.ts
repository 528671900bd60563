import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { createLogger, type Logger } from '@a2c/log';
import {
  type ClientToServerEvents,
  createRequestParser,
  delay,
  type OperatorPart,
  type ServerToClientEvents,
  SMCP_NAMESPACE,
  SMCPError,
  WIRE_LIMITS,
} from '@a2c/protocol';
import { Server as SocketServer } from 'socket.io';
import { Admission } from './access/admission.js';
import { clientAddress } from './access/client-address.js';
import type { Identity } from './access/identity.js';
import { calledComputerGone, computerGone, PendingCalls, type RequestCheck } from './calls/pending-calls.js';
import { ReconnectGrace } from './calls/reconnect-grace.js';
import { Relay } from './calls/relay.js';
import { ToolListCache } from './calls/tool-list-cache.js';
import { RedisCluster } from './cluster/redis-cluster.js';
import { Dispatcher } from './dispatcher.js';
import { createHandlers } from './handlers.js';
import type { AuditLog } from './operation/audit.js';
import { Metrics, type ServerMetrics } from './operation/metrics.js';
import { OperatorFeed } from './operation/operator-feed.js';
import { Operators, type ServerSession } from './operation/operators.js';
import { Traffic } from './operation/traffic.js';
import { SERVER_LIMITS, type ServerLimits, type ServerOptions } from './options.js';
import { Broadcaster } from './rooms/broadcaster.js';
import type { Connection, SMCPNamespace, SMCPSocket, SocketData } from './rooms/connection.js';
import { type LeaveReason, Membership, memberPayload } from './rooms/membership.js';
import { type Member, MemoryRegistry, type OfficeRegistry } from './rooms/registry.js';
import { Wire } from './wire/engine.js';
import { MemoryBudget } from './wire/memory-budget.js';
import { hasPendingRequests } from './wire/requests.js';

/** How long {@link SMCPServer.close} waits for peers that do not close their connections. */
const CLOSE_MS = 1_000;
/** How often {@link SMCPServer.drain} checks for pending calls. */
const DRAIN_CHECK_MS = 20;

/** The signalling server, attached to an HTTP server. */
export interface SMCPServer {
  /** The metrics for Prometheus. */
  readonly metrics: ServerMetrics;
  /** False while it drains, and while the Redis of its cluster is away unless offices are sharded. */
  readonly isReady: boolean;
  /**
   * Refuses joins, waits for pending calls, then closes all connections so that clients reconnect elsewhere.
   *
   * @param timeoutMs after this time, calls that are still pending fail; 10 s by default
   */
  drain(timeoutMs?: number): Promise<void>;
  /** Whether `/metrics` needs no credentials. */
  readonly publicMetrics: boolean;
  /** The connections of this node, oldest first. */
  sessions(): readonly ServerSession[];
  /**
   * Disconnects a session of this node. Its holder can connect again until its key is removed.
   *
   * @param by the operator, for the log and the audit log
   * @returns false if there is no such session
   */
  kick(sid: string, by: string): boolean;
  /**
   * Authenticates an HTTP request to an operator endpoint, with the same credentials in its headers as a connection.
   *
   * @throws SMCPError 401 for unknown credentials, 403 without the operator right, 429 for too many requests
   */
  authenticateOperator(request: IncomingMessage): Promise<Identity>;
  /** The audit log it writes to. */
  readonly audit: AuditLog | undefined;
  /** What this Server offers to the operator interface; undefined unless `operatorInterface` is set. */
  readonly operator: OperatorPart | undefined;
  /** Closes all connections, the HTTP server and the audit log. */
  close(): Promise<void>;
}

/**
 * Attaches a signalling server to an HTTP server. {@link listen} does this with a server of its own.
 *
 * @throws Error if the Redis of the cluster refuses the connection
 * @example
 * ```ts
 * const http = createHttpServer(app);
 * const server = await createServer({ http, authenticate: apiKey('a-long-random-string') });
 * http.listen(7000);
 * ```
 */
export async function createServer(options: ServerOptions): Promise<SMCPServer> {
  const server = new SignallingServer(options);
  try {
    await server.start();
  } catch (error) {
    await server.close();
    throw error;
  }
  return server;
}

class SignallingServer implements SMCPServer {
  readonly metrics: Metrics;
  readonly #options: ServerOptions;
  readonly #limits: ServerLimits;
  readonly #logger: Logger;
  readonly #io: SocketServer<ClientToServerEvents, ServerToClientEvents, Record<string, never>, SocketData>;
  readonly #namespace: SMCPNamespace;
  readonly #local = new MemoryRegistry();
  readonly #broadcaster: Broadcaster;
  readonly #cluster: RedisCluster | undefined;
  readonly #toolLists = new ToolListCache();
  readonly #pendingCalls: PendingCalls;
  readonly #reconnectGrace: ReconnectGrace;
  readonly #membership: Membership;
  readonly #dispatcher: Dispatcher;
  readonly #admission: Admission;
  readonly #wire: Wire;
  /** The connections that this Server disconnected. */
  readonly #ended = new WeakSet<Connection>();
  readonly #traffic: Traffic;
  /** One listener for all sockets: one for each would keep several objects in memory. */
  readonly #onDisconnect: (this: SMCPSocket, reason: string) => void;
  readonly #operators: Operators;
  readonly operator: OperatorFeed | undefined;
  readonly publicMetrics: boolean;
  #draining = false;

  constructor(options: ServerOptions) {
    this.#options = options;
    this.#limits = { ...SERVER_LIMITS, ...options.limits };
    this.#logger = options.logger ?? createLogger('a2c-server');
    this.publicMetrics = options.publicMetrics ?? false;
    const addressOf = clientAddress(options.trustedProxies);
    const versionPolicy = options.versionPolicy ?? 'lenient';
    const node = randomUUID();
    const sharded = options.sharded ?? false;
    const limits = this.#limits;
    const officePolicy = options.officePolicy ?? (() => ({}));

    const unfinished = new MemoryBudget(limits.unfinishedBytes, ({ owner }, bytes) => {
      this.metrics.refused('unfinished');
      this.#logger.warn(
        { owner, bytes },
        'too much of unfinished messages and results; the largest of this identity ended',
      );
    });
    this.#wire = new Wire(limits, unfinished);
    this.#io = new SocketServer(options.http, {
      parser: this.#wire.parser,
      serveClient: false,
      maxHttpBufferSize: limits.messageBytes,
      connectTimeout: 10_000,
      // Compression multiplies the memory per connection.
      perMessageDeflate: false,
      httpCompression: false,
      ...corsOf(options.origins),
    });
    this.#wire.attach(this.#io);
    this.#namespace = this.#io.of(SMCP_NAMESPACE) as SMCPNamespace;
    const broadcaster = new Broadcaster(this.#namespace, limits, (office) => this.#cluster?.remoteMembers(office) ?? 0);
    this.#broadcaster = broadcaster;
    const takesRequest: RequestCheck = (socket, sender, bytes) => this.#traffic.takesRequest(socket, sender, bytes);
    this.#cluster =
      options.cluster &&
      new RedisCluster({
        ...options.cluster,
        node,
        namespace: this.#namespace,
        local: this.#local,
        broadcaster,
        logger: this.#logger,
        rehome: sharded,
        maxQueuedBytes: limits.queuedBytes,
        takesRequest,
        onRemoteGone: (member) => this.#computerGone(member, 'gone'),
        onReplaced: (member, by) => this.#membership.disconnectLocal(member, by),
        onToolsChanged: (sid) => this.#toolLists.invalidate(sid),
        onProgress: (sid, progress) => void relay.progress(sid, progress),
        onNodeGone: (gone) => this.#pendingCalls.failAll(nodeGone(), (target) => target.node === gone),
      });
    const registry: OfficeRegistry = this.#cluster ?? this.#local;
    const socketOf = (sid: string) => this.#namespace.sockets.get(sid);
    this.#pendingCalls = new PendingCalls(socketOf, takesRequest, this.#cluster?.sendRemote);
    this.operator = options.operatorInterface
      ? new OperatorFeed({
          limits: { ...limits },
          isReady: () => this.isReady,
          kick: (sid, by) => this.kick(sid, by),
          cancel: (connection, reqId) => relay.cancel(connection, reqId),
        })
      : undefined;
    const relay = new Relay({
      registry,
      onRelayed: this.operator?.requestRelayed,
      pendingCalls: this.#pendingCalls,
      broadcaster,
      toolLists: this.#toolLists,
      memory: unfinished,
      limits,
      isOnlyNode: !this.#cluster && !sharded,
    });
    this.#reconnectGrace = new ReconnectGrace({
      registry,
      relay,
      connectionOf: (sid) => this.#namespace.sockets.get(sid)?.data.connection,
      graceMs: limits.reconnectGraceMs,
    });
    this.#membership = new Membership({
      namespace: this.#namespace,
      registry,
      broadcaster,
      node,
      versionPolicy,
      policyOf: officePolicy,
      isDraining: () => this.#draining,
      sharded,
      disconnectRemote: (member, by) => this.#cluster?.announceReplaced(member, by),
      announceLeave: (member) => {
        if (this.#cluster) this.#cluster.announceLeave(member);
        else broadcaster.broadcast({ office: member.office }, 'notify:leave_office', memberPayload(member));
      },
      onJoin: (member, connection) => {
        this.#logger.info(memberFields(member, connection), 'member joined');
        this.operator?.moved(member, 'joined', connection);
      },
      onLeave: (member, reason, connection) => this.#left(member, reason, connection),
    });
    this.metrics = new Metrics({
      connections: () => this.#namespace.sockets.size,
      offices: () => this.#local.officeCount,
      callsInFlight: () => this.#pendingCalls.count,
    });
    const { metrics } = this;
    this.#traffic = new Traffic(this.#io, { limits, metrics, logger: this.#logger });
    const server = this;
    this.#onDisconnect = function (reason) {
      server.#disconnected(this.data.connection, reason);
    };
    this.#admission = new Admission({
      ...options,
      versionPolicy,
      limits,
      addressOf,
      isDraining: () => this.#draining,
      metrics: this.metrics,
      logger: this.#logger,
      feed: this.operator,
      onRefused: (transport) => this.#wire.refuse(transport),
      terminate: (transport) => this.#wire.terminateOne(transport),
    });
    this.#operators = new Operators({
      namespace: this.#namespace,
      authenticate: options.authenticate,
      addressOf,
      requestsPerSecond: limits.handshakesPerSecond,
      metrics: this.metrics,
      audit: options.audit,
      logger: this.#logger,
    });
    this.#dispatcher = new Dispatcher({
      handlers: createHandlers({
        relay,
        membership: this.#membership,
        broadcaster,
        onToolsChanged: (sid) => {
          this.#toolLists.invalidate(sid);
          this.#cluster?.announceToolsChanged(sid);
        },
        onRemoteProgress: (sid, progress) => this.#cluster?.announceProgress(sid, progress),
      }),
      parse: createRequestParser({
        ...WIRE_LIMITS,
        identifierLength: limits.identifierLength,
        timeoutSeconds: limits.timeoutMs / 1_000,
      }),
      metrics: this.metrics,
      audit: options.audit,
      logger: this.#logger,
      feed: this.operator,
      refusalsBeforeDisconnect: limits.refusalsBeforeDisconnect,
      onGeneration: (connection, generation) => broadcaster.setGeneration(connection, generation),
    });
  }

  async start(): Promise<void> {
    this.#admission.checkHandshakes(this.#io);
    await this.#cluster?.start();
    this.#admission.authenticate(this.#io, this.#namespace);
    this.#namespace.on('connection', (socket) => this.#connected(socket));
  }

  get audit(): AuditLog | undefined {
    return this.#options.audit;
  }

  get isReady(): boolean {
    // Where a load balancer routes by office, a node also serves without Redis.
    return !this.#draining && (this.#options.sharded === true || (this.#cluster?.isReady ?? true));
  }

  async drain(timeoutMs = 10_000): Promise<void> {
    this.#draining = true;
    this.#logger.info({ connections: this.#namespace.sockets.size, timeout_ms: timeoutMs }, 'server draining');
    const deadline = performance.now() + timeoutMs;
    while (this.#isBusy && performance.now() < deadline) await delay(DRAIN_CHECK_MS);
    this.#pendingCalls.failAll(new SMCPError('Unavailable', 'this node is shutting down; connect again'));
    await new Promise((resolve) => setImmediate(resolve));
    this.#wire.flush(); // sends those answers first
    // A closed transport, unlike a disconnect, makes clients reconnect: to another node, or here after a restart.
    for (const socket of this.#namespace.sockets.values()) socket.conn.close();
  }

  /** Calls of Agents on this node are pending, or calls of Agents on other nodes to Computers on this one. */
  get #isBusy(): boolean {
    if (this.#pendingCalls.count > 0) return true;
    return [...this.#namespace.sockets.values()].some(hasPendingRequests);
  }

  sessions(): readonly ServerSession[] {
    return this.#operators.sessions();
  }

  kick(sid: string, by: string): boolean {
    return this.#operators.kick(sid, by);
  }

  authenticateOperator(request: IncomingMessage): Promise<Identity> {
    return this.#operators.authenticate(request);
  }

  async close(): Promise<void> {
    this.#draining = true;
    const timer = setTimeout(() => this.#wire.terminate(), CLOSE_MS);
    await this.#io.close();
    clearTimeout(timer);
    this.#reconnectGrace.close();
    this.#broadcaster.close();
    await this.#cluster?.close();
    await this.#options.audit?.close();
  }

  #connected(socket: SMCPSocket): void {
    const { connection } = socket.data;
    this.#wire.admit(socket.conn, this.#dispatcher.receiverOf(connection));
    this.#traffic.watch(connection);
    this.operator?.connectionChanged(connection);
    socket.on('disconnect', this.#onDisconnect);
    connection.disconnectOnExpiry(this.#sessionEnded);
    connection.disconnectOnRevocation(this.#sessionEnded);
  }

  #disconnected(connection: Connection, disconnectReason: string): void {
    this.operator?.connectionClosed(connection);
    this.#traffic.unwatch(connection);
    this.#wire.expel(connection.socket.conn);
    if (disconnectReason === ENDED_BY_SERVER) this.#ended.add(connection);
    this.#membership.end(connection, leaveReason(connection, disconnectReason)).catch((error: unknown) => {
      this.#logger.error({ err: error, sid: connection.id }, 'cannot clean up after a closed connection');
    });
  }

  readonly #sessionEnded = ({ id: sid, identity, address }: Connection, reason: 'expired' | 'revoked'): void => {
    this.metrics.refused(reason);
    this.#logger.info({ sid, subject: identity.subject, address, reason }, 'session ended');
  };

  #left(member: Member, reason: LeaveReason, connection: Connection): void {
    const logged = reason !== 'replaced' && this.#ended.has(connection) ? 'ended' : reason;
    this.#logger.info({ ...memberFields(member, connection), reason: logged }, 'member left');
    this.operator?.moved(member, reason, connection);
    this.#computerGone(member, reason === 'left' ? 'left' : 'gone');
    this.#cluster?.announceGone(member);
    this.#reconnectGrace.connectionEnded(connection, member, reason);
  }

  /** Fails the pending calls to a Computer that is gone. */
  #computerGone(member: Member, reason: 'gone' | 'left'): void {
    if (member.role !== 'computer') return;
    this.#toolLists.invalidate(member.sid);
    this.#pendingCalls.failAllTo(member.sid, (event) =>
      (event === 'client:tool_call' ? calledComputerGone : computerGone)(member, reason),
    );
  }
}

/**
 * Lets web pages of the allowed origins read the answers to polling requests, also refusals. Handshake checks decide
 * which origins may connect at all.
 */
function corsOf(origins: readonly string[] = []): { cors?: { origin: true | string[] } } {
  if (origins.length === 0) return {};
  return { cors: { origin: origins.includes('*') ? true : [...origins] } };
}

/** Socket.IO's reason for a connection that this Server disconnected. */
const ENDED_BY_SERVER = 'server namespace disconnect';

/**
 * A peer that disconnects leaves its office. All other ends mean that the connection was lost, and a Computer that the
 * Server has disconnected may come back with the results of its calls. An Agent is disconnected for its own requests or
 * credentials, so its calls end with it.
 */
function leaveReason({ role }: Connection, disconnectReason: string): LeaveReason {
  if (disconnectReason === 'client namespace disconnect') return 'left';
  return disconnectReason === ENDED_BY_SERVER && role !== 'computer' ? 'left' : 'lost';
}

/** The fields of a log line about a member. */
function memberFields({ office, role, name, sid, subject }: Member, { address }: Connection): object {
  return { office, role, member: name, sid, subject, address }; // pino writes its own `name`
}

function nodeGone(): SMCPError {
  return new SMCPError('NotFound', 'the Computer is gone with its node', { details: { reason: 'gone' } });
}
