import type { Readable, Writable } from 'node:stream';
import { LineReader } from '@a2c/hub';
import { ShortLivedMap } from '@a2c/protocol';
import type { JSONRPCMessage, RequestId, Transport } from '@modelcontextprotocol/server';
import type { ProxyLimits } from '../limits.js';
import { keyOf } from './call-dispatch.js';
import { INVALID_REQUEST, readClientMessage } from './client-message.js';
import { LISTEN_METHOD } from './subscriptions.js';
import { MAX_UNREAD_BYTES } from './unread.js';

/** Reading pauses while more than `messageBytes` wait to be written. */
export type StdioLimits = Pick<ProxyLimits, 'messageBytes' | 'drainMs' | 'paramsDepth' | 'paramsValues'>;

/**
 * The transport of one client on a pair of streams, one message per line. The SDK's own validates each message with
 * schemas that cost more than the call, and ends the connection for a message over the limit.
 */
export class StdioTransport implements Transport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: (message: JSONRPCMessage) => void;
  /** Called when the answer to a request is written. */
  onanswered?: (id: RequestId) => void;
  readonly #input: Readable;
  readonly #output: Writable;
  readonly #limits: StdioLimits;
  readonly #lines: LineReader;
  /** Requests of the client without an answer. */
  readonly #pending = new ShortLivedMap<string | number, true>();
  #drainTimer: NodeJS.Timeout | undefined;
  #isEnding = false;
  #isClosed = false;

  constructor(input: Readable, output: Writable, limits: StdioLimits) {
    const { messageBytes: maxBytes } = limits;
    this.#input = input;
    this.#output = output;
    this.#limits = limits;
    this.#lines = new LineReader(
      { maxBytes },
      {
        line: (bytes) => this.#onLine(bytes),
        oversized: ({ id, hasMethod }) => {
          const problem = `the message is larger than the limit of ${maxBytes} bytes`;
          this.#refuse({ problem, code: INVALID_REQUEST, ...(hasMethod && id !== undefined && { id }) });
        },
      },
    );
  }

  async start(): Promise<void> {
    this.#input.on('data', this.#onData);
    this.#input.on('error', this.#onFailure);
    this.#input.on('end', this.#onEnd);
    this.#input.on('close', this.#onEnd);
    this.#output.on('error', this.#onOutputEnd);
    this.#output.on('close', this.#onOutputEnd);
    this.#output.on('drain', this.#onDrain);
  }

  /** Resolves when the message is written or waits to be. */
  async send(message: JSONRPCMessage): Promise<void> {
    if (this.#isClosed) throw new Error('the connection is closed');
    const isAnswer = !('method' in message);
    if (!isAnswer && this.#output.writableLength > MAX_UNREAD_BYTES && DROPPED.has(message.method)) return;
    // The only pending request: no other answer can follow in this turn.
    const isAlone = isAnswer && this.#pending.size === 1;
    if (!isAlone) this.#uncorkSoon();
    this.#output.write(`${JSON.stringify(message)}\n`);
    if (this.#output.writableLength > this.#limits.messageBytes) this.#input.pause();
    if (isAnswer) this.#answered(message.id as RequestId);
  }

  /** The messages that one turn of the event loop causes are written at once. */
  #uncorkSoon(): void {
    if (this.#output.writableCorked > 0) return;
    this.#output.cork();
    setImmediate(() => this.#output.uncork());
  }

  async close(): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#output.uncork(); // The process may exit at once.
    clearTimeout(this.#drainTimer);
    this.#input.off('data', this.#onData);
    this.#input.off('end', this.#onEnd);
    this.#input.off('close', this.#onEnd);
    this.#output.off('drain', this.#onDrain);
    this.#output.off('close', this.#onOutputEnd);
    this.#input.pause();
    this.onclose?.();
  }

  readonly #onData = (chunk: Buffer | string) => {
    this.#lines.push(typeof chunk === 'string' ? Buffer.from(chunk) : chunk);
  };

  /** The client writes no more. It may still read the answers. */
  readonly #onEnd = () => {
    if (this.#isEnding) return;
    this.#isEnding = true;
    this.#lines.end();
    if (this.#pending.size === 0) void this.close();
    else this.#drainTimer = setTimeout(() => void this.close(), this.#limits.drainMs);
  };

  readonly #onFailure = (error: Error) => this.onerror?.(error);

  /** The client reads no more. */
  readonly #onOutputEnd = (error?: Error) => {
    if (error && !this.#isClosed) this.onerror?.(error);
    void this.close();
  };

  readonly #onDrain = () => {
    this.#input.resume();
  };

  #onLine(bytes: Buffer): void {
    const line = withoutByteOrderMark(bytes);
    if (isBlank(line)) return;
    const read = readClientMessage(line, this.#limits);
    if ('problem' in read) {
      this.#refuse(read);
      return;
    }
    const { message } = read;
    // The request for subscriptions ends with the connection.
    if ('method' in message && 'id' in message && message.method !== LISTEN_METHOD)
      this.#pending.set(keyOf(message.id), true);
    else if ('method' in message && message.method === CANCELLED) {
      // A cancelled request gets no answer.
      this.#answered(message.params?.requestId as RequestId);
    }
    this.onmessage?.(message);
  }

  #answered(id: RequestId): void {
    if (!this.#pending.remove(keyOf(id))) return;
    this.onanswered?.(id);
    if (this.#isEnding && this.#pending.size === 0) void this.close();
  }

  /** Answers a message that is no valid request, if it may be answered. */
  #refuse({ problem, code, id }: { readonly problem: string; readonly code: number; readonly id?: unknown }): void {
    this.onerror?.(new Error(problem));
    if (id === undefined) return;
    const answer = { jsonrpc: '2.0', id, error: { code, message: problem } };
    void this.send(answer as JSONRPCMessage).catch(() => {}); // the client has disconnected
  }
}

const CANCELLED = 'notifications/cancelled';

/** Not sent while the client does not read: they would fill the memory, and nothing depends on them. */
const DROPPED: ReadonlySet<string> = new Set(['notifications/progress', 'notifications/message']);

const BYTE_ORDER_MARK = Buffer.from('\ufeff');
const SPACE = 0x20;

function withoutByteOrderMark(line: Buffer): Buffer {
  const { length } = BYTE_ORDER_MARK;
  return line[0] === BYTE_ORDER_MARK[0] && line.subarray(0, length).equals(BYTE_ORDER_MARK)
    ? line.subarray(length)
    : line;
}

function isBlank(line: Buffer): boolean {
  return line.every((byte) => byte <= SPACE);
}
