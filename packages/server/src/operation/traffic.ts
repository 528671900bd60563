import type { Logger } from '@a2c/log';
import type { Server as SocketServer } from 'socket.io';
import type { ServerLimits } from '../options.js';
import type { Connection, SMCPSocket } from '../rooms/connection.js';
import { type Holder, MemoryBudget } from '../wire/memory-budget.js';
import { WebSocketTransport } from '../wire/websocket-transport.js';
import type { Metrics } from './metrics.js';
import { SMALL_REQUEST_BYTES, UnsentRequests } from './unsent-requests.js';

interface TrafficOptions {
  readonly limits: ServerLimits;
  readonly metrics: Metrics;
  readonly logger: Logger;
}

type Transport = SMCPSocket['conn'];

/** What is queued for a peer. */
class Queue implements Holder {
  heldBytes = 0;
  /** All that the peer has not taken yet. */
  bytes = 0;
  /** The part of it that was written to a socket which could not send it at once. */
  written = 0;
  isDisconnected = false;
  /** Set while much is queued. */
  requests: UnsentRequests | undefined;
  readonly #connection: Connection;

  constructor(connection: Connection) {
    this.#connection = connection;
  }

  get sid(): string {
    return this.#connection.id;
  }

  get owner(): string {
    return this.#connection.owner;
  }

  /** The disconnect frees the seat at once. The transport is discarded: closing it would wait for the peer to read. */
  end(): void {
    this.isDisconnected = true; // the disconnect creates a packet, too
    const { socket } = this.#connection;
    const transport = socket.conn;
    socket.disconnect(true);
    (transport.transport as { socket?: { terminate?: () => void } }).socket?.terminate?.();
    transport.close(true);
  }
}

/** Counts the bytes that are sent, and disconnects peers that do not read what is sent to them. */
export class Traffic {
  readonly #options: TrafficOptions;
  readonly #queues = new WeakMap<Transport, Queue>();
  readonly #memory: MemoryBudget;
  /** One listener for all transports. */
  readonly #onPacketCreate: (this: Transport, packet: { readonly data?: string | Buffer }) => void;

  constructor(io: SocketServer, options: TrafficOptions) {
    this.#options = options;
    this.#memory = new MemoryBudget(options.limits.allQueuedBytes, (queue, bytes) =>
      this.#report(queue as Queue, bytes),
    );
    const traffic = this;
    this.#onPacketCreate = function ({ data }) {
      traffic.#queued(this, data?.length ?? 0);
    };
    // Engine.IO emits "packetCreate" when a packet is queued and "drain" when all are written to the socket.
    io.engine.on('drain', (transport: Transport) => this.#drained(transport));
  }

  watch(connection: Connection): void {
    const { conn } = connection.socket;
    this.#queues.set(conn, new Queue(connection));
    conn.on('packetCreate', this.#onPacketCreate);
  }

  /** A transport may outlive the namespace connection and carry the next one. */
  unwatch({ socket: { conn } }: Connection): void {
    const queue = this.#queues.get(conn);
    if (queue) this.#set(queue, 0);
    this.#queues.delete(conn);
    conn.off('packetCreate', this.#onPacketCreate);
  }

  /**
   * Whether a request may be queued for a Computer. It is refused while a quarter of what disconnects the Computer is
   * unsent, and for one sender while it has half of that: see {@link UnsentRequests}.
   *
   * @param sender the identity of the Agent
   */
  takesRequest({ conn }: SMCPSocket, sender: string, bytes: number): boolean {
    const queue = this.#queues.get(conn);
    if (!queue) return true;
    const unsent = queue.bytes - queue.written + unsentBytes(conn);
    if (unsent === 0) queue.requests = undefined;
    if (unsent <= SMALL_REQUEST_BYTES && bytes <= SMALL_REQUEST_BYTES) return true;
    queue.requests ??= new UnsentRequests(unsent);
    return queue.requests.add(sender, bytes, unsent, this.#options.limits.queuedBytes / 4);
  }

  #queued(transport: Transport, bytes: number): void {
    const { limits, metrics } = this.#options;
    metrics.bytes('out', bytes);
    const queue = this.#queues.get(transport);
    if (!queue || queue.isDisconnected) return;
    queue.requests?.count(bytes);
    this.#set(queue, queue.bytes + bytes);
    if (queue.bytes <= limits.queuedBytes || queue.isDisconnected) return;
    this.#report(queue, queue.bytes);
    queue.end();
  }

  #drained(connection: Transport): void {
    const queue = this.#queues.get(connection);
    if (!queue) return;
    queue.written = unsentBytes(connection);
    this.#set(queue, queue.written);
    if (queue.written === 0) return;
    // The transport emits it when the socket has sent all of it. Until then nothing else is written.
    connection.transport.once('drain', () => {
      this.#set(queue, Math.max(0, queue.bytes - queue.written));
      queue.written = 0;
    });
  }

  #set(queue: Queue, bytes: number): void {
    queue.bytes = bytes;
    this.#memory.set(queue, bytes);
  }

  #report({ sid }: Queue, queued: number): void {
    this.#options.metrics.refused('slow');
    this.#options.logger.warn({ sid, queued }, 'peer does not read; disconnected');
  }
}

/** What was written to the socket and the peer has not taken yet. */
function unsentBytes({ transport }: Transport): number {
  return transport instanceof WebSocketTransport ? transport.unsentBytes : 0;
}
