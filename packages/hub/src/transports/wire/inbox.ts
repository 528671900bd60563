import type { JSONRPCMessage } from '@modelcontextprotocol/client';

/**
 * Delivers messages in order. The SDK handles a notification one microtask after it is delivered, but an answer at
 * once: progress that arrives in one chunk with its result would be lost. So a message after a notification is delayed
 * by a microtask.
 */
export class Inbox {
  readonly #handle: (message: JSONRPCMessage) => void;
  #waiting: JSONRPCMessage[] | undefined;
  #emptied: Promise<void> = Promise.resolve();

  constructor(handle: (message: JSONRPCMessage) => void) {
    this.#handle = handle;
  }

  push(message: JSONRPCMessage): void {
    if (this.#waiting) this.#waiting.push(message);
    else {
      this.#handle(message);
      if (isNotification(message)) this.#emptied = this.#drain([]);
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

  async #drain(waiting: JSONRPCMessage[]): Promise<void> {
    this.#waiting = waiting;
    await undefined;
    for (let message = waiting.shift(); message; message = waiting.shift()) {
      this.#handle(message);
      if (isNotification(message)) await undefined;
    }
    this.#waiting = undefined;
  }
}

function isNotification(message: JSONRPCMessage): boolean {
  return 'method' in message && !('id' in message);
}
