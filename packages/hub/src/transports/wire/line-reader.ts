import type { Envelope, EnvelopeScanner } from './envelope-scanner.js';

export interface LineSink {
  /** One line without its ending; a view of the chunk it came in, or a buffer of its own. Nobody writes there again. */
  line(bytes: Buffer): void;
  /** A line over the limit has gone by; `envelope` is what could be learnt of it. */
  oversized(envelope: Envelope): void;
}

export interface LineReaderOptions {
  /** Bytes of a line, its ending not counted. */
  readonly maxBytes: number;
  /** How the encoding writes a line feed: one byte, or the two of UTF-16. */
  readonly newline: Buffer;
  readonly carriageReturn: Buffer;
  /** For a look at what is discarded. */
  readonly scanner: () => EnvelopeScanner;
}

/**
 * Splits a stream into lines in linear time, however it is cut into chunks: a line inside one chunk is not copied, a longer
 * one is collected in a buffer that doubles. A line over the limit is discarded as it arrives, in constant memory.
 */
export class LineReader {
  readonly #options: LineReaderOptions;
  readonly #sink: LineSink;
  #collected: Buffer = EMPTY;
  #length = 0;
  #scanner: EnvelopeScanner | undefined;
  #half: Buffer | undefined;

  constructor(options: LineReaderOptions, sink: LineSink) {
    this.#options = options;
    this.#sink = sink;
  }

  push(bytes: Buffer): void {
    const chunk = this.#wholeUnits(bytes);
    let from = 0;
    for (let end = this.#newlineAt(chunk, 0); end >= 0; end = this.#newlineAt(chunk, from)) {
      this.#finish(chunk.subarray(from, end));
      from = end + this.#options.newline.length;
    }
    if (from < chunk.length) this.#collect(chunk.subarray(from));
  }

  /** The stream has ended; a last line may lack its ending. */
  end(): void {
    if (this.#length > 0) this.#finish(EMPTY);
  }

  /** UTF-16 may be cut in the middle of a unit; its first half waits for the second. */
  #wholeUnits(bytes: Buffer): Buffer {
    const unit = this.#options.newline.length;
    if (unit === 1) return bytes;
    const chunk = this.#half ? Buffer.concat([this.#half, bytes]) : bytes;
    const whole = chunk.length - (chunk.length % unit);
    this.#half = whole < chunk.length ? chunk.subarray(whole) : undefined;
    return chunk.subarray(0, whole);
  }

  #newlineAt(chunk: Buffer, from: number): number {
    const { newline } = this.#options;
    let at = chunk.indexOf(newline, from);
    // 0A 00 across two units of UTF-16 is no line feed.
    while (at > 0 && (at - from) % newline.length !== 0) at = chunk.indexOf(newline, at + 1);
    return at;
  }

  #finish(rest: Buffer): void {
    if (this.#length === 0 && rest.length <= this.#limitWithReturn) this.#deliver(rest);
    else {
      this.#collect(rest);
      const scanner = this.#scanner;
      if (scanner) this.#sink.oversized(scanner.envelope());
      else this.#deliver(this.#collected.subarray(0, this.#length));
    }
    this.#collected = EMPTY;
    this.#length = 0;
    this.#scanner = undefined;
  }

  #deliver(line: Buffer): void {
    const { carriageReturn, maxBytes, scanner } = this.#options;
    const ended = line.subarray(-carriageReturn.length).equals(carriageReturn);
    const content = ended ? line.subarray(0, -carriageReturn.length) : line;
    if (content.length <= maxBytes) this.#sink.line(content);
    else this.#sink.oversized(scanner().push(content).envelope());
  }

  #collect(piece: Buffer): void {
    const needed = this.#length + piece.length;
    if (this.#scanner) this.#scanner.push(piece);
    else if (needed > this.#limitWithReturn) {
      this.#scanner = this.#options.scanner().push(this.#collected.subarray(0, this.#length)).push(piece);
      this.#collected = EMPTY;
    } else {
      if (needed > this.#collected.length) this.#grow(needed);
      piece.copy(this.#collected, this.#length);
    }
    this.#length = needed;
  }

  #grow(needed: number): void {
    const larger = Buffer.allocUnsafeSlow(Math.min(Math.max(needed * 2, FIRST_BUFFER), this.#limitWithReturn));
    this.#collected.copy(larger, 0, 0, this.#length);
    this.#collected = larger;
  }

  get #limitWithReturn(): number {
    return this.#options.maxBytes + this.#options.carriageReturn.length;
  }
}

const EMPTY = Buffer.alloc(0);
const FIRST_BUFFER = 16 * 1024;
