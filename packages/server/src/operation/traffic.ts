import type { Logger } from '@a2c/log';
import type { Server as SocketServer } from 'socket.io';
import type { Connection, SMCPSocket } from '../rooms/connection.js';
import type { Metrics } from './metrics.js';

interface TrafficOptions {
  readonly maxQueuedBytes: number;
  readonly metrics: Metrics;
  readonly logger: Logger;
}

type Transport = SMCPSocket['conn'];

/** What is queued for a peer. */
interface Queue {
  readonly connection: Connection;
  bytes: number;
  isDisconnected: boolean;
}

/** Counts the bytes that are sent, and disconnects peers that do not read what is sent to them. */
export class Traffic {
  readonly #options: TrafficOptions;
  readonly #queues = new WeakMap<Transport, Queue>();
  /** One listener for all transports. */
  readonly #onPacketCreate: (this: Transport, packet: { readonly data?: string | Buffer }) => void;

  constructor(io: SocketServer, options: TrafficOptions) {
    this.#options = options;
    const traffic = this;
    this.#onPacketCreate = function ({ data }) {
      traffic.#queued(this, data?.length ?? 0);
    };
    // Engine.IO emits "packetCreate" when a packet is queued and "drain" when all are written.
    io.engine.on('drain', (transport: Transport) => {
      const queue = this.#queues.get(transport);
      if (queue) queue.bytes = 0;
    });
  }

  watch(connection: Connection): void {
    const { conn } = connection.socket;
    this.#queues.set(conn, { connection, bytes: 0, isDisconnected: false });
    conn.on('packetCreate', this.#onPacketCreate);
  }

  /** A transport may outlive the namespace connection and carry the next one. */
  unwatch({ socket: { conn } }: Connection): void {
    this.#queues.delete(conn);
    conn.off('packetCreate', this.#onPacketCreate);
  }

  #queued(transport: Transport, bytes: number): void {
    const { maxQueuedBytes, metrics, logger } = this.#options;
    metrics.bytes('out', bytes);
    const queue = this.#queues.get(transport);
    if (!queue) return;
    queue.bytes += bytes;
    if (queue.bytes <= maxQueuedBytes || queue.isDisconnected) return;
    queue.isDisconnected = true; // the disconnect below creates a packet, too
    const { id: sid, socket } = queue.connection;
    metrics.refused('slow');
    logger.warn({ sid, queued: queue.bytes }, 'peer does not read; disconnected');
    // The disconnect frees the seat at once. The socket is terminated, because closing it would wait for the peer to
    // read.
    socket.disconnect(true);
    (transport.transport as { socket?: { terminate?: () => void } }).socket?.terminate?.();
  }
}
