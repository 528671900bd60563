import { write, writeSync } from 'node:fs';

const STDERR = 2;
/** Lines beyond this are dropped while stderr does not accept any. */
const MAX_QUEUED_BYTES = 2 ** 20;
const RETRY_MS = 50;

/**
 * Writes lines to stderr without waiting for it: a full disk, or a program that does not read, delays and ends nothing.
 * Lines that cannot be written are dropped, and their number is written when stderr works again.
 */
class StderrLines {
  #queue: string[] = [];
  #queuedBytes = 0;
  #isWriting = false;
  #lost = 0;

  constructor() {
    process.on('exit', () => this.#flush());
  }

  write(line: string): void {
    if (this.#queuedBytes + line.length > MAX_QUEUED_BYTES) {
      this.#lost++;
      return;
    }
    this.#queue.push(line);
    this.#queuedBytes += line.length;
    if (!this.#isWriting) this.#writeQueue();
  }

  #take(): string[] {
    const lines = this.#queue;
    this.#queue = [];
    this.#queuedBytes = 0;
    if (this.#lost === 0) return lines;
    return [
      `${JSON.stringify({ level: 40, time: Date.now(), lost: this.#lost, msg: 'log lines were lost' })}\n`,
      ...lines,
    ];
  }

  #writeQueue(): void {
    const reported = this.#lost;
    const lines = this.#take();
    this.#isWriting = lines.length > 0;
    if (!this.#isWriting) return;
    this.#writeBytes(Buffer.from(lines.join('')), (isWritten) => {
      this.#lost = isWritten ? this.#lost - reported : this.#lost + lines.length - (reported > 0 ? 1 : 0);
      if (this.#queue.length > 0) this.#writeQueue();
      else this.#isWriting = false;
    });
  }

  #writeBytes(bytes: Buffer, done: (isWritten: boolean) => void): void {
    write(STDERR, bytes, (error, written) => {
      if (error?.code === 'EAGAIN') setTimeout(() => this.#writeBytes(bytes, done), RETRY_MS);
      else if (error) done(false);
      else if (written < bytes.length) this.#writeBytes(bytes.subarray(written), done);
      else done(true);
    });
  }

  /** The last chance: there is no place to report a failure. */
  #flush(): void {
    const lines = this.#take();
    if (lines.length === 0) return;
    try {
      writeSync(STDERR, lines.join(''));
    } catch {}
  }
}

let shared: StderrLines | undefined;

/** The lines of all loggers of this process. */
export function stderrLines(): { write(line: string): void } {
  shared ??= new StderrLines();
  return shared;
}
