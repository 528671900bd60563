import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Console } from './console.js';
import { isReachedAsLocalhost } from './local-names.js';

/** A console on a port of its own. */
export interface ListeningConsole {
  /** The link for a browser. */
  readonly link: string;
  /** The address for other programs. */
  readonly url: string;
  /** Closes all connections. */
  close(): Promise<void>;
}

/**
 * Serves a console on a port of this machine.
 *
 * @throws Error with the code `EADDRINUSE` if the port is in use
 */
export async function listenConsole(
  console: Pick<Console, 'handle' | 'link'>,
  port: number,
): Promise<ListeningConsole> {
  const http = await listen(serve(console), port, '127.0.0.1');
  const url = `http://127.0.0.1:${(http.address() as AddressInfo).port}`;
  try {
    const closeOther = await listenOnOtherLoopback(console, url);
    return { link: console.link(url), url, close: async () => void (await Promise.all([close(http), closeOther()])) };
  } catch (error) {
    await close(http);
    throw error;
  }
}

/**
 * Serves a console that listens on one loopback address also on the other, at the same port. Browsers use both for the
 * name in the link, `::1` first: another program must not answer there.
 *
 * @param url where the console listens; nothing is done if the link has no name under `localhost`
 * @returns how to close it
 * @throws Error with the code `EADDRINUSE` if another program has the port
 */
export async function listenOnOtherLoopback(
  console: Pick<Console, 'handle'>,
  url: string,
): Promise<() => Promise<void>> {
  const origin = new URL(url);
  if (!isReachedAsLocalhost(origin)) return async () => {};
  const attempts = await Promise.allSettled(
    ['127.0.0.1', '::1'].map((address) => listen(serve(console), Number(origin.port), address)),
  );
  const opened = attempts.flatMap((each) => (each.status === 'fulfilled' ? [each.value] : []));
  const closeAll = async () => void (await Promise.all(opened.map(close)));
  const taken = attempts.filter((each) => each.status === 'rejected' && each.reason.code === 'EADDRINUSE');
  // One of them is that of `url`. A machine without IPv6 has no other.
  if (taken.length < 2) return closeAll;
  await closeAll();
  const message = `another program has port ${origin.port} of the other loopback address (127.0.0.1 or ::1)`;
  throw Object.assign(new Error(`${message}, where browsers would look for the console`), { code: 'EADDRINUSE' });
}

function serve(console: Pick<Console, 'handle'>): RequestListener {
  return (request, response) => {
    if (!console.handle(request, response)) response.writeHead(404).end();
  };
}

async function listen(listener: RequestListener, port: number, address: string): Promise<Server> {
  const http = createServer(listener);
  http.listen(port, address);
  await once(http, 'listening');
  return http;
}

async function close(http: Server): Promise<void> {
  const closed = once(http, 'close');
  http.close();
  http.closeAllConnections();
  await closed;
}
