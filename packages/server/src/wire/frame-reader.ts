import { isUtf8 } from 'node:buffer';
import { Writable } from 'node:stream';

/** The receiver of `ws`, as far as it is used here. */
export interface FrameReceiver {
  /** The largest message. */
  readonly _maxPayload: number;
  /** Zero between two frames. */
  readonly _state: number;
  readonly _bufferedBytes: number;
  /** The size of the fragments of a message. */
  readonly _totalPayloadLength: number;
  /** Not zero within a message of several frames. */
  readonly _fragmented: number;
  /** False after a violation and after the end. */
  readonly writable: boolean;
  /** Receives what the TCP socket has read. */
  write(chunk: Buffer): boolean;
}

export interface MessageReceiver {
  /** Receives a message: a part of the bytes. */
  onMessage(bytes: Buffer, from: number, to: number, isBinary: boolean): void;
  /** Called with the size of the message that is not complete, as far as it was received; 0 at its end. */
  hold(bytes: number): void;
}

/** What a receiver does with a chunk that no reader has read. */
const { write } = Writable.prototype as unknown as Pick<FrameReceiver, 'write'>;
/** The reader of a receiver. */
const READER = Symbol('reader');

interface ReadReceiver extends FrameReceiver {
  [READER]: FrameReader;
}

/** One function for all receivers: one for each would stay in memory. */
function writeToReader(this: FrameReceiver, chunk: Buffer): boolean {
  return (this as ReadReceiver)[READER].read(chunk);
}

/** First bytes of a frame that is a complete message. */
const [TEXT, BINARY] = [0x81, 0x82];
const MASKED = 0x80;
const MAX_HEADER_BYTES = 14;
const MASK_BYTES = new Uint8Array(4);
const MASK_WORD = new Int32Array(MASK_BYTES.buffer);

/**
 * Reads messages that consist of one frame, which is what clients of Socket.IO send. `ws` copies and unmasks byte by
 * byte, and creates several objects per frame. All else is left to it: control frames, fragments, violations.
 */
export class FrameReader {
  readonly #receiver: FrameReceiver;
  readonly #messages: MessageReceiver;
  /** A frame that is not complete, or its header, and how much of it was received. */
  #incomplete: Buffer | undefined;
  #received = 0;

  constructor(receiver: FrameReceiver, messages: MessageReceiver) {
    this.#receiver = receiver;
    this.#messages = messages;
    Object.assign(receiver, { [READER]: this, write: writeToReader });
  }

  #writeToReceiver(chunk: Buffer): boolean {
    const isReady = write.call(this.#receiver, chunk);
    this.#messages.hold(this.#receiver._totalPayloadLength + this.#receiver._bufferedBytes);
    return isReady;
  }

  read(chunk: Buffer): boolean {
    const incomplete = this.#incomplete;
    if (!incomplete) return this.#readFrames(chunk);
    const used = chunk.copy(incomplete, this.#received);
    this.#received += used;
    if (this.#received < incomplete.length) {
      this.#messages.hold(this.#received);
      return true;
    }
    this.#messages.hold(0);
    this.#incomplete = undefined;
    const isReady = this.#readFrames(incomplete);
    return used === chunk.length ? isReady : this.read(chunk.subarray(used));
  }

  #readFrames(bytes: Buffer): boolean {
    const { _state, _bufferedBytes, _fragmented, writable } = this.#receiver;
    const isBetweenMessages = _state === 0 && _bufferedBytes === 0 && _fragmented === 0;
    if (!isBetweenMessages || !writable) return this.#writeToReceiver(bytes);
    const words = new Int32Array(bytes.buffer, 0, bytes.buffer.byteLength >> 2);
    let at = 0;
    while (at < bytes.length) {
      const first = bytes[at] as number;
      if (first !== TEXT && first !== BINARY) return this.#writeToReceiver(at === 0 ? bytes : bytes.subarray(at));
      const left = bytes.length - at;
      if (left < 2) return this.#wait(bytes, at, 2);
      const short = (bytes[at + 1] as number) - MASKED;
      if (short < 0) return this.#writeToReceiver(bytes.subarray(at)); // not masked
      const headerBytes = short < 126 ? 6 : short === 126 ? 8 : MAX_HEADER_BYTES;
      if (left < headerBytes) return this.#wait(bytes, at, headerBytes);
      const length = short < 126 ? short : short === 126 ? bytes.readUInt16BE(at + 2) : readUInt64(bytes, at + 2);
      if (length > this.#receiver._maxPayload) return this.#writeToReceiver(bytes.subarray(at));
      if (left < headerBytes + length) return this.#wait(bytes, at, headerBytes + length);
      const from = at + headerBytes;
      const to = from + length;
      unmask(bytes, words, from, to);
      if (first === TEXT && !isUtf8(bytes.subarray(from, to))) {
        bytes.fill(0, from - 4, from); // the mask, which is removed
        return this.#writeToReceiver(bytes.subarray(at));
      }
      at = to;
      this.#messages.onMessage(bytes, from, to, first === BINARY);
    }
    return true;
  }

  /** Keeps the start of a frame, or of its header, until `needed` bytes of it are received. */
  #wait(bytes: Buffer, at: number, needed: number): boolean {
    this.#incomplete = Buffer.allocUnsafe(needed);
    this.#received = bytes.copy(this.#incomplete, 0, at);
    return true;
  }
}

function readUInt64(bytes: Buffer, at: number): number {
  return bytes.readUInt32BE(at) * 2 ** 32 + bytes.readUInt32BE(at + 4);
}

/** Removes the mask, which is in front of the payload. @param words the memory of `bytes` */
function unmask(bytes: Buffer, words: Int32Array, from: number, to: number): void {
  const mask = from - 4;
  const offset = bytes.byteOffset;
  let at = from;
  for (; at < to && ((offset + at) & 3) !== 0; at++) flip(bytes, at, mask + ((at - from) & 3));
  for (let i = 0; i < 4; i++) MASK_BYTES[i] = bytes[mask + ((at - from + i) & 3)] as number;
  const word = MASK_WORD[0] as number;
  const start = (offset + at) >> 2;
  const count = (to - at) >> 2;
  for (let i = start; i < start + count; i++) words[i] = (words[i] as number) ^ word;
  for (at += count * 4; at < to; at++) flip(bytes, at, mask + ((at - from) & 3));
}

function flip(bytes: Buffer, at: number, mask: number): void {
  bytes[at] = (bytes[at] as number) ^ (bytes[mask] as number);
}
