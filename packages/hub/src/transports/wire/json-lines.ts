import type { JSONRPCMessage } from '@modelcontextprotocol/client';
import type { Envelope } from './envelope-scanner.js';
import { LineReader } from './line-reader.js';
import { failure, oversizedFailure, readMessages } from './read-messages.js';
import type { TextCodec } from './text-codec.js';

export interface JsonLinesEvents {
  message(message: JSONRPCMessage): void;
  /** The transport itself answers a server request that it could not read. */
  reply(message: JSONRPCMessage): void;
  /** Every line that is not blank, unchanged. */
  line?(bytes: Buffer): void;
}

/** Decodes and encodes JSON-RPC messages as lines of JSON. */
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
      { line: (bytes, release) => this.#onLine(bytes, release), oversized: (envelope) => this.#onOversized(envelope) },
    );
  }

  /** Returns the rest of the bytes if `mustStop` returns true after a line. */
  push(chunk: Buffer, mustStop?: () => boolean): Buffer | undefined {
    return this.#reader.push(chunk, mustStop);
  }

  end(): void {
    this.#reader.end();
  }

  encode(message: JSONRPCMessage): Buffer | string {
    return this.#codec.encode(JSON.stringify(message));
  }

  #onLine(bytes: Buffer, release: () => void): void {
    if (bytes.length === 0) return;
    const text = this.#codec.decode(bytes);
    if (text !== undefined && isBlank(text)) return;
    this.#events.line?.(bytes);
    if (text === undefined) {
      this.#onUndecodable(bytes);
      return;
    }
    release();
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

  /** A server request may have the same id as a client request: answer it, and do not fail the client request. */
  #fail({ id, hasMethod }: Envelope, failureOf: (id: string | number) => JSONRPCMessage): void {
    if (id === undefined) return;
    if (hasMethod) this.#events.reply(failureOf(id));
    else this.#events.message(failureOf(id));
  }
}

function isBlank(text: string): boolean {
  return !/\S/.test(text);
}
