import type { Logger } from '@a2c/log';
import type { Connection } from '../rooms/connection.js';
import type { Metrics } from './metrics.js';

interface TrafficOptions {
  readonly maxQueuedBytes: number;
  readonly metrics: Metrics;
  readonly logger: Logger;
}

/** Counts the bytes of a connection, and disconnects a peer that does not read what is sent to it. */
export function watchTraffic(connection: Connection, { maxQueuedBytes, metrics, logger }: TrafficOptions): void {
  const { conn } = connection.socket;
  // Engine.IO emits "packetCreate" when a packet is queued and "drain" when all are written.
  let queued = 0;
  let isDisconnected = false;
  const onPacket = ({ type, data }: { type: string; data?: string | Buffer }) => {
    const size = data?.length ?? 0;
    // A heartbeat may arrive before the request is handled.
    if (type === 'message') connection.packetBytes = size;
    metrics.bytes('in', size);
  };
  const onDrain = () => {
    queued = 0;
  };
  const onPacketCreate = ({ data }: { data?: string | Buffer }) => {
    const size = data?.length ?? 0;
    queued += size;
    metrics.bytes('out', size);
    if (queued <= maxQueuedBytes || isDisconnected) return;
    isDisconnected = true; // the disconnect below creates a packet, too
    metrics.refused('slow');
    logger.warn({ sid: connection.id, queued }, 'peer does not read; disconnected');
    // The disconnect frees the seat at once. The socket is terminated, because closing it would wait for the peer to
    // read.
    connection.socket.disconnect(true);
    (conn.transport as { socket?: { terminate?: () => void } }).socket?.terminate?.();
  };
  conn.on('packet', onPacket).on('drain', onDrain).on('packetCreate', onPacketCreate);
  // A transport may outlive the namespace connection and carry the next one.
  connection.socket.on('disconnect', () => {
    conn.off('packet', onPacket).off('drain', onDrain).off('packetCreate', onPacketCreate);
  });
}
