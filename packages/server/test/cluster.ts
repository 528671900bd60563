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

/**
 * A proxy to Redis with a latency of `ms` in each direction, whose connections can be cut, for good or for a time.
 * `endSubscriptions` ends the subscriptions of its clients, which do not notice it.
 */
export async function slowLink(
  port: number,
  ms: number,
): Promise<{ url: string; cut: () => void; endSubscriptions: () => void; isBroken: (isBroken: boolean) => void }> {
  const open = new Set<Socket>();
  /** The far ends of connections with subscriptions. */
  const subscribed = new Set<Socket>();
  const unnoticed = new WeakSet<Socket>();
  let isRefusing = false;
  const later = (to: Socket) => (chunk: Buffer) => void setTimeout(() => to.writable && to.write(chunk), ms);
  const server = createServer((near) => {
    if (isRefusing) return void near.destroy();
    const far = tcpConnect(port, '127.0.0.1');
    near.on('data', (chunk) => {
      if (chunk.includes('subscribe\r\n')) subscribed.add(far);
    });
    for (const [one, other] of [
      [near, far],
      [far, near],
    ] as const) {
      open.add(one);
      one.on('data', later(other)).on('error', () => one.destroy());
      one.on('close', () => {
        open.delete(one);
        subscribed.delete(one);
        if (!unnoticed.has(one)) other.destroy();
      });
    }
  }).listen(0, '127.0.0.1');
  await until(() => server.listening);
  const cut = () => {
    for (const socket of open) socket.destroy();
  };
  onTestFinished(() => {
    server.close();
    cut();
  });
  const endSubscriptions = () => {
    for (const far of subscribed) {
      unnoticed.add(far);
      far.destroy();
    }
  };
  const isBroken = (value: boolean) => {
    isRefusing = value;
    if (value) cut();
  };
  return { url: `redis://127.0.0.1:${(server.address() as AddressInfo).port}`, cut, endSubscriptions, isBroken };
}
