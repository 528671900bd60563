import type { Server as HttpServer, IncomingMessage } from 'node:http';
import type { Server as HttpsServer } from 'node:https';
import type { Socket } from 'node:net';

/** Node announces the end of the connection with the last of these responses, so that clients connect again. */
const REQUESTS_PER_SOCKET = 500;

/** A socket with Node's HTTP parser, which reads all requests of a chunk, also after the socket was destroyed. */
interface ParsedSocket extends Socket {
  readonly parser?: { onIncoming(): number } | null;
}

const ignoreRequest = () => 0;

/**
 * Ends a connection on which a client sends a request before it has the response to the one before. Node would keep
 * all of them, some kilobytes each, and clients and proxies that are in use wait.
 */
export function limitRequests(http: HttpServer | HttpsServer): void {
  http.maxRequestsPerSocket = REQUESTS_PER_SOCKET;
  http.on('dropRequest', (_request, socket) => socket.destroy());
  const busy = new WeakSet<Socket>();
  http.prependListener('request', ({ socket }, response) => {
    if (busy.has(socket)) {
      const { parser } = socket as ParsedSocket;
      if (parser) parser.onIncoming = ignoreRequest;
      socket.destroy();
      return;
    }
    busy.add(socket);
    response.once('close', () => busy.delete(socket));
  });
}

/** Whether the connection of a request was ended, so that no one would read the response. */
export function isRefused({ socket }: IncomingMessage): boolean {
  return socket.destroyed;
}
