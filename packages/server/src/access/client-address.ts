import type { IncomingMessage } from 'node:http';

export type AddressOf = (request: IncomingMessage) => string;

/**
 * Where a request comes from. `X-Forwarded-For` is believed only from the proxies named here, and only its last entry,
 * which they wrote themselves: everything before it is the client's word.
 */
export function addressThrough(trustedProxies: readonly string[] = []): AddressOf {
  const trusted = new Set(trustedProxies.map(plain));
  return ({ socket, headers }) => {
    const peer = plain(socket.remoteAddress ?? '');
    if (!trusted.has(peer)) return peer;
    const forwarded = headers['x-forwarded-for'];
    const last = (Array.isArray(forwarded) ? forwarded.join(',') : (forwarded ?? '')).split(',').at(-1)?.trim();
    return last ? plain(last) : peer;
  };
}

/** IPv4 in its IPv6 coat is the same address. */
function plain(address: string): string {
  return address.replace(/^::ffff:(?=\d+\.)/i, '');
}
