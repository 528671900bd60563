import { HubError } from '@a2c/hub';
import type { ConfirmCallback } from './consent.js';

/** The limit of calls that wait for consent. That of unfinished calls limits their arguments. */
export interface WaitingLimits {
  /** How many calls of one Agent may wait for consent: fewer than may be in flight, and than a person can answer. */
  readonly waitingCallsPerAgent: number;
}

export const WAITING_LIMITS: WaitingLimits = {
  waitingCallsPerAgent: 32,
};

interface WaitingCall {
  readonly agent: string | null;
}

/** Limits the number of calls that wait for consent: a person may need a minute for each. */
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
        const call = { agent: request.agent };
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

  #check({ agent }: WaitingCall): void {
    if (agent === null) return;
    const own = [...this.#calls].filter((call) => call.agent === agent);
    if (own.length < this.#limits.waitingCallsPerAgent) return;
    const message = `${own.length} calls of this Agent wait for consent, and no more may wait`;
    throw new HubError('overloaded', `${message}; try again after a person has answered`);
  }
}
