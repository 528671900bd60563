import { type Envelope, EnvelopeScanner } from './envelope-scanner.js';

/** Receives the lines of a `LineReader`. */
export interface LineSink {
  /** One line without its line ending. The buffer is not written to again. */
  line(bytes: Buffer): void;
  /** A line was over the limit and is discarded; `envelope` is its id and kind. */
  oversized(envelope: Envelope): void;
}

/** Options of a `LineReader`. The defaults are those of UTF-8. */
export interface LineReaderOptions {
  /** The maximum length of a line without its line ending. */
  readonly maxBytes: number;
  /** The line feed in this encoding: one byte, or two in UTF-16. */
  readonly newline?: Buffer;
  /** The carriage return in this encoding. */
  readonly carriageReturn?: Buffer;
  /** Reads the envelope of discarded lines. */
  readonly scanner?: () => EnvelopeScanner;
}

/**
 * Splits a byte stream into lines in linear time, whatever the chunk sizes. A line within one chunk is not copied; a
 * longer one is collected in a growing buffer. A line over the limit is discarded while it arrives, in constant memory.
 */
export class LineReader {
  readonly #options: Required<LineReaderOptions>;
  readonly #sink: LineSink;
  #collected: Buffer = EMPTY;
  #length = 0;
  #scanner: EnvelopeScanner | undefined;
  #half: Buffer | undefined;

  constructor(options: LineReaderOptions, sink: LineSink) {
    this.#options = { ...UTF_8, ...options };
    this.#sink = sink;
  }

  /** Reads the next bytes of the stream. */
  push(bytes: Buffer): void {
    const chunk = this.#wholeUnits(bytes);
    let from = 0;
    for (let end = this.#newlineAt(chunk, 0); end >= 0; end = this.#newlineAt(chunk, from)) {
      this.#finish(chunk.subarray(from, end));
      from = end + this.#options.newline.length;
    }
    if (from < chunk.length) this.#collect(chunk.subarray(from));
  }

  /** The stream has ended. The last line may lack its line ending. */
  end(): void {
    if (this.#length > 0) this.#finish(EMPTY);
  }

  /** A chunk may end in the middle of a UTF-16 unit; the first half is kept for the next chunk. */
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
    // In UTF-16, the bytes 0A 00 across two units are not a line feed.
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

const UTF_8 = {
  newline: Buffer.from('\n'),
  carriageReturn: Buffer.from('\r'),
  scanner: () => new EnvelopeScanner(),
};

const EMPTY = Buffer.alloc(0);
const FIRST_BUFFER = 16 * 1024;
