import { createServer, type Server as HttpServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { SMCP_NAMESPACE } from '@a2c/protocol';
import { allowAnonymous, type Listening, type ListenOptions, listen } from '@a2c/server';
import { Server, type Socket } from 'socket.io';
import { onTestFinished } from 'vitest';
import { type IncomingRequest, Link, type LinkEvents, type LinkOptions } from '../src/index.js';

/** Short delays between attempts. */
export const FAST = { reconnectMinMs: 10, reconnectMaxMs: 50 };

const quiet = { debug() {}, info() {}, warn() {}, error() {} };

/** The real signalling server on a free port. */
export async function serve(options: Partial<ListenOptions> = {}): Promise<Listening> {
  const listening = await listen({ authenticate: allowAnonymous, port: 0, logger: quiet, ...options });
  onTestFinished(() => listening.close());
  return listening;
}

/** An Agent `a` unless the options differ. Disconnected after the test. */
export function linkTo(
  url: string,
  options: Partial<LinkOptions> = {},
  onRequest?: (request: IncomingRequest) => Promise<readonly unknown[]>,
): Link {
  const link = new Link({ url, role: 'agent', name: 'a', limits: FAST, ...options }, onRequest);
  onTestFinished(() => link.disconnect());
  return link;
}

export type Ack = (...args: unknown[]) => void;

export interface ScriptedServer {
  readonly url: string;
  readonly http: HttpServer;
  /** Every event as `event payload`. */
  readonly received: string[];
  /** All sockets, in the order of their connections. */
  readonly sockets: Socket[];
  /** Ends every connection: by the Server's will, or as a failure of the network. */
  drop(how: 'disconnect' | 'network'): void;
}

/** A Socket.IO server that answers the n-th join with `onJoin`, and acknowledges every leave. */
export async function scripted(
  onJoin: (ack: Ack, join: number, socket: Socket) => void,
  script: Readonly<Record<string, (payload: unknown, ack: Ack, socket: Socket) => void>> = {},
): Promise<ScriptedServer> {
  const http = createServer();
  const io = new Server(http, { serveClient: false });
  const received: string[] = [];
  const sockets: Socket[] = [];
  let joins = 0;
  io.of(SMCP_NAMESPACE).on('connection', (socket) => {
    sockets.push(socket);
    socket.onAny((event: string, payload: unknown, ack: Ack = () => {}) => {
      received.push(event);
      if (event === 'server:join_office') onJoin(ack, ++joins, socket);
      else if (event === 'server:leave_office') ack(true, null);
      else script[event]?.(payload, ack, socket);
    });
  });
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => io.close());
  return {
    url: `http://127.0.0.1:${(http.address() as AddressInfo).port}`,
    http,
    received,
    sockets,
    drop: (how) => {
      for (const socket of sockets) {
        if (how === 'disconnect') socket.disconnect(true);
        else socket.conn.close();
      }
    },
  };
}

/** Waits for an event and returns its value. */
export function next<E extends keyof LinkEvents>(link: Link, event: E): Promise<LinkEvents[E]> {
  return new Promise((resolve) => {
    const off = link.on(event, (value) => {
      off();
      resolve(value);
    });
  });
}

export function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

/** Waits until the condition is true. */
export async function until(condition: () => boolean, ms = 60_000): Promise<void> {
  const deadline = Date.now() + ms;
  while (!condition()) {
    if (Date.now() > deadline) throw new Error(`the condition was not true within ${ms} ms: ${condition}`);
    await pause(5);
  }
}
