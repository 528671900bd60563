import type { Logger } from '@a2c/log';
import { type Command, Redis } from 'ioredis';

/** Estimated memory of a queued message besides its text. */
const MESSAGE_OVERHEAD_BYTES = 1_024;

/**
 * The Redis client that the Socket.IO adapter publishes through. While Redis is away, messages are queued and sent late
 * rather than never, up to a limit; further messages are dropped.
 */
export class AdapterPublisher {
  readonly redis: Redis;
  readonly #maxQueuedBytes: number;
  readonly #logger: Logger;
  #queuedBytes = 0;
  #dropped = 0;

  constructor(url: string, maxQueuedBytes: number, logger: Logger) {
    this.redis = new Redis(url, { lazyConnect: true, maxRetriesPerRequest: null });
    this.#maxQueuedBytes = maxQueuedBytes;
    this.#logger = logger;
    this.redis.on('ready', () => {
      if (this.#dropped > 0) logger.error({ dropped: this.#dropped }, 'messages to other nodes were dropped');
      this.#dropped = 0;
    });
  }

  /** Whether a message published now is sent now. */
  get isOpen(): boolean {
    return this.redis.status === 'ready' && this.#queuedBytes < this.#maxQueuedBytes;
  }

  /** Resolves when Redis has the message, with the number of subscribers that it was sent to; 0 if it was dropped. */
  async publish(channel: string, message: string | Buffer): Promise<number> {
    const size = message.length + MESSAGE_OVERHEAD_BYTES;
    if (this.#queuedBytes + size > this.#maxQueuedBytes) {
      if (this.#dropped++ === 0)
        this.#logger.error({}, 'the queue for Redis is full; dropping messages to other nodes');
      return 0;
    }
    this.#queuedBytes += size;
    // Rejects only when this node closes.
    const receivers = await this.redis.publish(channel, message).catch(() => 0);
    this.#queuedBytes -= size;
    return receivers;
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
