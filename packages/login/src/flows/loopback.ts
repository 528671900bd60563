import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { resultPage } from './result-page.js';

const HOST = '127.0.0.1';
const PATH = '/callback';

/** A browser opens six at most. Others on this machine may open many. */
const MAX_CONNECTIONS = 100;

/** Waits for the browser to come back from the authorization server (RFC 8252). */
export class LoopbackReceiver {
  readonly redirectUri: string;
  readonly #server: Server;

  private constructor(server: Server) {
    this.#server = server;
    this.redirectUri = `http://${HOST}:${(server.address() as AddressInfo).port}${PATH}`;
  }

  /**
   * @param port The port to listen on.
   * @param isRequired False: take any free port if this one is in use.
   */
  static async open(port: number, isRequired: boolean): Promise<LoopbackReceiver> {
    const server = createServer();
    server.maxConnections = MAX_CONNECTIONS;
    try {
      await listen(server, port);
    } catch (error) {
      if (isRequired || port === 0) throw error;
      await listen(server, 0);
    }
    return new LoopbackReceiver(server);
  }

  /**
   * Resolves with the result of `finish` for the first redirect with the right `state`. The browser shows the outcome.
   * Requests without the state are answered and ignored: any page can send them.
   */
  receive<T>(
    state: string,
    finish: (params: URLSearchParams) => Promise<T>,
    signal: AbortSignal | undefined,
  ): Promise<T> {
    return new Promise((resolve, reject) => {
      let isUsed = false;
      const abort = () => reject(signal?.reason as Error);
      signal?.addEventListener('abort', abort, { once: true });
      this.#server.on('request', (request, response) => {
        const { pathname, searchParams } = urlOf(request, this.redirectUri);
        const send = (status: number, error?: string) => {
          response.writeHead(status, HEADERS).end(resultPage(error));
        };
        /** After the page is sent: the caller may exit. The browser may have disconnected already. */
        const afterwards = (settle: () => void) => {
          if (response.closed) settle();
          else response.once('close', settle);
        };
        if (pathname !== PATH || request.method !== 'GET') send(404, 'There is nothing here.');
        else if (isUsed || searchParams.get('state') !== state)
          send(400, 'This is not the answer to the present login.');
        else {
          isUsed = true;
          finish(searchParams).then(
            (result) => {
              afterwards(() => resolve(result));
              send(200);
            },
            (error: Error) => {
              afterwards(() => reject(error));
              send(400, error.message);
            },
          );
        }
      });
    });
  }

  close(): void {
    this.#server.close();
    this.#server.closeAllConnections();
  }
}

/** Any page can send a target that is no URL, such as `//`. */
function urlOf({ url = '' }: IncomingMessage, base: string): URL {
  return new URL(URL.canParse(url, base) ? url : '/', base);
}

const HEADERS = {
  'content-type': 'text/html; charset=utf-8',
  'cache-control': 'no-store',
  'referrer-policy': 'no-referrer',
  'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'",
  connection: 'close',
};

function listen(server: Server, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, HOST, () => {
      server.off('error', reject);
      resolve();
    });
  });
}
