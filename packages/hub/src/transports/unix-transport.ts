import { connect, type Socket } from 'node:net';
import type { Writable } from 'node:stream';
import { LineTransport } from './line-transport.js';
import { CLOSED_HERE, type TransportLimits } from './server-transport.js';
import { checkSocketPath } from './socket-path.js';
import { textCodec } from './wire/text-codec.js';

/** A server that listens on a stream socket and speaks lines of JSON there. */
export class UnixTransport extends LineTransport {
  readonly #path: string;
  #socket: Socket | undefined;
  #gone: Promise<void> | undefined;
  #how = 'the server closed the socket';

  constructor(path: string, limits: TransportLimits) {
    super(textCodec('utf-8', 'strict'), limits);
    checkSocketPath(path);
    this.#path = path;
  }

  protected override async open(): Promise<Writable> {
    const socket = connect(this.#path);
    this.#socket = socket;
    await opened(socket, this.#path, this.limits.connectMs);
    socket.on('data', (chunk: Buffer) => this.wire.push(chunk));
    socket.on('error', (error: NodeJS.ErrnoException) => {
      this.#how = `the socket broke (${error.code ?? error.message})`;
    });
    this.#gone = new Promise((resolve) => {
      socket.once('close', () => {
        this.wire.end();
        resolve(this.finish(this.#how));
      });
    });
    return socket;
  }

  protected override async shut(): Promise<void> {
    const socket = this.#socket;
    if (!socket || socket.destroyed) return;
    this.#how = CLOSED_HERE;
    // What is written goes out first; the server's side of the socket need not end for ours to.
    const timer = setTimeout(() => socket.destroy(), this.limits.stopGraceMs);
    if (socket.connecting) socket.destroy();
    else socket.destroySoon();
    await this.#gone;
    clearTimeout(timer);
  }
}

async function opened(socket: Socket, path: string, connectMs: number): Promise<void> {
  const timer = setTimeout(() => socket.destroy(new Error(`no answer within ${connectMs} ms`)), connectMs);
  try {
    await new Promise<void>((resolve, reject) => {
      socket.once('connect', resolve);
      socket.once('error', reject);
      socket.once('close', () => reject(new Error('it was closed')));
    });
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    const hint = HINTS[code ?? ''] ?? message;
    throw Object.assign(new Error(`cannot connect to the socket ${path}: ${hint}`), { code });
  } finally {
    clearTimeout(timer);
  }
}

const HINTS: Readonly<Record<string, string>> = {
  ENOENT: 'there is none; is the server running?',
  ECONNREFUSED: 'nobody listens there; is the server running?',
  ENOTSOCK: 'it is not a socket',
  EACCES: 'this user may not open it',
};
