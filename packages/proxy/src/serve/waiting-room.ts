import { randomUUID } from 'node:crypto';
import { ProtocolError, ProtocolErrorCode } from '@modelcontextprotocol/server';
import type { Conversation } from './conversation.js';

/** How long a person may think about a question before the work behind it is given up. */
export const PATIENCE_MS = 10 * 60_000;
const MAX_WAITING = 1_000;

interface Waiting {
  readonly about: string;
  readonly conversation: Conversation<unknown>;
  readonly timer: NodeJS.Timeout;
}

/** Conversations between two requests of their client. Each leave is good for one return. */
export class WaitingRoom {
  readonly #waiting = new Map<string, Waiting>();

  /** The state to give to the client; unguessable, because it is all that says whose conversation this is. */
  enter(conversation: Conversation<unknown>, about: string): string {
    if (this.#waiting.size >= MAX_WAITING) this.#giveUp(this.#waiting.keys().next().value as string);
    const state = randomUUID();
    const timer = setTimeout(() => this.#giveUp(state), PATIENCE_MS).unref();
    this.#waiting.set(state, { conversation, about, timer });
    return state;
  }

  /** Only the request that was made before can go on. */
  leave<T>(state: string, about: string): Conversation<T> {
    const waiting = this.#waiting.get(state);
    if (waiting?.about !== about)
      throw new ProtocolError(ProtocolErrorCode.InvalidParams, 'Invalid or expired requestState');
    this.#forget(state, waiting);
    return waiting.conversation as Conversation<T>;
  }

  close(): void {
    for (const state of [...this.#waiting.keys()]) this.#giveUp(state);
  }

  #giveUp(state: string): void {
    const waiting = this.#waiting.get(state);
    if (!waiting) return;
    this.#forget(state, waiting);
    waiting.conversation.cancel(new Error('nobody answered in time'));
  }

  #forget(state: string, { timer }: Waiting): void {
    clearTimeout(timer);
    this.#waiting.delete(state);
  }
}
