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

const corked = new WeakSet<TcpSocket>();

/** Sends what is written in this turn of the event loop in one write, where the platform allows it. */
export function writeTogether(socket: Socket): void {
  const tcp = (socket.io.engine as unknown as EngineInternals).transport.ws?._socket;
  if (!tcp?.cork || corked.has(tcp)) return;
  corked.add(tcp);
  tcp.cork();
  setImmediate(() => {
    corked.delete(tcp);
    tcp.uncork();
  });
}
