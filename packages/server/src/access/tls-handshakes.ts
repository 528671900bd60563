import type { Server } from 'node:https';
import type { Socket } from 'node:net';
import { Duplex } from 'node:stream';
import type { TLSSocket } from 'node:tls';

/**
 * Limits what a client costs that sends certificates. OpenSSL checks all of them before it refuses a chain without a
 * trusted root, and the keys of a stranger can make each check slow. Node has no limit for that, so the bytes of a
 * handshake are counted here, and handshakes take turns: in each turn of the event loop, one of them continues.
 */
export function limitTlsHandshakes(http: Server, most: number): void {
  const turns = new Turns();
  const startTls = http.listeners('connection') as ((this: Server, stream: Duplex) => void)[];
  http.removeAllListeners('connection');
  http.on('connection', (socket: Socket) => {
    const stream = new HandshakeStream(socket, most, turns);
    for (const start of startTls) start.call(http, stream);
  });
  http.prependListener('secureConnection', (secured: TLSSocket) => {
    const stream = streamOf(secured);
    stream?.secured();
    secured.once('close', () => stream?.destroy());
    for (const property of ['remoteAddress', 'remotePort', 'remoteFamily'] as const)
      Object.defineProperty(secured, property, { value: stream?.socket[property] });
  });
  http.on('tlsClientError', (_error, failed) => void streamOf(failed)?.destroy());
}

/** The stream below a TLS socket, which the interface of Node does not show. */
function streamOf(secured: TLSSocket): HandshakeStream | undefined {
  const { ssl } = secured as unknown as { ssl?: { _parentWrap?: { stream?: unknown } } | null };
  const stream = ssl?._parentWrap?.stream;
  return stream instanceof HandshakeStream ? stream : undefined;
}

/** The bytes of a TCP connection. Until its handshake has ended, they are counted and wait for their turn. */
class HandshakeStream extends Duplex {
  readonly socket: Socket;
  readonly #turns: Turns;
  #bytesLeft: number;
  #waiting = 0;

  constructor(socket: Socket, most: number, turns: Turns) {
    super();
    this.socket = socket;
    this.#bytesLeft = most;
    this.#turns = turns;
    socket.on('data', (chunk) => this.#receive(chunk));
    socket.on('end', () => this.#inOrder(() => this.push(null)));
    socket.on('error', () => this.destroy()); // A reset connection is no error of TLS.
    socket.on('close', () => this.destroy());
  }

  secured(): void {
    this.#bytesLeft = Number.POSITIVE_INFINITY;
  }

  #receive(chunk: Buffer): void {
    this.#bytesLeft -= chunk.length;
    if (this.#bytesLeft < 0) this.destroy();
    else this.#inOrder(() => this.push(chunk) || this.socket.pause());
  }

  #inOrder(work: () => void): void {
    const isSecured = this.#bytesLeft === Number.POSITIVE_INFINITY;
    if (isSecured && this.#waiting === 0) {
      work();
      return;
    }
    this.#waiting++;
    this.#turns.add(() => {
      this.#waiting--;
      if (!this.destroyed) work();
    });
  }

  override _read(): void {
    this.socket.resume();
  }

  override _write(chunk: Buffer, _encoding: BufferEncoding, done: (error?: Error | null) => void): void {
    this.socket.write(chunk, done);
  }

  override _writev(chunks: readonly { readonly chunk: Buffer }[], done: (error?: Error | null) => void): void {
    this.socket.write(Buffer.concat(chunks.map(({ chunk }) => chunk)), done);
  }

  override _final(done: () => void): void {
    this.socket.end(done);
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    this.socket.destroy();
    done(error);
  }
}

/** Runs one task in each turn of the event loop. */
class Turns {
  readonly #tasks: (() => void)[] = [];

  add(task: () => void): void {
    this.#tasks.push(task);
    if (this.#tasks.length === 1) setImmediate(this.#run);
  }

  readonly #run = (): void => {
    this.#tasks[0]?.();
    this.#tasks.shift();
    if (this.#tasks.length > 0) setImmediate(this.#run);
  };
}
