import type { Readable, Writable } from 'node:stream';
import type { EncodingErrorHandler } from '@a2c/config';
import { type JSONRPCMessage, SdkError, SdkErrorCode } from '@modelcontextprotocol/client';
import { TurnBudget } from '../turn-budget.js';
import {
  CLOSED_BY_CLIENT,
  NOT_READ,
  type SendOptions,
  type ServerTransport,
  type TransportDiagnostics,
  type TransportLimits,
} from './server-transport.js';
import { Inbox } from './wire/inbox.js';
import { JsonLines } from './wire/json-lines.js';
import { type TextCodec, textCodec } from './wire/text-codec.js';

/** The encoding of the lines; UTF-8 by default. */
export interface LineEncoding {
  /** A label of the Encoding Standard, such as `gbk`. */
  readonly encoding: string;
  /** What happens to bytes that are not text in this encoding. */
  readonly errors: EncodingErrorHandler;
}

/** Estimated memory of a message that is not sent yet, besides its bytes: the SDK keeps the request that it answers. */
const UNSENT_MESSAGE_BYTES = 16 * 1_024;

/** What may be unsent in any case, also if messages are limited to fewer bytes: many may be sent at the same time. */
const MIN_UNSENT_BYTES = 4 * 2 ** 20;

/** Base class of transports that send JSON-RPC messages as lines over a byte stream, such as pipes and sockets. */
export abstract class LineTransport implements ServerTransport {
  /** Called when the connection has ended. */
  onclose?: (() => void) | undefined;
  /** Called with errors that do not end the connection. */
  onerror?: ((error: Error) => void) | undefined;
  /** Called with every incoming message. */
  onmessage?: ((message: JSONRPCMessage) => void) | undefined;

  protected readonly limits: TransportLimits;
  readonly #codec: TextCodec;
  readonly #lines: JsonLines;
  readonly #inbox = new Inbox((message) => this.#deliver(message));
  readonly #budget = new TurnBudget();
  readonly #mustStop = () => this.#inbox.isBusy || this.#budget.isSpent();
  #input: Readable | undefined;
  /** Bytes to read later; undefined if all are read. */
  #unread: Buffer[] | undefined;
  #reading: Promise<void> | undefined;
  #opening: Promise<Writable> | undefined;
  #output: Writable | undefined;
  #unsentBytes = 0;
  #closing: Promise<void> | undefined;
  #ended: string | null = null;

  constructor(limits: TransportLimits, { encoding, errors }: LineEncoding = { encoding: 'utf-8', errors: 'strict' }) {
    this.limits = limits;
    this.#codec = textCodec(encoding, errors);
    this.#lines = new JsonLines(this.#codec, limits.messageBytes, {
      message: (message) => this.#inbox.push(message),
      reply: (message) => void this.send(message).catch((error: Error) => this.onerror?.(error)),
      line: (bytes) => this.onLine(bytes, this.#codec.newline),
    });
  }

  /** Opens the connection and returns its output. Pass its input to `read`. */
  protected abstract open(): Promise<Writable>;

  /** Ends the connection if it is open. May be called several times. */
  protected abstract shut(): Promise<void>;

  /** Called with every line that is not blank. */
  protected onLine(_bytes: Buffer, _newline: Buffer): void {}

  /** Reads incoming bytes. */
  protected read(input: Readable): void {
    this.#input = input;
    input.on('data', (chunk: Buffer) => this.#receive(chunk));
  }

  #receive(chunk: Buffer): void {
    if (this.#unread) {
      this.#unread.push(chunk);
      this.#input?.pause();
      return;
    }
    this.#budget.begin();
    const rest = this.#inbox.isBusy ? chunk : this.#lines.push(chunk, this.#mustStop);
    if (rest) {
      this.#unread = [rest];
      this.#reading = this.#readOn(this.#unread);
    } else this.#budget.end();
  }

  /** Reads the rest after the notification that is being handled, or in the next turn of the event loop. */
  async #readOn(unread: Buffer[]): Promise<void> {
    for (let chunk = unread.shift(); chunk; chunk = unread.shift()) {
      await this.#inbox.emptied();
      if (this.#budget.isSpent()) {
        this.#input?.pause();
        await this.#budget.nextTurn();
      }
      const rest = this.#lines.push(chunk, this.#mustStop);
      if (rest) unread.unshift(rest);
    }
    this.#budget.end();
    this.#unread = undefined;
    this.#input?.resume();
  }

  /** The input has ended: its last line may lack the line feed. */
  protected async receiveEnd(): Promise<void> {
    await this.#reading;
    this.#lines.end();
  }

  /** Opens the connection. A transport can be started once. */
  async start(): Promise<void> {
    if (this.#opening || this.#closing) throw new Error('a transport can be started once; create a new one');
    this.#opening = this.open();
    this.#output = await this.#opening;
  }

  /**
   * Resolves when the bytes are written, so that callers can apply backpressure. Rejects while much is unsent: a server
   * that sends requests and does not read the answers would fill the memory.
   */
  send(message: JSONRPCMessage, { isAlone = false }: SendOptions = {}): Promise<void> {
    const output = this.#output;
    if (!output || this.#ended !== null) {
      return Promise.reject(new SdkError(SdkErrorCode.NotConnected, this.#ended ?? 'the transport is not started'));
    }
    if (this.#unsentBytes > Math.max(MIN_UNSENT_BYTES, this.limits.messageBytes)) {
      return Promise.reject(new SdkError(SdkErrorCode.SendFailed, NOT_READ));
    }
    return new Promise((resolve, reject) => {
      const bytes = this.#lines.encode(message);
      const size = bytes.length + UNSENT_MESSAGE_BYTES;
      this.#unsentBytes += size;
      if (!isAlone) this.#uncorkSoon(output);
      output.write(bytes, (error) => {
        this.#unsentBytes -= size;
        if (!error) resolve();
        else void this.#sendFailure(error).then(reject);
      });
    });
  }

  /** The messages that one turn of the event loop causes are written at once. */
  #uncorkSoon(output: Writable): void {
    if (output.writableCorked > 0) return;
    output.cork();
    setImmediate(() => output.uncork());
  }

  /** A failed write usually means that the other side has ended. How it ended is the better message. */
  async #sendFailure(error: Error): Promise<SdkError> {
    await this.endingWithin(this.limits.stopGraceMs);
    const reason = `the message could not be sent: ${this.#ended ?? error.message}`;
    return new SdkError(SdkErrorCode.SendFailed, reason, undefined, { cause: error });
  }

  /** Resolves when the end of the connection is known, or after the time. */
  protected async endingWithin(_ms: number): Promise<void> {}

  /** Ends the connection. */
  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #close(): Promise<void> {
    await this.shut();
    // Closed during the opening: shut what was opened meanwhile. `start()` reports its error.
    await this.#opening?.catch(() => {});
    await this.shut();
    await this.finish(CLOSED_BY_CLIENT);
  }

  /** The connection has ended; `how` is shown in diagnostics. The messages received before are delivered first. */
  protected async finish(how: string): Promise<void> {
    await this.receiveEnd();
    await this.#inbox.emptied();
    if (this.#ended !== null) return;
    this.#ended = how;
    this.onclose?.();
  }

  /**
   * The SDK recognises a transport of lines by `pid` and `stderr`: there a server that does not answer the probe of the
   * modern generation is used in the legacy generation on the same connection.
   */
  get pid(): number | null {
    return null;
  }

  /** The last lines that a child process wrote to stderr. */
  get stderr(): string {
    return '';
  }

  /** The state of the connection. */
  diagnostics(): TransportDiagnostics {
    return {
      pid: this.pid,
      ended: this.#ended,
      stderr: this.stderr,
      junkLines: this.#lines.junkLines,
      oversizedMessages: this.#lines.oversizedMessages,
      stdoutLogError: null,
    };
  }

  /** A handler that throws must not stop the delivery of further messages. */
  #deliver(message: JSONRPCMessage): void {
    try {
      this.onmessage?.(message);
    } catch (error) {
      this.onerror?.(error instanceof Error ? error : new Error(String(error)));
    }
  }
}
