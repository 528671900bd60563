import { parseSocketUrl } from '@a2c/config';
import { checkSocketPath } from '../socket-path.js';

/** Where a request goes: a URL, and the socket it goes through when the host is not to be looked up. */
export interface Route {
  readonly url: URL;
  readonly socketPath: string | null;
  /** As configured, for the guard. */
  readonly text: string;
}

export function routeTo(text: string): Route {
  const socket = parseSocketUrl(text);
  if (socket) checkSocketPath(socket.socketPath);
  return { url: new URL(socket?.url ?? text), socketPath: socket?.socketPath ?? null, text };
}

/** The route to an address that a server named: over the same socket, unless it is elsewhere. */
export function routeFrom(base: Route, address: string | URL): Route {
  const url = new URL(address, base.url);
  if (base.socketPath === null || url.origin !== base.url.origin) return routeTo(url.href);
  return { url, socketPath: base.socketPath, text: base.text };
}

export function isSameOrigin(a: Route, b: Route): boolean {
  return a.url.origin === b.url.origin && a.socketPath === b.socketPath;
}

/** How a route may be shown: path, query and credentials may be secrets. */
export function placeOf({ url, socketPath }: Route): string {
  return socketPath === null ? `${url.protocol}//${url.host}` : `the socket ${socketPath}`;
}
