import { isAbsolute } from 'node:path';

/** The parts of a URL for HTTP over a stream socket, such as `http+unix://%2Frun%2Fmcp.sock/mcp`. */
export interface SocketUrl {
  readonly socketPath: string;
  /** The URL to request over the socket. */
  readonly url: string;
}

const SOCKET_SCHEME = 'http+unix:';

/** Parses a URL whose host is the percent-encoded absolute path of a socket; undefined for any other text. */
export function parseSocketUrl(text: string): SocketUrl | undefined {
  if (!isSocketUrl(text)) return undefined;
  const { hostname, pathname, search, username, password, port } = new URL(text);
  if (`${username}${password}${port}` !== '') return undefined;
  const socketPath = decoded(hostname);
  if (socketPath === undefined || !isAbsolute(socketPath) || socketPath.includes('\0')) return undefined;
  return { socketPath, url: `http://localhost${pathname === '' ? '/' : pathname}${search}` };
}

/** Whether a URL has the scheme for sockets, even if it is malformed. */
export function isSocketUrl(text: string): boolean {
  return URL.canParse(text) && new URL(text).protocol === SOCKET_SCHEME;
}

function decoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined; // An incomplete percent-encoding.
  }
}
