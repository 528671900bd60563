import type { parser } from 'engine.io';
import { OutgoingText } from './packets.js';

/** A packet of Engine.IO. Socket.IO encodes the frame of a broadcast once, for all its receivers. */
export interface EnginePacket {
  readonly type: parser.Packet['type'];
  readonly data?: unknown;
  readonly options?: { readonly wsPreEncodedFrame?: readonly Buffer[] };
}

interface Frame {
  readonly opcode: number;
  /** ASCII, or UTF-8 in buffers. */
  readonly parts: readonly (string | Buffer)[];
  readonly length: number;
}

/** Opcodes with the flag of a complete message. */
const [TEXT, BINARY] = [0x81, 0x82];
const TYPES = { open: '0', close: '1', ping: '2', pong: '3', message: '4', upgrade: '5', noop: '6', error: '' };
const MAX_HEADER_BYTES = 10;
/** Larger frames are written as they are. Smaller ones are copied into one buffer with their neighbours. */
const COPIED_BYTES = 16 * 2 ** 10;

/** Encodes packets as WebSocket frames of a server, in as few buffers as is worth copying. */
export function webSocketFrames(packets: readonly EnginePacket[]): Buffer[] {
  const chunks: Buffer[] = [];
  let small: Frame[] = [];
  const join = () => {
    if (small.length > 0) chunks.push(joined(small));
    small = [];
  };
  for (const packet of packets) {
    const encoded = packet.options?.wsPreEncodedFrame;
    const frame = encoded ? undefined : frameOf(packet);
    if (frame && frame.length <= COPIED_BYTES) {
      small.push(frame);
      continue;
    }
    join();
    if (encoded) chunks.push(...encoded);
    else if (frame) chunks.push(headerOf(frame), ...frame.parts.map((part) => Buffer.from(part as string)));
  }
  join();
  return chunks;
}

function frameOf({ type, data }: EnginePacket): Frame {
  if (data instanceof OutgoingText) {
    return { opcode: TEXT, parts: [`4${data.prefix}`, data.json, data.suffix], length: data.length + 1 };
  }
  if (ArrayBuffer.isView(data)) {
    const bytes = Buffer.from(data.buffer, data.byteOffset, data.byteLength);
    return { opcode: BINARY, parts: [bytes], length: bytes.length };
  }
  const text = Buffer.from(`${TYPES[type]}${(data as string | undefined) ?? ''}`);
  return { opcode: TEXT, parts: [text], length: text.length };
}

function joined(frames: readonly Frame[]): Buffer {
  const bytes = Buffer.allocUnsafe(frames.reduce((sum, { length }) => sum + length + MAX_HEADER_BYTES, 0));
  let at = 0;
  for (const frame of frames) {
    at = writeHeader(bytes, at, frame);
    for (const part of frame.parts) {
      at += typeof part === 'string' ? bytes.write(part, at, 'latin1') : part.copy(bytes, at);
    }
  }
  return bytes.subarray(0, at);
}

function headerOf(frame: Frame): Buffer {
  const bytes = Buffer.allocUnsafe(MAX_HEADER_BYTES);
  return bytes.subarray(0, writeHeader(bytes, 0, frame));
}

/** Returns the position after the header. */
function writeHeader(bytes: Buffer, at: number, { opcode, length }: Frame): number {
  bytes[at] = opcode;
  if (length < 126) {
    bytes[at + 1] = length;
    return at + 2;
  }
  if (length < 2 ** 16) {
    bytes[at + 1] = 126;
    return bytes.writeUInt16BE(length, at + 2);
  }
  bytes[at + 1] = 127;
  bytes.writeUInt32BE(Math.floor(length / 2 ** 32), at + 2);
  return bytes.writeUInt32BE(length % 2 ** 32, at + 6);
}
