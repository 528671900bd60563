import { HubError } from '@a2c/hub';
import type { ConfirmCallback } from './consent.js';
import { jsonBytes } from './json-bytes.js';

/** The limits of calls that wait for consent. */
export interface WaitingLimits {
  /** The size of the arguments of all calls that wait for consent. */
  readonly waitingBytes: number;
  /** The size of those of one Agent, so that it leaves room for others. */
  readonly waitingBytesPerAgent: number;
  /** How many calls of one Agent may wait for consent: fewer than may be in flight, and than a person can answer. */
  readonly waitingCallsPerAgent: number;
}

export const WAITING_LIMITS: WaitingLimits = {
  waitingBytes: 64 * 2 ** 20,
  waitingBytesPerAgent: 32 * 2 ** 20,
  waitingCallsPerAgent: 32,
};

interface WaitingCall {
  readonly agent: string | null;
  readonly bytes: number;
}

/** Limits the number and the memory of calls that wait for consent: a person may need a minute for each. */
export class WaitingCalls {
  readonly #limits: WaitingLimits;
  readonly #calls = new Set<WaitingCall>();

  constructor(limits: WaitingLimits) {
    this.#limits = limits;
  }

  /** Asks only if there is room for the call. Otherwise the callback rejects with a HubError `overloaded`. */
  limit(confirm: ConfirmCallback | undefined): ConfirmCallback | undefined {
    return (
      confirm &&
      (async (request) => {
        const call = { agent: request.agent, bytes: jsonBytes(request.parameters) };
        this.#check(call);
        this.#calls.add(call);
        const end = () => this.#calls.delete(call);
        // A callback may never settle after the call has ended.
        request.signal.addEventListener('abort', end, { once: true });
        try {
          return await confirm(request);
        } finally {
          request.signal.removeEventListener('abort', end);
          end();
        }
      })
    );
  }

  #check({ agent, bytes }: WaitingCall): void {
    const { waitingBytes, waitingBytesPerAgent, waitingCallsPerAgent } = this.#limits;
    const all = [...this.#calls];
    const own = all.filter((call) => call.agent === agent);
    if (agent !== null && own.length >= waitingCallsPerAgent) {
      const message = `${own.length} calls of this Agent wait for consent, and no more may wait`;
      throw new HubError('overloaded', `${message}; try again after a person has answered`);
    }
    const isFull = bytesOf(all) + bytes > waitingBytes;
    if (!isFull && bytesOf(own) + bytes <= waitingBytesPerAgent) return;
    const which = isFull ? `all calls may have ${waitingBytes}` : `calls of one Agent may have ${waitingBytesPerAgent}`;
    const message = `too many bytes of arguments wait for consent: ${which}, and this one has ${bytes}`;
    throw new HubError('overloaded', `${message}; try again after a person has answered, or send less`);
  }
}

function bytesOf(calls: readonly WaitingCall[]): number {
  return calls.reduce((sum, { bytes }) => sum + bytes, 0);
}
