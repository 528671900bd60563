import type { Socket } from 'node:net';
import { transports } from 'engine.io';
import { TokenBucket } from '../access/rate-limit.js';
import { FrameReader, type FrameReceiver } from './frame-reader.js';
import { IncomingText } from './packets.js';
import { type EnginePacket, FrameWriter } from './websocket-frames.js';

type Request = ConstructorParameters<typeof transports.websocket>[0];
type Packets = Parameters<InstanceType<typeof transports.websocket>['send']>[0];

/** The parts of `ws` that are used below Engine.IO. */
interface WebSocketInternals {
  readonly _receiver?: FrameReceiver & { _maxPayload: number };
  readonly _socket?: Socket;
  readonly readyState: number;
  removeAllListeners(event: 'message'): void;
  on(event: 'error' | 'ping' | 'pong', listener: () => void): void;
  on(event: 'message', listener: (data: Buffer, isBinary: boolean) => void): void;
  pause(): void;
  resume(): void;
  terminate(): void;
}

/** Engine.IO's type of a message. */
const MESSAGE = 0x34;
const OPEN = 1;
/** Frames that are no messages: pings and pongs of WebSocket and of Engine.IO, a few in a minute. */
const CONTROL_FRAMES_PER_SECOND = 20;
/** How many answers to pings a peer may leave unread. */
const MAX_UNREAD_PONGS = 100;
/** One for all transports: it is used within one turn of the event loop. */
const WRITER = new FrameWriter();

/**
 * Engine.IO's WebSocket transport for a relay: messages stay UTF-8 in both directions, a peer that is not admitted may
 * send small messages only, and all packets of a flush leave in one write.
 */
export class WebSocketTransport extends transports.websocket {
  readonly #socket: WebSocketInternals;
  #maxBytes = 0;
  #unreadPongs = 0;
  readonly #controlRate = new TokenBucket(CONTROL_FRAMES_PER_SECOND);

  constructor(request: Request, maxBytes: number) {
    super(request);
    this.#socket = request.websocket as unknown as WebSocketInternals;
    this.limit(maxBytes);
    this.#socket.on('error', () => {
      // An orderly close would read all that the peer has sent until then.
      if (this.#maxBytes === maxBytes) this.#socket.terminate();
    });
    this.#socket.on('ping', () => {
      if (this.#takesControlFrame()) this.#countPong();
    });
    this.#socket.on('pong', () => this.#takesControlFrame());
    this.#socket.removeAllListeners('message');
    this.#socket.on('message', (data, isBinary) => this.#onMessage(data, 0, data.length, isBinary));
    if (this.#socket._receiver) new FrameReader(this.#socket._receiver, this.#onMessage);
  }

  readonly #onMessage = (bytes: Buffer, from: number, to: number, isBinary: boolean): void => {
    if (isBinary) this.onPacket({ type: 'message', data: bytes.subarray(from, to) });
    else if (bytes[from] === MESSAGE) {
      this.onPacket({ type: 'message', data: new IncomingText(bytes.subarray(from + 1, to)) });
    } else if (this.#takesControlFrame()) this.onData(bytes.toString('utf8', from, to));
  };

  /** Control frames are small and not counted as messages, so that a flood of them would use up the CPU. */
  #takesControlFrame(): boolean {
    if (this.#controlRate.take() === 0) return true;
    this.#socket.terminate();
    return false;
  }

  /** `ws` answers each ping, and would queue the answers for a peer that does not read them. */
  #countPong(): void {
    if ((this.#socket._socket?.writableLength ?? 0) === 0) this.#unreadPongs = 0;
    else if (++this.#unreadPongs > MAX_UNREAD_PONGS) this.#socket.terminate();
  }

  /** Sets the largest message. A larger one ends the connection before it is read. */
  limit(bytes: number): void {
    this.#maxBytes = bytes;
    if (this.#socket._receiver) this.#socket._receiver._maxPayload = bytes;
  }

  pause(): void {
    this.#socket.pause();
  }

  resume(): void {
    this.#socket.resume();
  }

  terminate(): void {
    this.#socket.terminate();
  }

  override send(packets: Packets): void {
    this.writable = false;
    const { _socket: socket, readyState } = this.#socket;
    if (readyState !== OPEN || !socket) {
      process.nextTick(this.#sent, new Error('the WebSocket is not open'));
      return;
    }
    WRITER.write(socket, packets as readonly EnginePacket[], this.#sent);
  }

  readonly #sent = (error?: Error | null): void => {
    if (error) {
      this.onError('write error', error.stack);
      return;
    }
    this.emit('drain');
    this.writable = true;
    this.emit('ready');
  };
}
