import type { JSONRPCMessage } from '@modelcontextprotocol/client';

/**
 * Hands messages on in order. The SDK works off a notification one turn of the microtask queue after it got it, but an answer
 * at once: progress that arrives in one piece with its result would be lost. So whatever follows a notification waits that turn.
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
      if (isNotification(message)) this.#emptied = this.#workOff([]);
    }
  }

  /** Everything pushed so far has been handed on. */
  async emptied(): Promise<void> {
    await this.#emptied;
  }

  async #workOff(waiting: JSONRPCMessage[]): Promise<void> {
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
