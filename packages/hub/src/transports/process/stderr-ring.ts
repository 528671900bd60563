const LINE_FEED = 0x0a;

/** The last bytes that a child wrote to stderr. It is always read: a child blocks when its stderr is full. */
export class StderrRing {
  readonly #size: number;
  #bytes: Buffer | undefined;
  #written = 0;

  constructor(size: number) {
    this.#size = size;
  }

  push(chunk: Buffer): void {
    if (this.#size === 0) return;
    this.#bytes ??= Buffer.alloc(this.#size);
    const tail = chunk.subarray(-this.#size);
    this.#written += chunk.length - tail.length;
    const at = this.#written % this.#size;
    const fitting = tail.subarray(0, this.#size - at);
    fitting.copy(this.#bytes, at);
    tail.copy(this.#bytes, 0, fitting.length);
    this.#written += tail.length;
  }

  /** The text from the start of a line; of a single line from its first blank: half a word may be half a secret. */
  text(): string {
    if (!this.#bytes) return '';
    if (this.#written <= this.#size) return this.#bytes.toString('utf8', 0, this.#written);
    const at = this.#written % this.#size;
    const bytes = Buffer.concat([this.#bytes.subarray(at), this.#bytes.subarray(0, at)]);
    const firstLineEnd = bytes.indexOf(LINE_FEED);
    if (firstLineEnd >= 0 && firstLineEnd < bytes.length - 1) return bytes.toString('utf8', firstLineEnd + 1);
    return bytes.toString('utf8').replace(/^\S*/, '…');
  }
}
