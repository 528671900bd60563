import type { Logger } from '@a2c/log';
import { type Command, Redis } from 'ioredis';
import { REDIS_TIMEOUT_MS } from './cluster-state.js';
import { isReply } from './redis-errors.js';

/** Estimated memory of a queued message besides its text. */
const MESSAGE_OVERHEAD_BYTES = 1_024;

interface Message {
  readonly channel: string;
  readonly content: string | Buffer;
}

/**
 * The number of subscribers that Redis has sent a message to. `unsent`: Redis does not have it. `unconfirmed`: the
 * connection was lost before Redis confirmed it, so the subscribers may have it.
 */
export type Delivery = number | 'unsent' | 'unconfirmed';

/**
 * The Redis client that publishes to other nodes. A connection that is silent is replaced. The client does not send
 * again what was not confirmed: Redis may have executed it, so that a call would run twice.
 */
export class AdapterPublisher {
  readonly redis: Redis;
  readonly #maxQueuedBytes: number;
  readonly #logger: Logger;
  /** Messages that wait for a connection, or for the end of this turn of the event loop, in their order. */
  #waiting: Message[] = [];
  #queuedBytes = 0;
  #dropped = 0;

  constructor(url: string, maxQueuedBytes: number, logger: Logger) {
    this.redis = new Redis(url, {
      lazyConnect: true,
      enableOfflineQueue: false,
      maxRetriesPerRequest: 0,
      socketTimeout: REDIS_TIMEOUT_MS,
    });
    this.#maxQueuedBytes = maxQueuedBytes;
    this.#logger = logger;
    this.redis.on('ready', () => {
      if (this.#dropped > 0) logger.error({ dropped: this.#dropped }, 'messages to other nodes were dropped');
      this.#dropped = 0;
      this.#sendWaiting();
    });
  }

  /** Whether a message published now is sent now. */
  get isOpen(): boolean {
    return this.#isConnected && this.#queuedBytes < this.#maxQueuedBytes;
  }

  get #isConnected(): boolean {
    return this.redis.status === 'ready';
  }

  /**
   * Publishes a message that may arrive late or twice, as a notification. While Redis is away, it is queued and sent
   * late rather than never, up to a limit; further messages are dropped. All of one turn are sent in one write: a node
   * that is lost causes several for each of its members.
   */
  publish(channel: string, content: string | Buffer): void {
    const message = { channel, content };
    if (!this.#reserve(message)) return;
    if (this.#waiting.push(message) === 1) setImmediate(() => this.#sendWaiting());
  }

  /** Publishes a message now or not at all. Resolves when it is known whether Redis has it. */
  async publishOnce(channel: string, content: Buffer): Promise<Delivery> {
    const message = { channel, content };
    if (!this.isOpen || !this.#reserve(message)) return 'unsent';
    this.#sendWaiting(); // messages keep their order
    try {
      return await this.redis.publish(channel, content);
    } catch (error) {
      return isReply(error) ? 'unsent' : 'unconfirmed';
    } finally {
      this.#free(message);
    }
  }

  #sendWaiting(): void {
    const messages = this.#waiting;
    if (!this.#isConnected || messages.length === 0) return;
    this.#waiting = [];
    const { stream } = this.redis;
    stream.cork();
    for (const message of messages) {
      this.redis.publish(message.channel, message.content).then(
        () => this.#free(message),
        (error) => this.#failed(message, error),
      );
    }
    stream.uncork();
  }

  /** Messages that were lost with their connection fail in the order in which they were sent. */
  #failed(message: Message, error: unknown): void {
    if (isReply(error)) {
      this.#free(message);
      this.#drop('Redis refuses messages to other nodes');
    } else this.#waiting.push(message);
  }

  #reserve({ content }: Message): boolean {
    const bytes = content.length + MESSAGE_OVERHEAD_BYTES;
    if (this.#queuedBytes + bytes > this.#maxQueuedBytes) {
      this.#drop('the queue for Redis is full; dropping messages to other nodes');
      return false;
    }
    this.#queuedBytes += bytes;
    return true;
  }

  #free({ content }: Message): void {
    this.#queuedBytes -= content.length + MESSAGE_OVERHEAD_BYTES;
  }

  #drop(reason: string): void {
    if (this.#dropped++ === 0) this.#logger.error({}, reason);
  }

  // The adapter would listen for errors of its client; RedisCluster does that for all clients.
  on(): void {}
  off(): void {}
}

/**
 * The Redis client that the Socket.IO adapter subscribes with. The adapter ignores the promises of its commands; those
 * that are pending when the node closes reject, which must not end the process as an unhandled rejection.
 */
export class AdapterSubscriber extends Redis {
  /** Called with the error of a message that is none of a node. */
  onInvalidMessage: (error: Error) => void = () => {};

  /**
   * Another program can publish on the channels of the nodes. What it publishes must not end the process. The listeners
   * of the adapter are async functions.
   */
  override emit(event: string | symbol, ...args: unknown[]): boolean {
    if (event !== 'messageBuffer' && event !== 'pmessageBuffer') return super.emit(event, ...args);
    const listeners = this.rawListeners(event);
    for (const listener of listeners) {
      // Runs it at once: messages keep their order.
      const handled = new Promise((resolve) => resolve(listener.apply(this, args)));
      handled.catch((error: Error) => this.onInvalidMessage(error));
    }
    return listeners.length > 0;
  }

  override sendCommand(command: Command): unknown {
    const sent = super.sendCommand(command) as Promise<unknown>;
    sent.catch(() => {});
    return sent;
  }
}
