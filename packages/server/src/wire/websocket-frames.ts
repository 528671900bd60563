import type { Socket } from 'node:net';
import type { parser } from 'engine.io';
import { OutgoingText } from './packets.js';

/** A packet of Engine.IO. Socket.IO encodes the frame of a broadcast once, for all its receivers. */
export interface EnginePacket {
  readonly type: parser.Packet['type'];
  readonly data?: unknown;
  readonly options?: { readonly wsPreEncodedFrame?: readonly Buffer[] };
}

/** Opcodes with the flag of a complete message. */
const [TEXT, BINARY] = [0x81, 0x82];
const TYPES = { open: '0', close: '1', ping: '2', pong: '3', message: '4', upgrade: '5', noop: '6', error: '' };
const MAX_HEADER_BYTES = 10;
/** Larger parts are written as they are. Smaller ones are copied into one buffer with their neighbours. */
const COPIED_BYTES = 2_048;
const SCRATCH_BYTES = 64 * 2 ** 10;

/**
 * Writes packets as WebSocket frames of a server, in as few buffers as is worth copying. Small frames are collected in
 * a buffer that is used again when it was written at once, because new large buffers are expensive.
 */
export class FrameWriter {
  #scratch = Buffer.allocUnsafeSlow(SCRATCH_BYTES);
  #used = 0;
  #chunkStart = 0;
  #chunks: Buffer[] = [];

  /** @param sent called when the last frame was written */
  write(socket: Socket, packets: readonly EnginePacket[], sent: (error?: Error | null) => void): void {
    for (const packet of packets) this.#add(packet);
    this.#endChunk();
    const chunks = this.#chunks;
    this.#chunks = [];
    this.#used = 0;
    const last = chunks.pop() ?? NOTHING;
    if (chunks.length > 0) {
      socket.cork();
      for (const chunk of chunks) socket.write(chunk);
      socket.write(last, sent);
      socket.uncork();
    } else socket.write(last, sent);
    // What was not written at once still refers to this buffer.
    if (socket.writableLength > 0) this.#scratch = Buffer.allocUnsafeSlow(SCRATCH_BYTES);
    this.#chunkStart = 0;
  }

  #add({ type, data, options }: EnginePacket): void {
    if (options?.wsPreEncodedFrame) {
      for (const part of options.wsPreEncodedFrame) this.#bytes(part);
    } else if (data instanceof OutgoingText) {
      this.#header(TEXT, data.length + 1);
      this.#ascii(`4${data.prefix}`);
      this.#bytes(data.json);
      this.#ascii(data.suffix);
    } else if (ArrayBuffer.isView(data)) {
      this.#header(BINARY, data.byteLength);
      this.#bytes(Buffer.from(data.buffer, data.byteOffset, data.byteLength));
    } else {
      const bytes = Buffer.from(`${TYPES[type]}${(data as string | undefined) ?? ''}`);
      this.#header(TEXT, bytes.length);
      this.#bytes(bytes);
    }
  }

  #ascii(text: string): void {
    if (text.length > COPIED_BYTES) this.#bytes(Buffer.from(text));
    else {
      this.#reserve(text.length);
      this.#used += this.#scratch.write(text, this.#used, 'latin1');
    }
  }

  #bytes(bytes: Buffer): void {
    if (bytes.length > COPIED_BYTES) {
      this.#endChunk();
      this.#chunks.push(bytes);
      return;
    }
    this.#reserve(bytes.length);
    this.#used += bytes.copy(this.#scratch, this.#used);
  }

  #header(opcode: number, length: number): void {
    this.#reserve(MAX_HEADER_BYTES);
    const bytes = this.#scratch;
    bytes[this.#used++] = opcode;
    if (length < 126) bytes[this.#used++] = length;
    else if (length < 2 ** 16) {
      bytes[this.#used++] = 126;
      this.#used = bytes.writeUInt16BE(length, this.#used);
    } else {
      bytes[this.#used++] = 127;
      this.#used = bytes.writeUInt32BE(Math.floor(length / 2 ** 32), this.#used);
      this.#used = bytes.writeUInt32BE(length % 2 ** 32, this.#used);
    }
  }

  #reserve(length: number): void {
    if (this.#used + length <= SCRATCH_BYTES) return;
    this.#endChunk();
    this.#scratch = Buffer.allocUnsafeSlow(SCRATCH_BYTES);
    this.#used = 0;
    this.#chunkStart = 0;
  }

  #endChunk(): void {
    if (this.#used > this.#chunkStart) this.#chunks.push(this.#scratch.subarray(this.#chunkStart, this.#used));
    this.#chunkStart = this.#used;
  }
}

const NOTHING = Buffer.alloc(0);
