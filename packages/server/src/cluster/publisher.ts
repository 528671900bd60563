import type { Logger } from '@a2c/log';
import type { Redis } from 'ioredis';

/** What a waiting message costs beside its text. */
const MESSAGE_OVERHEAD = 1_024;

/**
 * What the adapter sends to other nodes. News wait for a Redis that is away and are told late rather than never; but
 * what waits has a bound, and beyond it they are dropped.
 */
export class Publisher {
  readonly redis: Redis;
  readonly #maxBytes: number;
  readonly #logger: Logger;
  #waiting = 0;
  #dropped = 0;

  constructor(redis: Redis, maxBytes: number, logger: Logger) {
    this.redis = redis;
    this.#maxBytes = maxBytes;
    this.#logger = logger;
    redis.on('ready', () => {
      if (this.#dropped > 0) logger.error({ dropped: this.#dropped }, 'messages to other nodes were lost');
      this.#dropped = 0;
    });
  }

  /** What is published now goes out now. */
  get isOpen(): boolean {
    return this.redis.status === 'ready' && this.#waiting < this.#maxBytes;
  }

  publish(channel: string, message: string): void {
    const size = message.length + MESSAGE_OVERHEAD;
    if (this.#waiting + size > this.#maxBytes) {
      if (this.#dropped++ === 0) this.#logger.error({}, 'too much waits for Redis; messages to other nodes are lost');
      return;
    }
    this.#waiting += size;
    const taken = () => {
      this.#waiting -= size;
    };
    // It fails only when the node closes.
    this.redis.publish(channel, message).then(taken, taken);
  }

  // The adapter watches its client for errors, which the owner of the client does already.
  on(): void {}
  off(): void {}
}
