import type { Server } from 'node:https';
import type { Socket } from 'node:net';
import { Duplex } from 'node:stream';
import type { TLSSocket } from 'node:tls';
import { normalise } from './client-address.js';

/** The limits of {@link limitTlsHandshakes}. */
export interface TlsHandshakeLimits {
  readonly tlsHandshakeBytes: number;
  readonly tlsHandshakesPerAddress: number;
  readonly tlsHandshakesPerProxy: number;
}

/** Clients answer at once, unless they wait for a person or the line is slow. They give way only at the limit. */
const SILENCE_MS = 500;

/**
 * Tracks the sockets whose TLS handshake has not ended. Node does not close them with the server, and the server would
 * wait for them.
 *
 * @returns how to close them
 */
export function trackTlsHandshakes(http: Server): () => void {
  const unfinished = new Map<string, Socket>();
  // Node does not show which TLS socket belongs to which TCP socket.
  const keyOf = ({ remoteAddress, remotePort }: Socket) => `${remoteAddress} ${remotePort}`;
  http.on('connection', (socket: Socket) => {
    const key = keyOf(socket);
    unfinished.set(key, socket);
    socket.once('close', () => {
      if (unfinished.get(key) === socket) unfinished.delete(key);
    });
  });
  http.on('secureConnection', (secured: TLSSocket) => void unfinished.delete(keyOf(secured)));
  return () => {
    for (const socket of unfinished.values()) socket.destroy();
  };
}

/**
 * Limits what the handshakes of strangers cost. Node would answer all hellos that have arrived in one turn of the event
 * loop, and each costs a signature. Of a client that sends certificates, OpenSSL checks all before it refuses a chain
 * without a trusted root, and the keys of a stranger can make each check slow. So the bytes of a handshake are counted
 * here, and handshakes take turns: in each turn of the event loop, one of them continues, and addresses alternate. At
 * the limit of an address, the oldest client without a hello gives way to the newest, or else the oldest one that is
 * silent after the answer to its hello: such clients cost others nothing but the place.
 */
export function limitTlsHandshakes(
  http: Server,
  limits: TlsHandshakeLimits,
  trustedProxies: readonly string[] = [],
): void {
  const turns = new Turns();
  const trusted = new Set(trustedProxies.map(normalise));
  /** The unfinished handshakes of each address, oldest first. */
  const unfinished = new Map<string, Set<HandshakeStream>>();
  const startTls = http.listeners('connection') as ((this: Server, stream: Duplex) => void)[];
  http.removeAllListeners('connection');
  http.on('connection', (socket: Socket) => {
    const address = normalise(socket.remoteAddress ?? '');
    const others = unfinished.get(address) ?? new Set();
    if (others.size >= (trusted.has(address) ? limits.tlsHandshakesPerProxy : limits.tlsHandshakesPerAddress)) {
      const idle = [...others].find(({ awaitsHello }) => awaitsHello) ?? [...others].find(({ isSilent }) => isSilent);
      if (!idle) {
        socket.destroy(); // The client tries again with backoff.
        return;
      }
      idle.destroy();
    }
    const stream = new HandshakeStream(socket, limits.tlsHandshakeBytes, (task) => turns.add(address, task));
    unfinished.set(address, others.add(stream));
    stream.onFinished = () => {
      others.delete(stream);
      if (others.size === 0) unfinished.delete(address);
    };
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
  readonly #inTurn: (task: () => void) => void;
  /** Called when the handshake has ended, in any way. */
  onFinished: (() => void) | undefined;
  #bytesLeft: number;
  #waiting = 0;
  #isAnswered = false;
  /** When something was last received or answered. */
  #activeAt = performance.now();
  /** What waits for the turn. */
  #received: Buffer[] = [];

  constructor(socket: Socket, most: number, inTurn: (task: () => void) => void) {
    super();
    this.socket = socket;
    this.#bytesLeft = most;
    this.#inTurn = inTurn;
    socket.on('data', (chunk) => this.#receive(chunk));
    socket.on('end', () => this.#inOrder(() => this.push(null)));
    socket.on('error', () => this.destroy()); // A reset connection is no error of TLS.
    socket.on('close', () => this.destroy());
  }

  /** Whether the client has sent no complete hello, which TLS would have answered. */
  get awaitsHello(): boolean {
    return !this.#isAnswered && this.#waiting === 0;
  }

  /** Whether the client has sent nothing for a while since the answer to its hello. */
  get isSilent(): boolean {
    return this.#isAnswered && this.#waiting === 0 && performance.now() - this.#activeAt > SILENCE_MS;
  }

  secured(): void {
    this.#bytesLeft = Number.POSITIVE_INFINITY;
    this.#finish();
  }

  #finish(): void {
    this.onFinished?.();
    this.onFinished = undefined;
  }

  #receive(chunk: Buffer): void {
    this.#bytesLeft -= chunk.length;
    this.#activeAt = performance.now();
    if (this.#bytesLeft < 0) this.destroy();
    else if (this.#received.push(chunk) === 1) this.#inOrder(() => this.#pass());
  }

  /** Passes on all that was received, however many packets it came in. */
  #pass(): void {
    const [first, ...others] = this.#received;
    this.#received = [];
    this.push(others.length === 0 ? first : Buffer.concat([first as Buffer, ...others])) || this.socket.pause();
  }

  #inOrder(work: () => void): void {
    const isSecured = this.#bytesLeft === Number.POSITIVE_INFINITY;
    if (isSecured && this.#waiting === 0) {
      work();
      return;
    }
    this.#waiting++;
    this.#inTurn(() => {
      this.#waiting--;
      if (!this.destroyed) work();
    });
  }

  override _read(): void {
    this.socket.resume();
  }

  override _write(chunk: Buffer, _encoding: BufferEncoding, done: (error?: Error | null) => void): void {
    this.#answered();
    this.socket.write(chunk, done);
  }

  override _writev(chunks: readonly { readonly chunk: Buffer }[], done: (error?: Error | null) => void): void {
    this.#answered();
    this.socket.write(Buffer.concat(chunks.map(({ chunk }) => chunk)), done);
  }

  #answered(): void {
    this.#isAnswered = true;
    this.#activeAt = performance.now();
  }

  override _final(done: () => void): void {
    this.socket.end(done);
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    this.#finish();
    this.socket.destroy();
    done(error);
  }
}

/** Runs one task in each turn of the event loop, of each address in turn. */
class Turns {
  readonly #tasks = new Map<string, (() => void)[]>();

  add(address: string, task: () => void): void {
    const own = this.#tasks.get(address);
    if (own) own.push(task);
    else this.#tasks.set(address, [task]);
    if (!own && this.#tasks.size === 1) setImmediate(this.#run);
  }

  readonly #run = (): void => {
    const [next] = this.#tasks;
    if (!next) return;
    const [address, own] = next;
    const task = own.shift();
    this.#tasks.delete(address);
    if (own.length > 0) this.#tasks.set(address, own); // behind the other addresses
    if (this.#tasks.size > 0) setImmediate(this.#run);
    task?.();
  };
}
