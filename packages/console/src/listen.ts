import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Console } from './console.js';

/** A console on a port of its own. */
export interface ListeningConsole {
  /** The link for a browser. */
  readonly link: string;
  /** Closes all connections. */
  close(): Promise<void>;
}

/**
 * Serves a console on a port of 127.0.0.1.
 *
 * @throws Error if the port is in use
 */
export async function listenConsole(
  console: Pick<Console, 'handle' | 'link'>,
  port: number,
): Promise<ListeningConsole> {
  const http = createServer((request, response) => {
    if (!console.handle(request, response)) response.writeHead(404).end();
  });
  http.listen(port, '127.0.0.1');
  await once(http, 'listening');
  return {
    link: console.link(`http://127.0.0.1:${(http.address() as AddressInfo).port}`),
    close: async () => {
      const closed = once(http, 'close');
      http.close();
      http.closeAllConnections();
      await closed;
    },
  };
}
