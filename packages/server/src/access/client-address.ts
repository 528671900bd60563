import type { IncomingMessage } from 'node:http';

/** Returns the IP address of the client that sent a request. */
export type ClientAddress = (request: IncomingMessage) => string;

/**
 * Creates the function that determines client addresses. `X-Forwarded-For` is used only if the peer is a trusted proxy,
 * and only its last entry, which that proxy wrote: earlier entries can be forged by the client.
 */
export function clientAddress(trustedProxies: readonly string[] = []): ClientAddress {
  const trusted = new Set(trustedProxies.map(normalise));
  return ({ socket, headers }) => {
    const peer = normalise(socket.remoteAddress ?? '');
    if (!trusted.has(peer)) return peer;
    const forwarded = headers['x-forwarded-for'];
    const last = (Array.isArray(forwarded) ? forwarded.join(',') : (forwarded ?? '')).split(',').at(-1)?.trim();
    return last ? normalise(last) : peer;
  };
}

/** Turns an IPv4-mapped IPv6 address into the IPv4 address. */
export function normalise(address: string): string {
  return address.replace(/^::ffff:(?=\d+\.)/i, '');
}
