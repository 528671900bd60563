import type { Socket } from 'node:net';
import { transports } from 'engine.io';
import { FrameReader, type FrameReceiver, type MessageReceiver } from './frame-reader.js';
import type { Holder, MemoryBudget } from './memory-budget.js';
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
  on(event: 'ping' | 'pong', listener: (this: WebSocketInternals) => void): void;
  on(event: 'message', listener: (this: WebSocketInternals, data: Buffer, isBinary: boolean) => void): void;
  pause(): void;
  resume(): void;
  terminate(): void;
  [TRANSPORT]?: WebSocketTransport;
}

/** Members of Engine.IO's transport: functions that each instance has. */
interface SendCallbacks {
  /** Called with the outcome of a write. */
  _onSentLast(error?: Error | null): void;
}

/** The transport of a WebSocket, for listeners that all of them share. */
const TRANSPORT = Symbol('transport');

/** Engine.IO's type of a message. */
const MESSAGE = 0x34;
const OPEN = 1;
/** Frames that are no messages: pings and pongs of WebSocket and of Engine.IO, a few in a minute. */
const CONTROL_FRAMES_PER_SECOND = 40;
/** How many answers to pings a peer may leave unread. */
const MAX_UNREAD_PONGS = 100;
/** One for all transports: it is used within one turn of the event loop. */
const WRITER = new FrameWriter();

/**
 * Engine.IO's WebSocket transport for a relay: messages stay UTF-8 in both directions, a peer that is not admitted may
 * send small messages only, and all packets of a flush leave in one write.
 */
export class WebSocketTransport extends transports.websocket implements MessageReceiver, Holder {
  /** Whose connection it is, after admission. */
  owner = '';
  heldBytes = 0;
  readonly #memory: MemoryBudget;
  readonly #socket: WebSocketInternals;
  readonly #maxBytesOfStranger: number;
  #maxBytes = 0;
  #unreadPongs = 0;
  /** A second, and the control frames in it. */
  #second = 0;
  #controlFrames = 0;

  constructor(request: Request, maxBytes: number, memory: MemoryBudget) {
    super(request);
    this.#memory = memory;
    // Not used here, and kept in memory as long as the connection.
    Object.assign(this, { _doSend: undefined, _doSendLast: undefined, _onSent: undefined });
    const socket = request.websocket as unknown as WebSocketInternals;
    this.#socket = socket;
    this.#maxBytesOfStranger = maxBytes;
    this.limit(maxBytes);
    socket[TRANSPORT] = this;
    socket.on('ping', onPing);
    socket.on('pong', onPong);
    socket.removeAllListeners('message');
    socket.on('message', onMessage);
    if (socket._receiver) new FrameReader(socket._receiver, this);
  }

  override onError(message: string, description?: unknown): void {
    super.onError(message, description as string);
    // An orderly close would read all that the peer has sent until then.
    if (this.#maxBytes === this.#maxBytesOfStranger) this.#socket.terminate();
  }

  onMessage(bytes: Buffer, from: number, to: number, isBinary: boolean): void {
    if (isBinary) this.onPacket({ type: 'message', data: bytes.subarray(from, to) });
    else if (bytes[from] === MESSAGE) {
      this.onPacket({ type: 'message', data: new IncomingText(bytes.subarray(from + 1, to)) });
    } else if (this.takesControlFrame()) this.onData(bytes.toString('utf8', from, to));
  }

  /** Control frames are small and not counted as messages, so that a flood of them would use up the CPU. */
  takesControlFrame(): boolean {
    const second = Math.floor(performance.now() / 1_000);
    if (second !== this.#second) this.#controlFrames = 0;
    this.#second = second;
    this.#controlFrames += 1;
    if (this.#controlFrames <= CONTROL_FRAMES_PER_SECOND) return true;
    this.#socket.terminate();
    return false;
  }

  /** `ws` answers each ping, and would queue the answers for a peer that does not read them. */
  countPong(): void {
    if ((this.#socket._socket?.writableLength ?? 0) === 0) this.#unreadPongs = 0;
    else if (++this.#unreadPongs > MAX_UNREAD_PONGS) this.#socket.terminate();
  }

  /** Sets the largest message. A larger one ends the connection before it is read. */
  limit(bytes: number): void {
    this.#maxBytes = bytes;
    if (this.#socket._receiver) this.#socket._receiver._maxPayload = bytes;
  }

  /** What was written and the peer has not taken yet. */
  get unsentBytes(): number {
    return this.#socket._socket?.writableLength ?? 0;
  }

  hold(bytes: number): void {
    this.#memory.set(this, bytes);
  }

  end(): void {
    this.terminate();
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
    const onSent = (this as unknown as SendCallbacks)._onSentLast;
    if (readyState !== OPEN || !socket) process.nextTick(onSent, new Error('the WebSocket is not open'));
    else {
      WRITER.write(socket, packets as readonly EnginePacket[], onSent);
      this.writable = socket.writableLength === 0;
    }
  }
}

function onPing(this: WebSocketInternals): void {
  if (this[TRANSPORT]?.takesControlFrame()) this[TRANSPORT].countPong();
}

function onPong(this: WebSocketInternals): void {
  this[TRANSPORT]?.takesControlFrame();
}

function onMessage(this: WebSocketInternals, data: Buffer, isBinary: boolean): void {
  this[TRANSPORT]?.onMessage(data, 0, data.length, isBinary);
}
