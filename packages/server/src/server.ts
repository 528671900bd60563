import { randomUUID } from 'node:crypto';
import { createLogger, type Logger } from '@a2c/log';
import {
  type ClientToServerEvents,
  createRequestParser,
  declaredDialect,
  declaredVersion,
  errorAnswer,
  judgeVersion,
  type ServerToClientEvents,
  SMCP_NAMESPACE,
  SMCPError,
  WIRE_LIMITS,
} from '@a2c/protocol';
import { Server as SocketServer } from 'socket.io';
import { type AddressOf, addressThrough } from './access/client-address.js';
import { endWhenExpired } from './access/expiry.js';
import { gate } from './access/gate.js';
import { Transports } from './access/transports.js';
import { Forwarder, gone } from './calls/forwarder.js';
import { Orphans } from './calls/orphans.js';
import { Relay } from './calls/relay.js';
import { ToolLists } from './calls/tool-lists.js';
import { RedisCluster } from './cluster/redis-cluster.js';
import { Dispatcher } from './dispatcher.js';
import { createHandlers } from './handlers.js';
import type { AuditLog } from './operation/audit.js';
import { Metrics } from './operation/metrics.js';
import { watchTransport } from './operation/transport.js';
import { DEFAULT_LIMITS, type ServerLimits, type ServerOptions } from './options.js';
import { Connection, type SMCPNamespace, type SMCPSocket, type SocketData } from './rooms/connection.js';
import { Membership, type Vacated } from './rooms/membership.js';
import { Notifier } from './rooms/notifier.js';
import { MemoryRegistry, type Occupant, type OfficeRegistry } from './rooms/registry.js';

/** What closes a connection on purpose; everything else is a loss. */
const DELIBERATE = new Set(['client namespace disconnect', 'server namespace disconnect']);

/** The signalling server in somebody's HTTP server. */
export interface SMCPServer {
  readonly metrics: Metrics;
  /** False while it drains, and while it has lost the Redis it shares offices through. */
  readonly isReady: boolean;
  /** Stops joins, waits for calls under way, then sends everybody elsewhere. */
  drain(timeoutMs?: number): Promise<void>;
  close(): Promise<void>;
}

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
  readonly #audit: AuditLog | undefined;
  readonly #io: SocketServer<ClientToServerEvents, ServerToClientEvents, Record<string, never>, SocketData>;
  readonly #namespace: SMCPNamespace;
  readonly #local = new MemoryRegistry();
  readonly #cluster: RedisCluster | undefined;
  readonly #notifier: Notifier;
  readonly #toolLists = new ToolLists();
  readonly #forwarder: Forwarder;
  readonly #orphans: Orphans;
  readonly #membership: Membership;
  readonly #dispatcher: Dispatcher;
  readonly #transports = new Transports();
  readonly #addressOf: AddressOf;
  #draining = false;

  constructor(options: ServerOptions) {
    this.#options = options;
    this.#limits = { ...DEFAULT_LIMITS, ...options.limits };
    this.#logger = options.logger ?? createLogger('a2c-server');
    this.#audit = options.audit;
    this.#addressOf = addressThrough(options.trustedProxies);
    const node = randomUUID();
    const versionPolicy = options.versionPolicy ?? 'lenient';
    const isDraining = () => this.#draining;

    this.#io = new SocketServer(options.http, {
      serveClient: false,
      maxHttpBufferSize: this.#limits.messageBytes,
      connectTimeout: 10_000,
      // Compression multiplies memory per connection; recovery breaks Python clients and never replays calls.
      perMessageDeflate: false,
      httpCompression: false,
    });
    this.#namespace = this.#io.of(SMCP_NAMESPACE) as SMCPNamespace;
    this.#notifier = new Notifier(this.#namespace);
    this.#cluster =
      options.cluster &&
      new RedisCluster({
        ...options.cluster,
        node,
        namespace: this.#namespace,
        local: this.#local,
        notifier: this.#notifier,
        logger: this.#logger,
        rehomes: options.sharded ?? false,
        queuedBytes: this.#limits.queuedBytes,
        onRemoteGone: (seat) => this.#forget(seat),
        onEvicted: (seat) => this.#membership.evictHere(seat),
        onToolsChanged: (sid) => this.#toolLists.forget(sid),
        onNodeGone: (dead) => this.#forwarder.failAllOnNode(dead, nodeGone()),
      });
    const registry: OfficeRegistry = this.#cluster ?? this.#local;
    this.#forwarder = new Forwarder((sid) => this.#namespace.sockets.get(sid), this.#cluster?.sendRemote);
    const relay = new Relay({
      registry,
      forwarder: this.#forwarder,
      notifier: this.#notifier,
      toolLists: this.#toolLists,
      limits: this.#limits,
    });
    this.#orphans = new Orphans({
      registry,
      relay,
      connectionOf: (sid) => this.#namespace.sockets.get(sid)?.data.connection,
      graceSeconds: this.#limits.reconnectGraceSeconds,
    });
    this.#membership = new Membership({
      namespace: this.#namespace,
      registry,
      notifier: this.#notifier,
      node,
      versionPolicy,
      isDraining,
      sharded: options.sharded ?? false,
      evictElsewhere: (seat) => this.#cluster?.announceEvicted(seat),
      onVacated: (seat, why, connection) => this.#vacated(seat, why, connection),
    });
    this.metrics = new Metrics({
      connections: () => this.#namespace.sockets.size,
      offices: () => this.#local.officeCount,
      callsInFlight: () => this.#forwarder.inFlight,
    });
    this.#dispatcher = new Dispatcher({
      handlers: createHandlers({
        relay,
        membership: this.#membership,
        notifier: this.#notifier,
        onToolsChanged: (sid) => {
          this.#toolLists.forget(sid);
          this.#cluster?.announceToolsChanged(sid);
        },
      }),
      parse: createRequestParser({
        ...WIRE_LIMITS,
        identifierLength: this.#limits.identifierLength,
        timeoutSeconds: this.#limits.timeoutSeconds,
      }),
      metrics: this.metrics,
      audit: this.#audit,
      logger: this.#logger,
      refusalsBeforeDisconnect: this.#limits.refusalsBeforeDisconnect,
      onDialect: (connection, dialect) => this.#notifier.learn(connection, dialect),
    });
    this.#io.engine.use(
      gate({
        versionPolicy,
        origins: options.origins,
        handshakesPerSecond: this.#limits.handshakesPerSecond,
        connectionsPerAddress: this.#limits.connectionsPerAddress,
        addressOf: this.#addressOf,
        connectionsOf: (address) => this.#transports.openFrom(address),
        isDraining,
        onRefused: (request, reason) => {
          this.metrics.refused('gate');
          this.#logger.info({ address: this.#addressOf(request), reason }, 'connection refused');
        },
      }),
    );
  }

  async start(): Promise<void> {
    this.#transports.watch(this.#io, this.#addressOf);
    await this.#cluster?.start();
    this.#namespace.use((socket, next) => {
      this.#admit(socket).then(
        () => next(),
        (error: unknown) => next(this.#refusal(socket, error)),
      );
    });
    this.#namespace.on('connection', (socket) => this.#connected(socket));
    // Everything happens in our namespace; the default one would be a place to sit without credentials.
    this.#io
      .of('/')
      .use((_socket, next) => next(connectError(new SMCPError('NotFound', `connect to ${SMCP_NAMESPACE}`))));
  }

  get isReady(): boolean {
    return !this.#draining && (this.#cluster?.isReady ?? true);
  }

  async drain(timeoutMs = 10_000): Promise<void> {
    this.#draining = true;
    const deadline = Date.now() + timeoutMs;
    while (this.#isBusy && Date.now() < deadline) await new Promise((resolve) => setTimeout(resolve, 20));
    this.#forwarder.failAll(new SMCPError('Unavailable', 'this node is shutting down; connect again'));
    await new Promise((resolve) => setImmediate(resolve)); // those answers go out first
    // Closing the transport, unlike a disconnect, makes clients reconnect: to another node, or here after a restart.
    for (const socket of this.#namespace.sockets.values()) socket.conn.close();
  }

  /** Our Agents wait for somebody, or somebody on another node waits for one of our Computers. */
  get #isBusy(): boolean {
    if (this.#forwarder.inFlight > 0) return true;
    return [...this.#namespace.sockets.values()].some(
      (socket) => (socket as unknown as { acks: Map<number, unknown> }).acks.size > 0,
    );
  }

  async close(): Promise<void> {
    this.#draining = true;
    await this.#io.close();
    await this.#cluster?.close();
    await this.#audit?.close();
  }

  async #admit(socket: SMCPSocket): Promise<void> {
    const { handshake } = socket;
    const address = this.#addressOf(socket.request);
    const version = declaredVersion({ query: handshake.query, auth: handshake.auth });
    const verdict = judgeVersion(
      version,
      version === undefined ? 'lenient' : (this.#options.versionPolicy ?? 'lenient'),
    );
    if (!verdict.ok) throw verdict.error;
    const identity = await this.#options.authenticate({
      headers: handshake.headers,
      auth: handshake.auth,
      query: handshake.query,
      address,
      certificate: this.#transports.certificateOf(socket.conn),
    });
    if (!identity) throw new SMCPError('Unauthorized', 'these credentials are not known here');
    const connection = new Connection(socket, identity, address, this.#limits);
    connection.version = version;
    connection.dialect = declaredDialect({ query: handshake.query, auth: handshake.auth });
    socket.data.connection = connection;
  }

  #refusal({ request, conn }: SMCPSocket, thrown: unknown): Error {
    this.#transports.refused(conn);
    const error = SMCPError.from(thrown);
    if (error.cause !== undefined) this.#logger.error({ err: thrown }, 'authentication failed inside');
    this.metrics.refused('authentication');
    this.#audit?.append({
      time: new Date().toISOString(),
      event: 'connect',
      verdict: error.kind,
      code: error.code,
      subject: 'unknown',
      address: this.#addressOf(request),
    });
    return connectError(error);
  }

  #connected(socket: SMCPSocket): void {
    const { connection } = socket.data;
    watchTransport(connection, this.#limits.queuedBytes, this.metrics, this.#logger);
    this.#dispatcher.attach(connection);
    socket.on('disconnect', (reason) => {
      this.#membership.end(connection, DELIBERATE.has(reason) ? 'left' : 'lost').catch((error: unknown) => {
        this.#logger.error({ err: error, sid: connection.id }, 'a connection did not end cleanly');
      });
    });
    endWhenExpired(connection, () => this.metrics.refused('expired'));
  }

  #vacated(seat: Occupant, why: Vacated, connection: Connection | undefined): void {
    this.#forget(seat, why === 'left' ? 'left' : 'gone');
    this.#cluster?.announceGone(seat);
    if (connection) this.#orphans.leftBy(connection, seat, why);
  }

  /** A Computer has gone: nobody need wait for it. */
  #forget(seat: Occupant, reason: 'gone' | 'left' = 'gone'): void {
    if (seat.role !== 'computer') return;
    this.#toolLists.forget(seat.sid);
    this.#forwarder.failAllTo(seat.sid, gone(seat, reason));
  }
}

function nodeGone(): SMCPError {
  return new SMCPError('NotFound', 'the Computer has gone with its node', { details: { reason: 'gone' } });
}

/** Old Python clients look for this message; everybody else finds the structured reason beside it. */
function connectError(error: SMCPError): Error {
  return Object.assign(new Error('Invalid connection request'), { data: errorAnswer(error) });
}
