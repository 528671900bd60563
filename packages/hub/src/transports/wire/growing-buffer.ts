import { constants } from 'node:buffer';

/** Memory up to this size is kept for the next use. */
const KEPT_BYTES = 64 * 1024;
const NO_BYTES = Buffer.alloc(0);

/** Memory that can be resized: Node 20 has it, the types of ES2023 do not. */
type Memory = ArrayBuffer & { resize(bytes: number): void };
const Memory = ArrayBuffer as unknown as new (bytes: number, options: { maxByteLength: number }) => Memory;

/**
 * Collects chunks in one piece of memory that grows in place and is given back at once. A list of chunks would be in
 * memory twice when it is joined, and buffers that were replaced by larger ones until the next garbage collection.
 */
export class GrowingBuffer {
  readonly #maxBytes: number;
  #memory: Memory | undefined;
  #length = 0;

  /** The caller never appends more than `maxBytes`. */
  constructor(maxBytes: number) {
    this.#maxBytes = Math.min(maxBytes, constants.MAX_LENGTH);
  }

  get length(): number {
    return this.#length;
  }

  /** What was collected. Valid until `clear()`. */
  get bytes(): Buffer {
    return this.#memory ? Buffer.from(this.#memory, 0, this.#length) : NO_BYTES;
  }

  append(chunk: Buffer): void {
    const needed = this.#length + chunk.length;
    // Reserves addresses, not memory.
    this.#memory ??= new Memory(0, { maxByteLength: this.#maxBytes });
    const { byteLength } = this.#memory;
    // It grows in place, and only a little ahead: V8 writes zeros to all of it when it is given back.
    if (needed > byteLength) this.#memory.resize(Math.min(needed + (needed >> 4), this.#maxBytes));
    Buffer.from(this.#memory, this.#length, chunk.length).set(chunk);
    this.#length = needed;
  }

  clear(): void {
    this.#length = 0;
    if (this.#memory && this.#memory.byteLength > KEPT_BYTES) this.#memory.resize(0);
  }
}
