import type { ExecutedCall } from '@a2c/protocol';
import type { ConfirmCallback } from './consent.js';
import { type CallId, keyOf } from './once-only.js';

/** The call whose steps are reported. */
export interface SteppedCall extends CallId {
  readonly nameOrAlias: string;
  readonly options: { readonly approvedBy?: string | undefined };
}

/** Reports the steps of one call, with the time of each. */
export class CallSteps {
  readonly #onStep: (call: ExecutedCall) => void;
  #call: ExecutedCall;

  constructor({ office, agent, reqId, nameOrAlias, options }: SteppedCall, onStep: (call: ExecutedCall) => void) {
    this.#onStep = onStep;
    this.#call = {
      id: keyOf({ office, agent, reqId }),
      office,
      agent: agent === '' ? null : agent,
      server: '',
      tool: nameOrAlias,
      reqId,
      receivedAt: now(),
    };
    if (options.approvedBy !== undefined) this.#call = { ...this.#call, by: options.approvedBy };
    onStep(this.#call);
  }

  add(step: Partial<ExecutedCall>): void {
    this.#call = { ...this.#call, ...step };
    this.#onStep(this.#call);
  }

  /** Reports when a person is asked, and when the question ends. */
  watch(confirm: ConfirmCallback | undefined): ConfirmCallback | undefined {
    return (
      confirm &&
      (async (request) => {
        this.add({ askedAt: now() });
        try {
          return await confirm(request);
        } finally {
          this.add({ decidedAt: now() });
        }
      })
    );
  }

  end(success: boolean, error: string | null, errorKind?: string): void {
    this.add({ success, error, ...(errorKind !== undefined && { errorKind }), answeredAt: now() });
  }
}

/** Milliseconds since 1970, with fractions. */
export function now(): number {
  return performance.timeOrigin + performance.now();
}
