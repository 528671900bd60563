import type { Logger } from '@a2c/log';
import type { Redis } from 'ioredis';
import { AdapterPublisher, AdapterSubscriber, type Delivery } from './adapter-clients.js';
import { REDIS_TIMEOUT_MS } from './cluster-state.js';

export interface NodeChannelOptions {
  readonly redis: string;
  readonly prefix: string;
  readonly node: string;
  /** How much may be queued for a Redis that is away. */
  readonly maxQueuedBytes: number;
  readonly logger: Logger;
}

/** The pause between two log lines about messages that no node has sent. */
const IGNORED_REPORT_MS = 60_000;
/** A message of a node to itself. */
const PROBE = Buffer.alloc(0);

/** What nodes send to each other through Redis: a connection to publish, one to subscribe, and a channel per node. */
export class NodeChannel {
  readonly publisher: AdapterPublisher;
  readonly subscriber: AdapterSubscriber;
  readonly #options: NodeChannelOptions;
  readonly #ownChannel: string;
  /** A probe that was not received yet, and when Redis has confirmed it. */
  #probe: { confirmedAt: number } | undefined;
  #ignoredMessages = 0;
  #nextReportAt = Number.NEGATIVE_INFINITY;

  constructor(options: NodeChannelOptions) {
    this.#options = options;
    this.#ownChannel = this.#channelOf(options.node);
    this.publisher = new AdapterPublisher(options.redis, options.maxQueuedBytes, options.logger);
    this.subscriber = new AdapterSubscriber(options.redis, { lazyConnect: true, maxRetriesPerRequest: null });
    this.subscriber.onInvalidMessage = (error) => this.#ignoreMessage(error);
  }

  get clients(): readonly Redis[] {
    return [this.publisher.redis, this.subscriber];
  }

  /**
   * Receives the messages for this node.
   *
   * @param onSubscribed called after each subscription. Messages may have been lost before it. Redis answers in order,
   *   so the adapter's subscriptions are active again, too.
   */
  receive(onMessage: (message: Buffer) => void, onSubscribed: () => void): void {
    this.subscriber.on('messageBuffer', (channel: Buffer, message: Buffer) => {
      if (channel.toString() !== this.#ownChannel) return;
      if (message.length === PROBE.length) this.#probe = undefined;
      else onMessage(message);
    });
    const subscribe = async () => {
      try {
        await this.subscriber.subscribe(this.#ownChannel);
      } catch {
        return; // The connection was lost again: the next one subscribes.
      }
      this.#probe = undefined;
      onSubscribed();
    };
    this.subscriber.on('ready', () => void subscribe());
    void subscribe();
  }

  /** Sends a message to a node now or not at all. */
  sendOnce(node: string, message: Buffer): Promise<Delivery> {
    return this.publisher.publishOnce(this.#channelOf(node), message);
  }

  /** Sends a message to a node that may arrive late or twice. */
  send(node: string, message: Buffer): void {
    this.publisher.publish(this.#channelOf(node), message);
  }

  /**
   * Replaces connections that are dead without being closed, after the loss of a host or of its packets. A message of
   * this node to itself uses both: the publisher fails without a confirmation, the subscriber without the message.
   */
  async checkConnections(): Promise<void> {
    if (this.subscriber.status !== 'ready') return;
    if (!this.#probe) {
      const probe = { confirmedAt: Number.POSITIVE_INFINITY };
      this.#probe = probe;
      const delivery = await this.publisher.publishOnce(this.#ownChannel, PROBE);
      if (typeof delivery === 'number') probe.confirmedAt = performance.now();
      else if (this.#probe === probe) this.#probe = undefined;
    } else if (performance.now() - this.#probe.confirmedAt >= REDIS_TIMEOUT_MS) {
      this.#probe = undefined;
      const { logger } = this.#options;
      logger.warn({}, 'the connection that receives messages of other nodes is dead; connecting again');
      this.subscriber.stream.destroy();
    }
  }

  #channelOf(node: string): string {
    return `${this.#options.prefix}node:${node}`;
  }

  /** Reported once a minute: another program may publish many. */
  #ignoreMessage({ message }: Error): void {
    this.#ignoredMessages += 1;
    if (performance.now() < this.#nextReportAt) return;
    this.#nextReportAt = performance.now() + IGNORED_REPORT_MS;
    const fields = { err: message, ignored: this.#ignoredMessages };
    this.#options.logger.warn(fields, 'Redis delivered a message that no node has sent; ignored it');
  }
}
