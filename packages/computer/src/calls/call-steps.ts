import type { Emitter, ExecutedCall } from '@a2c/protocol';
import type { ComputerEvents } from '../events.js';
import type { ConfirmCallback } from './consent.js';
import type { CallId } from './once-only.js';

/** The call whose steps are reported. */
export interface SteppedCall extends CallId {
  readonly nameOrAlias: string;
  readonly options: { readonly approvedBy?: string | undefined };
}

/** Emits the steps of one call, with the time of each. */
export class CallSteps {
  readonly #events: Emitter<ComputerEvents>;
  readonly #steps: Partial<ExecutedCall>[] = [];

  constructor({ key, office, agent, reqId, nameOrAlias, options }: SteppedCall, events: Emitter<ComputerEvents>) {
    this.#events = events;
    this.add({
      id: key,
      office,
      agent: agent === '' ? null : agent,
      server: '',
      tool: nameOrAlias,
      reqId,
      receivedAt: now(),
      ...(options.approvedBy !== undefined && { by: options.approvedBy }),
    });
  }

  add(step: Partial<ExecutedCall>): void {
    this.#steps.push(step);
    if (this.#events.has('step')) this.#events.emit('step', Object.assign({}, ...this.#steps) as ExecutedCall);
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
