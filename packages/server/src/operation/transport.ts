import type { Logger } from '@a2c/log';
import type { Connection } from '../rooms/connection.js';
import type { Metrics } from './metrics.js';

/** Counts the bytes of a connection, and cuts it off when it does not read what is sent to it. */
export function watchTransport(connection: Connection, queuedBytes: number, metrics: Metrics, logger: Logger): void {
  const { conn } = connection.socket;
  // Engine.IO reports a packet when it is queued and "drain" when all are written: in between is what waits.
  let queued = 0;
  let isCut = false;
  const received = ({ data }: { data?: string | Buffer }) => {
    connection.packetBytes = data?.length ?? 0;
    metrics.bytes('in', connection.packetBytes);
  };
  const drained = () => {
    queued = 0;
  };
  const sent = ({ data }: { data?: string | Buffer }) => {
    const size = data?.length ?? 0;
    queued += size;
    metrics.bytes('out', size);
    if (queued <= queuedBytes || isCut) return;
    isCut = true; // saying goodbye queues a packet, too
    metrics.refused('slow');
    logger.warn({ sid: connection.id, queued }, 'peer does not read; disconnected');
    // Its seat is free at once; its socket must be torn, because a polite close waits for a peer that does not read.
    connection.socket.disconnect(true);
    (conn.transport as { socket?: { terminate?: () => void } }).socket?.terminate?.();
  };
  conn.on('packet', received).on('drain', drained).on('packetCreate', sent);
  // A transport may outlive the namespace connection and carry the next one.
  connection.socket.on('disconnect', () => {
    conn.off('packet', received).off('drain', drained).off('packetCreate', sent);
  });
}
