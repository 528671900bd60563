import type { Readable, Writable } from 'node:stream';
import type { EncodingErrorHandler } from '@a2c/config';
import {
  type JSONRPCMessage,
  type JSONRPCRequest,
  type RequestId,
  SdkError,
  SdkErrorCode,
} from '@modelcontextprotocol/client';
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

/**
 * While more is unsent, requests wait. This much may be unsent in any case, also if messages are limited to fewer
 * bytes: many may be sent at the same time.
 */
const MIN_UNSENT_BYTES = 4 * 2 ** 20;

/** A server that reads no message for so long while requests wait does not read any more. */
const UNREAD_MS = 30_000;

/** A request that waits until earlier messages are written. */
interface WaitingRequest {
  readonly message: JSONRPCMessage;
  readonly resolve: () => void;
  readonly reject: (error: Error) => void;
}

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
  readonly #inbox = new Inbox(
    (message) => this.onmessage?.(message),
    (error) => this.onerror?.(error),
  );
  readonly #budget = new TurnBudget();
  readonly #mustStop = () => this.#inbox.isBusy || this.#budget.isSpent();
  #input: Readable | undefined;
  /** Bytes to read later; undefined if all are read. */
  #unread: Buffer[] | undefined;
  #reading: Promise<void> | undefined;
  #opening: Promise<Writable> | undefined;
  #output: Writable | undefined;
  #unsentBytes = 0;
  /** In the order of their arrival. There are none unless more than `MIN_UNSENT_BYTES` are unsent. */
  readonly #waiting = new Map<RequestId, WaitingRequest>();
  /** Runs since a request had to wait, or a message was written, until little is unsent. */
  #unreadTimer: NodeJS.Timeout | undefined;
  #isUnread = false;
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
   * Resolves when the bytes are written, so that callers can apply backpressure. While much is unsent, a request waits,
   * for a server may be slow; a request that is cancelled meanwhile is not sent. Other messages are rejected: a server
   * that sends requests and does not read the answers would fill the memory.
   */
  send(message: JSONRPCMessage, { isAlone = false }: SendOptions = {}): Promise<void> {
    const output = this.#output;
    if (!output || this.#ended !== null) {
      return Promise.reject(new SdkError(SdkErrorCode.NotConnected, this.#ended ?? 'the transport is not started'));
    }
    if (this.#unsentBytes > MIN_UNSENT_BYTES) {
      if ('method' in message && 'id' in message) return this.#sendLater(message);
      if (this.#withdraw(message)) return Promise.resolve();
      if (this.#unsentBytes > this.limits.messageBytes) return Promise.reject(notRead());
    }
    return this.#write(output, message, isAlone);
  }

  #write(output: Writable, message: JSONRPCMessage, isAlone: boolean): Promise<void> {
    return new Promise((resolve, reject) => {
      const bytes = this.#lines.encode(message);
      const size = bytes.length + UNSENT_MESSAGE_BYTES;
      this.#unsentBytes += size;
      if (!isAlone) this.#uncorkSoon(output);
      output.write(bytes, (error) => {
        this.#unsentBytes -= size;
        if (this.#unreadTimer) this.#onWritten(output);
        if (!error) resolve();
        else void this.#sendFailure(error).then(reject);
      });
    });
  }

  #sendLater(message: JSONRPCRequest): Promise<void> {
    if (this.#isUnread) return Promise.reject(notRead());
    this.#unreadTimer ??= setTimeout(() => this.#onUnread(), UNREAD_MS);
    return new Promise((resolve, reject) => this.#waiting.set(message.id, { message, resolve, reject }));
  }

  /** Drops the waiting request that a notification cancels. Returns false if there is none. */
  #withdraw(message: JSONRPCMessage): boolean {
    if (!('method' in message) || message.method !== 'notifications/cancelled') return false;
    const id = message.params?.requestId as RequestId;
    this.#waiting.get(id)?.resolve();
    return this.#waiting.delete(id);
  }

  /** The server has read a message: sends the requests for which there is room now. */
  #onWritten(output: Writable): void {
    this.#isUnread = false;
    for (const [id, { message, resolve, reject }] of this.#waiting) {
      if (this.#unsentBytes > MIN_UNSENT_BYTES) break;
      this.#waiting.delete(id);
      this.#write(output, message, false).then(resolve, reject);
    }
    if (this.#unsentBytes > MIN_UNSENT_BYTES) this.#unreadTimer?.refresh();
    else this.#stopUnreadTimer();
  }

  #onUnread(): void {
    this.#isUnread = true;
    this.#failWaiting(notRead());
  }

  #failWaiting(error: Error): void {
    for (const { reject } of this.#waiting.values()) reject(error);
    this.#waiting.clear();
  }

  #stopUnreadTimer(): void {
    clearTimeout(this.#unreadTimer);
    this.#unreadTimer = undefined;
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
    this.#stopUnreadTimer();
    this.#failWaiting(new SdkError(SdkErrorCode.NotConnected, how));
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
}

function notRead(): SdkError {
  return new SdkError(SdkErrorCode.SendFailed, NOT_READ);
}
