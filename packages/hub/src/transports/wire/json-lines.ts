import type { JSONRPCMessage } from '@modelcontextprotocol/client';
import type { Envelope } from './envelope-scanner.js';
import { LineReader } from './line-reader.js';
import { failure, oversizedFailure, readMessages } from './read-messages.js';
import type { TextCodec } from './text-codec.js';

export interface JsonLinesEvents {
  message(message: JSONRPCMessage): void;
  /** An answer of the transport itself, to a request that the far side made and we could not read. */
  reply(message: JSONRPCMessage): void;
  /** Every line that is not blank, as it came. */
  line?(bytes: Buffer): void;
}

/** JSON-RPC as lines of JSON, which is how it goes over pipes and stream sockets: bytes in, messages out. */
export class JsonLines {
  junkLines = 0;
  oversizedMessages = 0;
  readonly #codec: TextCodec;
  readonly #events: JsonLinesEvents;
  readonly #maxBytes: number;
  readonly #reader: LineReader;

  constructor(codec: TextCodec, maxBytes: number, events: JsonLinesEvents) {
    this.#codec = codec;
    this.#events = events;
    this.#maxBytes = maxBytes;
    const { newline, carriageReturn } = codec;
    this.#reader = new LineReader(
      { maxBytes, newline, carriageReturn, scanner: () => codec.scanner() },
      { line: (bytes) => this.#onLine(bytes), oversized: (envelope) => this.#onOversized(envelope) },
    );
  }

  push(chunk: Buffer): void {
    this.#reader.push(chunk);
  }

  end(): void {
    this.#reader.end();
  }

  encode(message: JSONRPCMessage): Buffer {
    return this.#codec.encode(JSON.stringify(message));
  }

  #onLine(bytes: Buffer): void {
    const text = this.#codec.decode(bytes);
    if (text !== undefined && isBlank(text)) return;
    this.#events.line?.(bytes);
    if (text === undefined) {
      this.#onUndecodable(bytes);
      return;
    }
    const { messages, junk } = readMessages(text);
    this.junkLines += junk;
    for (const message of messages) this.#events.message(message);
  }

  #onUndecodable(bytes: Buffer): void {
    this.junkLines += 1;
    const envelope = this.#codec.scanner().push(bytes).envelope();
    this.#fail(envelope, (id) => failure(id, 'the message is not text in the configured encoding'));
  }

  #onOversized(envelope: Envelope): void {
    this.oversizedMessages += 1;
    this.#fail(envelope, (id) => oversizedFailure(id, this.#maxBytes));
  }

  /** An id of the far side's own request may equal one of ours: such a message fails over there, not here. */
  #fail({ id, hasMethod }: Envelope, failureOf: (id: string | number) => JSONRPCMessage): void {
    if (id === undefined) return;
    if (hasMethod) this.#events.reply(failureOf(id));
    else this.#events.message(failureOf(id));
  }
}

function isBlank(text: string): boolean {
  return !/\S/.test(text);
}
