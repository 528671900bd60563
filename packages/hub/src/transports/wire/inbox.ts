import type { JSONRPCMessage } from '@modelcontextprotocol/client';
import { TurnBudget } from '../../turn-budget.js';

/**
 * Delivers messages in order. The SDK handles a notification one microtask after it is delivered, but an answer at
 * once: progress that arrives in one chunk with its result would be lost. So a message after a notification is delayed
 * by a microtask. Many messages are delivered in several turns of the event loop.
 */
export class Inbox {
  readonly #handle: (message: JSONRPCMessage) => void;
  readonly #budget = new TurnBudget();
  #waiting: JSONRPCMessage[] | undefined;
  #emptied: Promise<void> = Promise.resolve();

  /** An error that `handle` throws does not stop the delivery of further messages. */
  constructor(handle: (message: JSONRPCMessage) => void, onError: (error: Error) => void) {
    this.#handle = (message) => {
      try {
        handle(message);
      } catch (error) {
        onError(error as Error);
      }
    };
  }

  push(message: JSONRPCMessage): void {
    if (this.#waiting) this.#waiting.push(message);
    else {
      this.#handle(message);
      if (isNotification(message)) this.#emptied = this.#drain();
    }
  }

  /** True if a notification is being handled: what is pushed now waits. */
  get isBusy(): boolean {
    return this.#waiting !== undefined;
  }

  /** Resolves when all messages so far are delivered. */
  async emptied(): Promise<void> {
    await this.#emptied;
  }

  async #drain(): Promise<void> {
    let waiting: JSONRPCMessage[] = [];
    this.#waiting = waiting;
    this.#budget.begin();
    await undefined;
    for (; waiting.length > 0; waiting = this.#waiting) {
      this.#waiting = [];
      for (const message of waiting) {
        this.#handle(message);
        if (isNotification(message)) await undefined;
        if (this.#budget.isSpent()) await this.#budget.nextTurn();
      }
    }
    this.#budget.end();
    this.#waiting = undefined;
  }
}

function isNotification(message: JSONRPCMessage): boolean {
  return 'method' in message && !('id' in message);
}
