import { type AddressInfo, createServer, type Socket, connect as tcpConnect } from 'node:net';
import type { Role } from '@a2c/protocol';
import { onTestFinished } from 'vitest';
import { ask, dial, type RawSocket, until } from './harness.js';
import { freePort, type NodeProcess, startNode, startRedis } from './processes.js';

export const CLUSTER_LIMITS = {
  eventsPerSecond: 1e6,
  reconnectGraceMs: 1_500,
  handshakesPerSecond: 5_000,
  connectionsPerAddress: 5_000,
  callsPerSecond: 1e6,
  officeCallsPerSecond: 1e6,
  callsInFlight: 1e6,
  officeCallsInFlight: 1e6,
};

export async function cluster(size = 3, leaseMs = 1_500, more: object = {}) {
  const port = await freePort();
  const redis = await startRedis(port);
  const options = {
    ...more,
    publicMetrics: true,
    limits: CLUSTER_LIMITS,
    cluster: { redis: `redis://127.0.0.1:${port}`, leaseMs },
  };
  const nodes = await Promise.all(Array.from({ length: size }, () => startNode(options)));
  return { port, redis, nodes: nodes as [NodeProcess, NodeProcess, NodeProcess] };
}

export async function joinOn(
  { url }: { readonly url: string },
  role: Role,
  name: string,
  office: string,
  instance?: string,
): Promise<RawSocket> {
  const socket = await dial(url, { auth: { instance } });
  const [ok, reason] = await ask(socket, 'server:join_office', { role, name, office_id: office });
  if (ok !== true) throw new Error(String(reason));
  return socket;
}

export const echo = (computer: RawSocket) =>
  computer.on('client:tool_call', ({ params }, ack) =>
    ack({ content: [{ type: 'text', text: JSON.stringify(params) }], isError: false }),
  );

export interface RedisLink {
  readonly url: string;
  /** Closes all connections. */
  cut(): void;
  /** Closes all connections, and refuses others until it is called with false. */
  isBroken(isBroken: boolean): void;
  /** Ends the subscriptions of the nodes, which do not notice it. */
  endSubscriptions(): void;
  /**
   * Loses all further bytes of the open connections, or only those of Redis. Both ends stay open. Those with
   * subscriptions and the others can be chosen.
   */
  lose(bytes: 'all' | 'of Redis', connections?: { readonly subscribed: boolean }): void;
}

interface Connection {
  readonly near: Socket;
  readonly far: Socket;
  isSubscribed: boolean;
  /** The ends whose bytes are lost. */
  lost: readonly Socket[];
}

/** A proxy to Redis with a latency of `ms` in each direction. */
export async function slowLink(port: number, ms: number): Promise<RedisLink> {
  const open = new Set<Connection>();
  const unnoticed = new WeakSet<Socket>();
  let isRefusing = false;
  const server = createServer((near) => {
    if (isRefusing) return void near.destroy();
    const far = tcpConnect(port, '127.0.0.1');
    const connection: Connection = { near, far, isSubscribed: false, lost: [] };
    open.add(connection);
    near.on('data', (chunk) => {
      if (chunk.includes('subscribe\r\n')) connection.isSubscribed = true;
    });
    for (const [one, other] of [
      [near, far],
      [far, near],
    ] as const) {
      const pass = (chunk: Buffer) => void (other.writable && other.write(chunk));
      one.on('data', (chunk) => {
        if (!connection.lost.includes(one)) setTimeout(pass, ms, chunk);
      });
      one.on('error', () => one.destroy());
      one.on('close', () => {
        open.delete(connection);
        if (!unnoticed.has(one)) other.destroy();
      });
    }
  }).listen(0, '127.0.0.1');
  await until(() => server.listening);
  const cut = () => {
    for (const { near, far } of open) for (const socket of [near, far]) socket.destroy();
  };
  onTestFinished(() => {
    server.close();
    cut();
  });
  return {
    url: `redis://127.0.0.1:${(server.address() as AddressInfo).port}`,
    cut,
    isBroken: (value) => {
      isRefusing = value;
      if (value) cut();
    },
    endSubscriptions: () => {
      for (const { far, isSubscribed } of open) {
        if (!isSubscribed) continue;
        unnoticed.add(far);
        far.destroy();
      }
    },
    lose: (bytes, connections) => {
      for (const connection of open) {
        if (connections && connections.subscribed !== connection.isSubscribed) continue;
        const { near, far } = connection;
        connection.lost = bytes === 'all' ? [near, far] : [far];
      }
    },
  };
}
