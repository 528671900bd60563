import type { Server } from 'node:http';
import type { Socket } from 'node:net';

/** How often what waits is added up. Nothing reports it. */
const CHECK_MS = 1_000;

/** A socket with Node's handle, which counts the bytes that are left of the chunk that is being sent. */
interface SendingSocket extends Socket {
  readonly _handle?: { readonly writeQueueSize?: number } | null;
}

interface Unsent {
  bytes: number;
  /** What is left of the chunk that is being sent. */
  ofChunk: number;
  /** When its client has read something for the last time, as far as the checks have seen it. */
  readAt: number;
}

/**
 * Limits what waits to be sent on all connections together: a client can ask for large answers on many connections and
 * read none. Over the limit, connections are closed whose clients have read nothing since the last check, first those
 * that have not for the longest time.
 */
export function limitUnsent(server: Server, maxBytes: number): void {
  const connections = new Map<SendingSocket, Unsent>();
  let timer: NodeJS.Timeout | undefined;
  const check = () => {
    const now = performance.now();
    let total = 0;
    for (const [socket, unsent] of connections) {
      const { writableLength: bytes } = socket;
      const ofChunk = socket._handle?.writeQueueSize ?? 0;
      if (unsent.bytes === 0 || bytes < unsent.bytes || ofChunk < unsent.ofChunk) unsent.readAt = now;
      unsent.bytes = bytes;
      unsent.ofChunk = ofChunk;
      total += bytes;
    }
    if (total <= maxBytes) return;
    const unread = [...connections].filter(([, { bytes, readAt }]) => bytes > 0 && readAt < now);
    for (const [socket, { bytes }] of unread.toSorted(([, a], [, b]) => a.readAt - b.readAt)) {
      if (total <= maxBytes) return;
      total -= bytes;
      socket.destroy();
    }
  };
  server.on('connection', (socket) => {
    timer ??= setInterval(check, CHECK_MS).unref();
    connections.set(socket, { bytes: 0, ofChunk: 0, readAt: 0 });
    socket.once('close', () => {
      connections.delete(socket);
      if (connections.size > 0) return;
      clearInterval(timer);
      timer = undefined;
    });
  });
}
