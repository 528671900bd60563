import { isAbsolute } from 'node:path';

/** HTTP over a stream socket: `http+unix://%2Frun%2Fmcp.sock/mcp`. */
export interface SocketUrl {
  readonly socketPath: string;
  /** The URL that is asked for over there. */
  readonly url: string;
}

const SOCKET_SCHEME = 'http+unix:';

/** The parts of a URL whose host is the percent-encoded absolute path of a socket; undefined for every other text. */
export function parseSocketUrl(text: string): SocketUrl | undefined {
  if (!isSocketUrl(text)) return undefined;
  const { hostname, pathname, search, username, password, port } = new URL(text);
  if (`${username}${password}${port}` !== '') return undefined;
  const socketPath = decoded(hostname);
  if (socketPath === undefined || !isAbsolute(socketPath) || socketPath.includes('\0')) return undefined;
  return { socketPath, url: `http://localhost${pathname === '' ? '/' : pathname}${search}` };
}

/** Whether a URL is meant for a socket, well written or not. */
export function isSocketUrl(text: string): boolean {
  return URL.canParse(text) && new URL(text).protocol === SOCKET_SCHEME;
}

function decoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined; // A percent sign that introduces nothing.
  }
}
