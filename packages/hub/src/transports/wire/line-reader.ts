import { type Envelope, EnvelopeScanner } from './envelope-scanner.js';
import { GrowingBuffer } from './growing-buffer.js';

/** Receives the lines of a `LineReader`. */
export interface LineSink {
  /**
   * One line without its line ending. The bytes are valid during the call, or until `release()`, which gives the memory
   * of a long line back.
   */
  line(bytes: Buffer, release: () => void): void;
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
 * longer one is collected in one buffer. A line over the limit is discarded while it arrives, in constant memory.
 */
export class LineReader {
  readonly #options: Required<LineReaderOptions>;
  readonly #sink: LineSink;
  readonly #collected: GrowingBuffer;
  #scanner: EnvelopeScanner | undefined;
  #half: Buffer | undefined;
  readonly #release = () => this.#collected.clear();

  constructor(options: LineReaderOptions, sink: LineSink) {
    this.#options = { ...UTF_8, ...options };
    this.#collected = new GrowingBuffer(this.#limitWithReturn);
    this.#sink = sink;
  }

  /**
   * Reads the next bytes of the stream. If `mustStop` returns true after a line, the rest of the bytes is returned;
   * push it before further ones.
   */
  push(bytes: Buffer, mustStop: () => boolean = () => false): Buffer | undefined {
    const chunk = this.#wholeUnits(bytes);
    let from = 0;
    for (let end = this.#newlineAt(chunk, 0); end >= 0; end = this.#newlineAt(chunk, from)) {
      this.#finish(chunk.subarray(from, end));
      from = end + this.#options.newline.length;
      if (from < chunk.length && mustStop()) return this.#rest(chunk.subarray(from));
    }
    if (from < chunk.length) this.#collect(chunk.subarray(from));
    return undefined;
  }

  #rest(units: Buffer): Buffer {
    const half = this.#half;
    this.#half = undefined;
    return half ? Buffer.concat([units, half]) : units;
  }

  /** The stream has ended. The last line may lack its line ending. */
  end(): void {
    if (this.#collected.length > 0 || this.#scanner) this.#finish(EMPTY);
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
    // A byte is found several times as fast as a buffer.
    if (newline.length === 1) return chunk.indexOf(newline[0] as number, from);
    let at = chunk.indexOf(newline, from);
    // In UTF-16, the bytes 0A 00 across two units are not a line feed.
    while (at > 0 && (at - from) % newline.length !== 0) at = chunk.indexOf(newline, at + 1);
    return at;
  }

  #finish(rest: Buffer): void {
    if (this.#collected.length === 0 && !this.#scanner && rest.length <= this.#limitWithReturn) {
      this.#deliver(rest);
      return;
    }
    this.#collect(rest);
    const scanner = this.#scanner;
    this.#scanner = undefined;
    if (scanner) this.#sink.oversized(scanner.envelope());
    else {
      this.#deliver(this.#collected.bytes);
      this.#collected.clear();
    }
  }

  #deliver(line: Buffer): void {
    const { carriageReturn, maxBytes, scanner } = this.#options;
    const { length } = carriageReturn;
    const isEnded =
      line[line.length - length] === carriageReturn[0] &&
      (length === 1 || line.subarray(-length).equals(carriageReturn));
    const content = isEnded ? line.subarray(0, -length) : line;
    if (content.length <= maxBytes) this.#sink.line(content, this.#release);
    else this.#sink.oversized(scanner().push(content).envelope());
  }

  #collect(piece: Buffer): void {
    if (this.#scanner) this.#scanner.push(piece);
    else if (this.#collected.length + piece.length > this.#limitWithReturn) {
      this.#scanner = this.#options.scanner().push(this.#collected.bytes).push(piece);
      this.#collected.clear();
    } else this.#collected.append(piece);
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
