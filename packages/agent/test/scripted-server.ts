import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Server, type Socket } from 'socket.io';
import { onTestFinished } from 'vitest';

export type Ack = (...args: unknown[]) => void;
export type Script = Readonly<Record<string, (payload: Record<string, unknown>, ack: Ack, socket: Socket) => void>>;

export interface ScriptedServer {
  readonly url: string;
  /** Every received event. */
  readonly heard: { event: string; payload: Record<string, unknown> }[];
  /** The handshake of every connection. */
  readonly handshakes: Socket['handshake'][];
  /** Sends an event to all clients. */
  say(event: string, payload: unknown): void;
  /** Ends every connection: with a disconnect packet (`disconnect`) or as if the network had failed. */
  drop(how: 'disconnect' | 'network'): void;
  stop(): Promise<void>;
}

/** A Socket.IO server that answers by script and acknowledges leaves. With `refusal` it rejects every connection. */
export async function scripted(script: Script, refusal?: Error): Promise<ScriptedServer> {
  const http = createServer();
  const io = new Server(http, { serveClient: false });
  const heard: ScriptedServer['heard'] = [];
  const handshakes: Socket['handshake'][] = [];
  const namespace = io.of('/smcp');
  namespace.use((_socket, next) => next(refusal));
  namespace.on('connection', (socket) => {
    handshakes.push(socket.handshake);
    socket.onAny((event: string, payload: Record<string, unknown>, ack: Ack = () => {}) => {
      heard.push({ event, payload });
      if (script[event]) script[event](payload, ack, socket);
      else if (event === 'server:leave_office') ack(true, null);
    });
  });
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => io.close());
  return {
    url: `http://127.0.0.1:${(http.address() as AddressInfo).port}`,
    heard,
    handshakes,
    stop: () => io.close(),
    say: (event, payload) => void namespace.emit(event, payload),
    drop: (how) => {
      for (const socket of namespace.sockets.values()) {
        if (how === 'disconnect') socket.disconnect(true);
        else socket.conn.close();
      }
    },
  };
}
