import type { DiscoverResult, JSONRPCMessage, RequestId } from '@modelcontextprotocol/client';
import type { LineTransport } from '../transports/line-transport.js';
import type { SendOptions, ServerTransport, TransportDiagnostics } from '../transports/server-transport.js';
import { failure } from '../transports/wire/read-messages.js';

const METHOD_NOT_FOUND = -32601;

/**
 * Lets the SDK negotiate the protocol generation on one line transport without taking silence for an answer.
 *
 * The SDK waits for the answer to `server/discover`. If there is none within `silenceMs`, this class lets it send
 * `initialize` too, because some legacy servers ignore unknown requests. The answers decide, not the time: a slow
 * server reads both requests, and a modern one answers the first and rejects the second. `discovered` is then set, the
 * handshake fails, and the connection stays open: connect a second SDK client with this answer as `prior`.
 */
export class NegotiationTransport implements ServerTransport {
  onclose?: (() => void) | undefined;
  onerror?: ((error: Error) => void) | undefined;
  onmessage?: ((message: JSONRPCMessage) => void) | undefined;

  readonly #inner: LineTransport;
  readonly #silenceMs: number | undefined;
  readonly #prefersLegacy: boolean;
  #timer: NodeJS.Timeout | undefined;
  #probe: { readonly id: RequestId; state: 'waiting' | 'silent' | 'answered' } | undefined;
  #initialize: RequestId | undefined;
  #rejection: JSONRPCMessage | undefined;
  #discovered: DiscoverResult | undefined;
  #isHandedOver = false;

  /**
   * Without `silenceMs` the probe waits for its answer, and `initialize` follows only an answer. With `prefersLegacy`,
   * `initialize` is also sent to a server that has answered as a modern one; most of them speak both.
   */
  constructor(inner: LineTransport, silenceMs: number | undefined, prefersLegacy: boolean) {
    this.#inner = inner;
    this.#silenceMs = silenceMs;
    this.#prefersLegacy = prefersLegacy;
  }

  /** The answer of a modern server that rejected `initialize`: the connection is open for a second client. */
  get discovered(): DiscoverResult | undefined {
    return this.#isHandedOver ? this.#discovered : undefined;
  }

  /** True if the server has answered as a modern one. */
  get isModern(): boolean {
    return this.#discovered !== undefined;
  }

  async start(): Promise<void> {
    if (this.#isHandedOver) return;
    this.#inner.onmessage = (message) => this.#receive(message);
    this.#inner.onerror = (error) => this.onerror?.(error);
    this.#inner.onclose = () => {
      clearTimeout(this.#timer);
      this.onclose?.();
    };
    await this.#inner.start();
  }

  send(message: JSONRPCMessage, options?: SendOptions): Promise<void> {
    if ('method' in message && 'id' in message) {
      if (message.method === 'server/discover') {
        this.#probe = { id: message.id, state: 'waiting' };
        this.#after(() => this.#endProbe());
      } else if (message.method === 'initialize' && this.#mayBeRejected) {
        this.#initialize = message.id;
        if (this.#discovered) this.#expectRejection();
      }
    }
    return this.#inner.send(message, options);
  }

  async close(): Promise<void> {
    clearTimeout(this.#timer);
    await this.#inner.close();
  }

  /** Ends the client whose handshake failed. The connection stays open. */
  #handOver(): void {
    this.#isHandedOver = true;
    const onclose = this.onclose;
    this.onclose = undefined;
    this.onmessage = undefined;
    this.onerror = undefined;
    onclose?.();
  }

  #receive(message: JSONRPCMessage): void {
    const isAnswer = !('method' in message);
    if (isAnswer && message.id === this.#probe?.id) this.#onProbeAnswer(message);
    else if (isAnswer && message.id === this.#initialize) this.#onInitializeAnswer(message);
    else this.onmessage?.(message);
  }

  #onProbeAnswer(message: JSONRPCMessage): void {
    const probe = this.#probe;
    if (!probe) return;
    const isLate = probe.state === 'silent';
    probe.state = 'answered';
    clearTimeout(this.#timer);
    if ('result' in message && Array.isArray(message.result.supportedVersions)) {
      this.#discovered = message.result as unknown as DiscoverResult;
    }
    if (!isLate && this.#discovered && this.#prefersLegacy) this.#declineProbe(probe.id);
    else if (!isLate) this.onmessage?.(message);
    else if (this.#rejection) this.#finishHandshake(this.#rejection);
    else if (this.#discovered) this.#expectRejection();
  }

  /** The server has not shown yet which generation it speaks, or speaks the modern one and is asked for the other. */
  get #mayBeRejected(): boolean {
    return this.#probe?.state === 'silent' || (this.#prefersLegacy && this.#discovered !== undefined);
  }

  /** A modern server may ignore `initialize`. */
  #expectRejection(): void {
    const id = this.#initialize;
    if (id === undefined) return;
    this.#after(() => this.#finishHandshake(failure(id, 'the server does not answer "initialize"')));
  }

  /** The answers to the two requests may come in any order. */
  #onInitializeAnswer(message: JSONRPCMessage): void {
    clearTimeout(this.#timer);
    if ('result' in message || this.#probe?.state === 'answered') this.#finishHandshake(message);
    else {
      this.#rejection = message;
      this.#after(() => this.#finishHandshake(message));
    }
  }

  #finishHandshake(message: JSONRPCMessage): void {
    this.#initialize = undefined;
    if ('error' in message && this.#discovered) this.#handOver();
    else this.onmessage?.(message);
  }

  #endProbe(): void {
    if (this.#probe?.state !== 'waiting') return;
    this.#probe.state = 'silent';
    this.#declineProbe(this.#probe.id);
  }

  /** The SDK takes an error answer for the legacy generation and sends `initialize`. */
  #declineProbe(id: RequestId): void {
    this.onmessage?.(failure(id, 'no answer of the modern generation is used', METHOD_NOT_FOUND));
  }

  #after(action: () => void): void {
    if (this.#silenceMs !== undefined) this.#timer = setTimeout(action, this.#silenceMs);
  }

  /** The SDK recognises a transport of lines by `pid` and `stderr`. */
  get pid(): number | null {
    return this.#inner.pid;
  }

  get stderr(): string {
    return this.#inner.stderr;
  }

  diagnostics(): TransportDiagnostics {
    return this.#inner.diagnostics();
  }
}
