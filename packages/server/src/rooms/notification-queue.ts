import { TokenBucket } from '../access/rate-limit.js';
import { type Notification, PendingNotifications } from './pending-notifications.js';

/** Which of the receivers: Agents are served before Computers, which are many and need notifications less. */
export type Part = 'everyone' | 'agents' | 'computers';

export interface NotificationQueueOptions {
  readonly perSecond: number;
  readonly officePerSecond: number;
  /** How many receive it. */
  readonly countReceivers: (notification: Notification, part: Part) => number;
  readonly deliver: (notification: Notification, part: Part) => void;
}

/** Deliveries in one turn of the event loop. Each may be a write to a socket: together some ten milliseconds. */
const TURN_DELIVERIES = 1_000;
/** How often to continue while a rate is used up. */
const TICK_MS = 20;
/** Offices after which those that need no queue are removed. */
const SWEEP_AT = 1_000;

class OfficeQueue {
  readonly rate: TokenBucket;
  #agents: PendingNotifications | undefined;
  #computers: PendingNotifications | undefined;

  constructor(perSecond: number) {
    this.rate = new TokenBucket(perSecond);
  }

  get isEmpty(): boolean {
    return (this.#agents?.size ?? 0) + (this.#computers?.size ?? 0) === 0;
  }

  add(notification: Notification): boolean {
    this.#agents ??= new PendingNotifications();
    this.#computers ??= new PendingNotifications();
    // Those for Agents never wait longer, so there is a place for it among them too.
    return this.#computers.add(notification) && this.#agents.add(notification);
  }

  shift(): [notification: Notification, part: Part] | undefined {
    const forAgents = this.#agents?.shift();
    if (forAgents) return [forAgents, 'agents'];
    const forComputers = this.#computers?.shift();
    return forComputers && [forComputers, 'computers'];
  }
}

/**
 * Delivers notifications at once while they are few. Over the rate of an office or of the Server, or over what one turn
 * of the event loop allows, they wait: a notification costs as many packets as its office has members, so a few members
 * of a large office would keep the Server busy. The offices take turns, each with its notifications in order.
 */
export class NotificationQueue {
  readonly #options: NotificationQueueOptions;
  readonly #rate: TokenBucket;
  readonly #offices = new Map<string, OfficeQueue>();
  /** Those with notifications that wait. The first one is next. */
  readonly #waiting = new Set<OfficeQueue>();
  #leftInTurn = TURN_DELIVERIES;
  #sweepAt = SWEEP_AT;
  #timer: NodeJS.Timeout | undefined;
  #isTurnCounted = false;
  #isClosed = false;

  constructor(options: NotificationQueueOptions) {
    this.#options = options;
    this.#rate = new TokenBucket(options.perSecond);
  }

  /** Delivers it, now or later. Returns false if too many wait; updates and membership are always accepted. */
  add(notification: Notification): boolean {
    const queue = this.#queueOf(notification.to.office);
    if (queue.isEmpty && this.#mayDeliver && queue.rate.hasTokens) {
      this.#deliver(queue, notification, 'everyone');
      return true;
    }
    const isAccepted = queue.add(notification);
    this.#waiting.add(queue);
    if (this.#leftInTurn > 0) this.#timer ??= setTimeout(this.#continue, TICK_MS).unref();
    return isAccepted;
  }

  close(): void {
    this.#isClosed = true;
    clearTimeout(this.#timer);
    this.#waiting.clear();
  }

  get #mayDeliver(): boolean {
    return this.#leftInTurn > 0 && this.#rate.hasTokens;
  }

  #queueOf(office: string): OfficeQueue {
    let queue = this.#offices.get(office);
    if (queue) return queue;
    if (this.#offices.size >= this.#sweepAt) this.#sweep();
    queue = new OfficeQueue(this.#options.officePerSecond);
    this.#offices.set(office, queue);
    return queue;
  }

  #sweep(): void {
    for (const [office, queue] of this.#offices) if (queue.isEmpty && queue.rate.isFull) this.#offices.delete(office);
    this.#sweepAt = Math.max(SWEEP_AT, this.#offices.size * 2);
  }

  #deliver(queue: OfficeQueue, notification: Notification, part: Part): void {
    const count = Math.max(1, this.#options.countReceivers(notification, part));
    queue.rate.spend(count);
    this.#rate.spend(count);
    this.#leftInTurn -= count;
    if (!this.#isTurnCounted) {
      this.#isTurnCounted = true;
      setImmediate(this.#nextTurn);
    }
    this.#options.deliver(notification, part);
  }

  readonly #nextTurn = (): void => {
    this.#isTurnCounted = false;
    this.#leftInTurn = TURN_DELIVERIES;
    if (this.#waiting.size > 0) this.#deliverWaiting();
  };

  readonly #continue = (): void => {
    this.#timer = undefined;
    this.#deliverWaiting();
  };

  #deliverWaiting(): void {
    // An office that is added again is visited again, after the others.
    for (const queue of this.#waiting) {
      if (!this.#mayDeliver || this.#isClosed) break;
      if (!queue.rate.hasTokens) continue;
      this.#waiting.delete(queue);
      const next = queue.shift();
      if (next) this.#deliver(queue, ...next);
      if (!queue.isEmpty) this.#waiting.add(queue);
    }
    const isRateUsedUp = !this.#isTurnCounted;
    if (this.#waiting.size > 0 && isRateUsedUp && !this.#isClosed)
      this.#timer ??= setTimeout(this.#continue, TICK_MS).unref();
  }
}
