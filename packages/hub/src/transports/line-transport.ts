import type { Writable } from 'node:stream';
import type { JSONRPCMessage } from '@modelcontextprotocol/client';
import {
  CLOSED_HERE,
  type ServerTransport,
  type TransportDiagnostics,
  type TransportLimits,
} from './server-transport.js';
import { Inbox } from './wire/inbox.js';
import { LineWire } from './wire/line-wire.js';
import type { TextCodec } from './wire/text-codec.js';

/** What is common to pipes and stream sockets: lines of JSON both ways, one beginning and one end. */
export abstract class LineTransport implements ServerTransport {
  onclose?: (() => void) | undefined;
  onerror?: ((error: Error) => void) | undefined;
  onmessage?: ((message: JSONRPCMessage) => void) | undefined;

  protected readonly limits: TransportLimits;
  protected readonly wire: LineWire;
  readonly #inbox = new Inbox((message) => this.#deliver(message));
  #opening: Promise<Writable> | undefined;
  #output: Writable | undefined;
  #closing: Promise<void> | undefined;
  #ended: string | null = null;

  constructor(codec: TextCodec, limits: TransportLimits) {
    this.limits = limits;
    this.wire = new LineWire(codec, limits.messageBytes, {
      message: (message) => this.#inbox.push(message),
      reply: (message) => void this.send(message).catch((error: Error) => this.onerror?.(error)),
      line: (bytes) => this.onLine(bytes),
    });
  }

  /** Opens the way out; what comes in goes to `wire`. */
  protected abstract open(): Promise<Writable>;
  /** Ends what there is, perhaps nothing; may be called again. */
  protected abstract shut(): Promise<void>;
  protected onLine(_bytes: Buffer): void {}

  async start(): Promise<void> {
    if (this.#opening || this.#closing) throw new Error('the transport is spent: a new connection needs a new one');
    this.#opening = this.open();
    this.#output = await this.#opening;
  }

  /** Settles when the bytes are written, so that whoever waits for it does not fill our memory. */
  send(message: JSONRPCMessage): Promise<void> {
    const output = this.#output;
    if (!output || this.#ended !== null)
      return Promise.reject(new Error(this.#ended ?? 'the transport is not started'));
    return new Promise((resolve, reject) => {
      output.write(this.wire.encode(message), (error) => {
        if (error) reject(new Error(`the message could not be sent: ${this.#ended ?? error.message}`));
        else resolve();
      });
    });
  }

  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #close(): Promise<void> {
    await this.shut();
    // Closed in the middle of opening: what came of it is shut too. Whoever opens is told of its failure.
    await this.#opening?.catch(() => {});
    await this.shut();
    await this.finish(CLOSED_HERE);
  }

  /** The connection is over, once and for all; what it brought is handed on before. */
  protected async finish(how: string): Promise<void> {
    await this.#inbox.emptied();
    if (this.#ended !== null) return;
    this.#ended = how;
    this.onclose?.();
  }

  /**
   * The SDK takes a transport with `pid` and `stderr` for one of lines, where a server that does not know the question of
   * the newer generation may also stay silent, and falls back to the older one in place.
   */
  get pid(): number | null {
    return null;
  }

  get stderr(): string {
    return '';
  }

  diagnostics(): TransportDiagnostics {
    return {
      pid: this.pid,
      ended: this.#ended,
      stderr: this.stderr,
      junkLines: this.wire.junkLines,
      oversizedMessages: this.wire.oversizedMessages,
      stdoutLogError: null,
    };
  }

  /** A handler that throws must not end the reading of the rest. */
  #deliver(message: JSONRPCMessage): void {
    try {
      this.onmessage?.(message);
    } catch (error) {
      this.onerror?.(error instanceof Error ? error : new Error(String(error)));
    }
  }
}
