import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import { normalise } from './client-address.js';

/** A client that polls uses two sockets; these are for the requests of operators. */
const MORE_SOCKETS = 100;

/**
 * Limits the sockets of each address, also those that send no request: they would use up the memory and the file
 * descriptors of the process. Further ones are closed at once. The sockets of trusted proxies are not counted.
 */
export function limitSockets(
  http: Server,
  connectionsPerAddress: number,
  trustedProxies: readonly string[] = [],
): void {
  const most = 2 * connectionsPerAddress + MORE_SOCKETS;
  const trusted = new Set(trustedProxies.map(normalise));
  const open = new Map<string, number>();
  const addresses = new WeakMap<Socket, string>();
  // One listener for all sockets: one for each would keep several objects in memory.
  const onClose = function (this: Socket) {
    const address = addresses.get(this) ?? '';
    const left = (open.get(address) ?? 1) - 1;
    if (left > 0) open.set(address, left);
    else open.delete(address);
  };
  http.on('connection', (socket: Socket) => {
    const address = normalise(socket.remoteAddress ?? '');
    if (trusted.has(address)) return;
    const count = (open.get(address) ?? 0) + 1;
    if (count > most) {
      socket.destroy();
      return;
    }
    open.set(address, count);
    addresses.set(socket, address);
    socket.on('close', onClose);
  });
}
