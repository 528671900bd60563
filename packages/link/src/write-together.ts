import type { Socket } from 'socket.io-client';

/** The TCP socket below a WebSocket in Node. Browsers have none. */
interface TcpSocket {
  cork(): void;
  uncork(): void;
}

/** The parts of Engine.IO's client that have no public field. */
interface EngineInternals {
  readonly transport: { readonly ws?: { readonly _socket?: TcpSocket | null } };
}

/** More requests are written in several parts, so that the Server starts with the first ones. */
const MAX_TOGETHER = 16;

/** The sockets that write at the end of this turn of the event loop, with the number of requests. */
const corked = new Map<TcpSocket, number>();

/** Sends the requests of this turn of the event loop in few writes, where the platform allows it. */
export function writeTogether(socket: Socket): void {
  const tcp = (socket.io.engine as unknown as EngineInternals).transport.ws?._socket;
  if (!tcp?.cork) return;
  const count = corked.get(tcp) ?? 0;
  corked.set(tcp, count + 1);
  if (count === 0) {
    tcp.cork();
    setImmediate(() => {
      corked.delete(tcp);
      tcp.uncork();
    });
  } else if (count % MAX_TOGETHER === 0) {
    tcp.uncork();
    tcp.cork();
  }
}
