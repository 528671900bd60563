import { parseSocketUrl } from '@a2c/config';
import { checkSocketPath } from '../socket-transport.js';

/** The target of a request: a URL, and a unix socket if the connection goes through one. */
export interface Route {
  readonly url: URL;
  readonly socketPath: string | null;
  /** The URL as configured, for the trust guard. */
  readonly text: string;
}

export function routeTo(text: string): Route {
  const socket = parseSocketUrl(text);
  if (socket) checkSocketPath(socket.socketPath);
  return { url: new URL(socket?.url ?? text), socketPath: socket?.socketPath ?? null, text };
}

/** The route to an address that the server named. The same origin is reached through the same socket. */
export function routeFrom(base: Route, address: string | URL): Route {
  const url = new URL(address, base.url);
  if (base.socketPath === null || url.origin !== base.url.origin) return routeTo(url.href);
  return { url, socketPath: base.socketPath, text: base.text };
}

export function isSameOrigin(a: Route, b: Route): boolean {
  return a.url.origin === b.url.origin && a.socketPath === b.socketPath;
}

/** The route for messages: without path, query and credentials, which may be secrets. */
export function originOf({ url, socketPath }: Route): string {
  return socketPath === null ? `${url.protocol}//${url.host}` : `the socket ${socketPath}`;
}
