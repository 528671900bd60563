import type { Socket } from 'node:net';
import type { Writable } from 'node:stream';
import { LineTransport } from './line-transport.js';
import { CLOSED_BY_CLIENT, type TransportLimits } from './server-transport.js';

/** Where a socket transport connects to. */
export interface SocketEndpoint {
  /** For error messages, such as `the socket /run/mcp.sock`. */
  readonly name: string;
  /** Begins to connect: `() => connect(port, host)` of `node:net`. */
  readonly connect: () => Socket;
}

/** JSON-RPC messages as lines over a unix or TCP socket. */
export class SocketTransport extends LineTransport {
  readonly #endpoint: SocketEndpoint;
  #socket: Socket | undefined;
  #closed: Promise<void> | undefined;
  #ending = 'the server closed the socket';

  constructor(endpoint: SocketEndpoint, limits: TransportLimits) {
    super(limits);
    this.#endpoint = endpoint;
  }

  protected override async open(): Promise<Writable> {
    const socket = this.#endpoint.connect();
    this.#socket = socket;
    await connected(socket, this.#endpoint.name, this.limits.connectTimeoutMs);
    this.read(socket);
    socket.on('error', (error: NodeJS.ErrnoException) => {
      this.#ending = `the socket broke (${error.code ?? error.message})`;
    });
    this.#closed = new Promise((resolve) => {
      socket.once('close', () => resolve(this.finish(this.#ending)));
    });
    return socket;
  }

  protected override async shut(): Promise<void> {
    const socket = this.#socket;
    if (!socket || socket.destroyed) return;
    this.#ending = CLOSED_BY_CLIENT;
    // Pending writes go out first; the server need not close its side.
    const timer = setTimeout(() => socket.destroy(), this.limits.stopGraceMs);
    if (socket.connecting) socket.destroy();
    else socket.destroySoon();
    await this.#closed;
    clearTimeout(timer);
  }
}

async function connected(socket: Socket, name: string, timeoutMs: number): Promise<void> {
  const timer = setTimeout(() => socket.destroy(new Error(`no answer within ${timeoutMs} ms`)), timeoutMs);
  try {
    await new Promise<void>((resolve, reject) => {
      socket.once('connect', resolve);
      socket.once('error', reject);
      socket.once('close', () => reject(new Error('it was closed')));
    });
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    const hint = HINTS[code ?? ''] ?? message;
    throw Object.assign(new Error(`cannot connect to ${name}: ${hint}`), { code });
  } finally {
    clearTimeout(timer);
  }
}

const HINTS: Readonly<Record<string, string>> = {
  ENOENT: 'there is none; is the server running?',
  ECONNREFUSED: 'nothing listens there; is the server running?',
  ENOTSOCK: 'it is not a socket',
  EACCES: 'this user may not open it',
};

/** The longest socket path of the system, without the terminating zero. */
const MAX_PATH_BYTES = process.platform === 'linux' ? 107 : 103;

/** Throws if the path is too long: Node would truncate it and connect to another socket. */
export function checkSocketPath(path: string): void {
  if (process.platform === 'win32' || Buffer.byteLength(path) <= MAX_PATH_BYTES) return;
  throw new Error(
    `the path of the socket ${path} is longer than ${MAX_PATH_BYTES} bytes: move the socket or link to its folder`,
  );
}
