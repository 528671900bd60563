import { isRecord, MAX_ANSWER_DEPTH, requestEvent, SMCP_NAMESPACE } from '@a2c/protocol';
import { ArrayScanner, JsonLimitError } from './json-scanner.js';
import type { Holder, MemoryBudget } from './memory-budget.js';
import { IncomingText, PACKET, type Packet } from './packets.js';
import { RawAnswer, type RawJson, RawPayload, RefusedJson, withAttachments } from './raw-json.js';

/** What a peer may send. */
export interface PacketLimits {
  /** The largest packet of an admitted peer, with its attachments. */
  readonly messageBytes: number;
  /** How long its attachments may take to arrive. */
  readonly attachmentsTimeoutMs: number;
}

/** What a peer may send before its credentials are accepted: a few connect packets. */
export const BEFORE_ADMISSION = { bytes: 64 * 2 ** 10, packets: 8 };

/** Connect packets of a transport in all. A client that reconnects opens a new transport. */
const CONNECTS_PER_TRANSPORT = 32;

/** The largest connect packet. It carries credentials, as an object with little depth. */
const CONNECT = { bytes: 32 * 2 ** 10, depth: 16 };
const MAX_ATTACHMENTS = 10;
/** Packets with attachments are decoded on arrival, so their text must be short. */
const BINARY_TEXT_BYTES = 256 * 2 ** 10;
/** A larger packet is checked in parts of this size, one per turn of the event loop. */
const SLICE_BYTES = 512 * 2 ** 10;
const MAX_DEPTH = MAX_ANSWER_DEPTH + 2;
const [MINUS, SLASH, COMMA, ZERO, NINE, OPEN_ARRAY] = [0x2d, 0x2f, 0x2c, 0x30, 0x39, 0x5b];

/** Names that Socket.IO emits on its sockets itself. */
const RESERVED = new Set(['connect', 'connect_error', 'disconnect', 'disconnecting', 'newListener', 'removeListener']);

/** The transport, as far as a decoder controls it. */
export interface DecodedTransport {
  /** Stops reading while a large packet is checked. */
  pause(): void;
  resume(): void;
  /** Ends the connection at once. */
  terminate(): void;
}

/** Receives the packets of a member, past Socket.IO, which would create several objects for each. */
export interface PacketReceiver {
  /** Whose packets these are. */
  readonly owner: string;
  /** Called with the size of each packet, before it is decoded. */
  received(bytes: number): void;
  /** @param id of the acknowledgement, if one is expected */
  event(name: string, payload: RawJson | undefined, id: number | undefined): void;
  acknowledgement(id: number | undefined, answer: RawJson): void;
}

interface Header extends Packet {
  readonly attachments: number;
  /** Where the JSON starts. */
  readonly start: number;
}

interface BinaryPacket extends Holder {
  readonly header: Header;
  readonly text: Buffer;
  readonly scanner: ArrayScanner;
  readonly buffers: Buffer[];
  readonly timeout: NodeJS.Timeout;
  bytes: number;
}

/**
 * Decodes the packets of one connection within limits. JSON is validated, but only the name of an event is decoded: see
 * {@link RawPayload} and {@link RawAnswer}. A violation of the protocol or a limit ends the connection.
 */
export class Decoder {
  readonly #limits: PacketLimits;
  readonly #transport: DecodedTransport;
  readonly #memory: MemoryBudget;
  #onDecoded: ((packet: Packet) => void) | undefined;
  #receiver: PacketReceiver | undefined;
  #bytes = 0;
  #packets = 0;
  #connects = 0;
  /** The credentials of a connect packet are being checked. */
  #isConnecting = false;
  #binary: BinaryPacket | undefined;
  /** Messages that arrived while a large packet is checked. */
  #queue: (Buffer | IncomingText)[] | undefined;
  #queuedBytes = 0;

  constructor(limits: PacketLimits, transport: DecodedTransport, memory: MemoryBudget) {
    this.#limits = limits;
    this.#transport = transport;
    this.#memory = memory;
  }

  on(_decoded: string, listener: (packet: Packet) => void): void {
    this.#onDecoded = listener;
  }

  removeListener(): void {
    this.#onDecoded = undefined;
  }

  /** Called by Socket.IO when the connection is closed. */
  destroy(): void {
    this.#endBinary();
    this.#queue = undefined;
  }

  /** The credentials are accepted: from now on, the limits of members hold. */
  admit(receiver: PacketReceiver): void {
    this.#isConnecting = false;
    this.#receiver = receiver;
  }

  /** The credentials are refused: the peer may send others. */
  refuse(): void {
    this.#isConnecting = false;
  }

  get isAdmitted(): boolean {
    return this.#receiver !== undefined;
  }

  get owner(): string {
    return this.#receiver?.owner ?? '';
  }

  /** The peer has left the namespace and may connect to it again. */
  expel(): void {
    this.#receiver = undefined;
    this.#bytes = 0;
    this.#packets = 0;
  }

  /** @throws Error for a violation, after the connection was ended; Socket.IO then frees what belongs to it */
  add(message: string | Buffer | IncomingText): void {
    const data = typeof message === 'string' ? new IncomingText(Buffer.from(message)) : message;
    try {
      if (this.#receiver) this.#receiver.received(data.length);
      else this.#checkStranger(data);
      if (this.#queue === undefined) this.#take(data);
      else this.#enqueue(data);
    } catch (error) {
      // At once: an orderly close would read all that the peer has sent until then.
      this.#transport.terminate();
      throw error;
    }
  }

  #checkStranger(data: Buffer | IncomingText): void {
    this.#bytes += data.length;
    this.#packets++;
    const isConnect = data instanceof IncomingText && data.bytes[0] === ZERO + PACKET.connect;
    if (isConnect && this.#bytes <= BEFORE_ADMISSION.bytes && this.#packets <= BEFORE_ADMISSION.packets) return;
    throw new Error('more than a connect packet before admission');
  }

  #take(data: Buffer | IncomingText): void {
    if (data instanceof IncomingText) this.#takeText(data.bytes);
    else this.#takeAttachment(data);
  }

  #takeText(text: Buffer): void {
    if (this.#binary) throw new Error('expected an attachment');
    const header = readHeader(text);
    const { type, start } = header;
    if (type === PACKET.connect) this.#takeConnect(header, text);
    else if (type === PACKET.disconnect && start === text.length) this.#emit(header, undefined);
    else if (type === PACKET.event || type === PACKET.ack) this.#takeJson(header, text);
    else throw new Error(`unexpected packet type ${type}`);
  }

  /** Socket.IO would create another session of the namespace for each connect packet. */
  #takeConnect(header: Header, text: Buffer): void {
    if (++this.#connects > CONNECTS_PER_TRANSPORT) throw new Error('too many connect packets');
    const data = connectData(text, header.start);
    if (header.nsp === SMCP_NAMESPACE) {
      if (this.#isConnecting || this.#receiver) throw new Error('connected already');
      this.#isConnecting = true;
    }
    this.#emit(header, data);
  }

  #takeJson(header: Header, text: Buffer): void {
    if (header.attachments > 0 && text.length > BINARY_TEXT_BYTES) throw new Error('too much text with attachments');
    const scanner = new ArrayScanner(text, header.start, MAX_DEPTH, header.type === PACKET.event);
    const slice = text.length > SLICE_BYTES ? SLICE_BYTES : Number.POSITIVE_INFINITY;
    if (this.#scan(header, text, scanner, slice)) return;
    this.#queue = [];
    this.#transport.pause();
    setImmediate(() => this.#continue(header, text, scanner));
  }

  /** @returns false if the packet is not checked completely yet */
  #scan(header: Header, text: Buffer, scanner: ArrayScanner, slice: number): boolean {
    try {
      if (!scanner.run(slice)) return false;
    } catch (error) {
      if (!(error instanceof JsonLimitError) || header.attachments > 0) throw error;
      this.#pass(header, text, scanner, new RefusedJson(error.message));
      return true;
    }
    if (header.attachments > 0) this.#startBinary(header, text, scanner);
    else this.#complete(header, text, scanner, []);
    return true;
  }

  #continue(header: Header, text: Buffer, scanner: ArrayScanner): void {
    if (this.#queue === undefined) return; // closed
    try {
      if (!this.#scan(header, text, scanner, SLICE_BYTES)) {
        setImmediate(() => this.#continue(header, text, scanner));
        return;
      }
      this.#takeQueued();
    } catch {
      this.#transport.terminate();
    }
  }

  #takeQueued(): void {
    const queued = this.#queue ?? [];
    this.#queue = undefined;
    this.#queuedBytes = 0;
    this.#transport.resume();
    for (const data of queued) this.add(data);
  }

  #enqueue(data: Buffer | IncomingText): void {
    this.#queuedBytes += data.length;
    if (this.#queuedBytes > this.#limits.messageBytes) throw new Error('too many large packets at once');
    this.#queue?.push(data);
  }

  #startBinary(header: Header, text: Buffer, scanner: ArrayScanner): void {
    const timeout = setTimeout(() => this.#transport.terminate(), this.#limits.attachmentsTimeoutMs).unref();
    const holder = { owner: this.owner, heldBytes: 0, end: () => this.#transport.terminate() };
    this.#binary = { ...holder, header, text, scanner, buffers: [], timeout, bytes: text.length };
  }

  #takeAttachment(data: Buffer): void {
    const binary = this.#binary;
    if (!binary) throw new Error('unexpected attachment');
    binary.bytes += data.length;
    if (binary.bytes > this.#limits.messageBytes) throw new Error('attachments are too large');
    binary.buffers.push(data);
    this.#memory.set(binary, binary.bytes);
    const { header, text, scanner, buffers } = binary;
    if (buffers.length < header.attachments) return;
    this.#endBinary();
    // A placeholder without attachment would make the next peer close its connection.
    withAttachments(JSON.parse(text.toString('utf8', header.start)), buffers);
    this.#complete(header, text, scanner, buffers);
  }

  #endBinary(): void {
    if (!this.#binary) return;
    clearTimeout(this.#binary.timeout);
    this.#memory.set(this.#binary, 0);
    this.#binary = undefined;
  }

  #complete(header: Header, text: Buffer, scanner: ArrayScanner, attachments: readonly Buffer[]): void {
    if (header.type === PACKET.ack) {
      this.#pass(header, text, scanner, RawAnswer.scanned(text, header.start, attachments, scanner));
    } else {
      const payload = scanner.count === 1 ? undefined : new RawPayload(text, attachments, scanner);
      this.#pass(header, text, scanner, payload);
    }
  }

  #pass({ type, nsp, id }: Header, text: Buffer, scanner: ArrayScanner, json: RawJson | undefined): void {
    if (nsp !== SMCP_NAMESPACE) throw new Error('unknown namespace');
    if (type === PACKET.ack) this.#receiver?.acknowledgement(id, json as RawJson);
    else this.#receiver?.event(eventName(text, scanner), json, id);
  }

  #emit({ type, nsp, id }: Header, data: unknown): void {
    this.#onDecoded?.({ type, nsp, id, data });
  }
}

/** Reads `<type>[<attachments>-][/<namespace>,][<id>]`. */
function readHeader(text: Buffer): Header {
  const type = (text[0] as number) - ZERO;
  let at = 1;
  let attachments = 0;
  const isBinary = type === PACKET.binaryEvent || type === PACKET.binaryAck;
  if (isBinary) {
    const end = endOfDigits(text, at);
    attachments = Number(text.toString('latin1', at, end));
    if (text[end] !== MINUS || attachments < 1) throw new Error('illegal attachments');
    if (attachments > MAX_ATTACHMENTS) throw new Error('too many attachments');
    at = end + 1;
  }
  let nsp = '/';
  if (text[at] === SLASH) {
    const comma = text.subarray(at, at + 256).indexOf(COMMA);
    const end = comma < 0 ? text.length : at + comma;
    if (end - at > 256) throw new Error('the name of the namespace is too long');
    nsp = text.toString('utf8', at, end);
    at = Math.min(end + 1, text.length);
  }
  const start = endOfDigits(text, at);
  const id = start === at ? undefined : Number(text.toString('latin1', at, start));
  return { type: isBinary ? type - 3 : type, nsp, id, attachments, start };
}

function endOfDigits(text: Buffer, from: number): number {
  let at = from;
  while (at - from < 16 && (text[at] as number) >= ZERO && (text[at] as number) <= NINE) at++;
  return at;
}

/** The credentials of a connect packet. */
function connectData(text: Buffer, start: number): Record<string, unknown> | undefined {
  if (text.length > CONNECT.bytes) throw new Error('the connect packet is too large');
  if (start === text.length) return undefined;
  new ArrayScanner(
    Buffer.concat([Buffer.of(OPEN_ARRAY), text.subarray(start), Buffer.from(']')]),
    0,
    CONNECT.depth,
    false,
  ).run(CONNECT.bytes * 2);
  const data: unknown = JSON.parse(text.toString('utf8', start));
  if (!isRecord(data)) throw new Error('expected an object in the connect packet');
  return data;
}

/** A longer name is not decoded: it is unknown. */
const MAX_NAME_BYTES = 1_024;

function eventName(text: Buffer, { elements }: ArrayScanner): string {
  const [start, end] = elements;
  if (start === undefined || end === undefined) throw new Error('expected the name of an event');
  if (end - start > MAX_NAME_BYTES) return text.toString('latin1', start, start + MAX_NAME_BYTES);
  const written = text.toString('latin1', start + 1, end - 1);
  if (requestEvent(written)) return written;
  const name: unknown = JSON.parse(text.toString('utf8', start, end));
  if (typeof name !== 'string' && typeof name !== 'number') throw new Error('expected the name of an event');
  if (RESERVED.has(String(name))) throw new Error('reserved event');
  return String(name);
}
