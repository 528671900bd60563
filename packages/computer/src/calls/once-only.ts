import type { CallToolResult } from '@a2c/protocol';
import { jsonBytes } from './json-bytes.js';

/** Who calls. The office is part of it: an Agent of another office may use the same name and the same `req_id`. */
export interface CallId {
  readonly office: string | null;
  readonly agent: string;
  readonly reqId: string;
}

export interface OnceOnlyLimits {
  /** Calls under way; one more is refused. */
  readonly callsInFlight: number;
  /** How many finished calls are known by their `req_id`. */
  readonly rememberedCalls: number;
  /** What their results may weigh together; the oldest lose their result first, but not their name. */
  readonly rememberedBytes: number;
}

export const ONCE_ONLY_LIMITS: OnceOnlyLimits = {
  callsInFlight: 256,
  rememberedCalls: 4_096,
  rememberedBytes: 64 * 2 ** 20,
};

/** How a call ended. Who was turned away before anything ran may ask again, and is not remembered. */
export interface Outcome {
  readonly result: CallToolResult;
  readonly mayHaveRun: boolean;
}

interface CallUnderWay {
  readonly what: string;
  readonly result: Promise<CallToolResult>;
  readonly controller: AbortController;
}

interface FinishedCall {
  readonly what: string;
  /** undefined: it ran, but its result had to make room. */
  result: CallToolResult | undefined;
  bytes: number;
}

/** Why a call was not started, or has no result any more. */
export type NotRun = 'another-call' | 'too-many' | 'forgotten' | 'former-life';

/**
 * Runs every call once. A repeated one waits for the first or gets its result, also after a reconnect. What had to make room
 * is still known to have run: saying so is right, running it again would not be.
 */
export class OnceOnly {
  readonly #limits: OnceOnlyLimits;
  readonly #underWay = new Map<string, CallUnderWay>();
  /** In the order in which they finished. */
  readonly #finished = new Map<string, FinishedCall>();
  #bytes = 0;

  constructor(limits: Partial<OnceOnlyLimits> = {}) {
    this.#limits = { ...ONCE_ONLY_LIMITS, ...limits };
  }

  get inFlight(): number {
    return this.#underWay.size;
  }

  /** `what` tells calls apart, in a few bytes. `start` never rejects: whatever goes wrong with a call is a result. */
  run(
    id: CallId,
    what: string,
    start: (signal: AbortSignal) => Promise<Outcome>,
    mayBeNew = true,
  ): Promise<CallToolResult> | NotRun {
    const key = keyOf(id);
    const present = this.#underWay.get(key);
    const finished = this.#finished.get(key);
    const known = present ?? finished;
    if (known && known.what !== what) return 'another-call';
    if (present) return present.result;
    if (finished) return finished.result === undefined ? 'forgotten' : Promise.resolve(finished.result);
    if (!mayBeNew) return 'former-life';
    if (this.#underWay.size >= this.#limits.callsInFlight) return 'too-many';
    const controller = new AbortController();
    const result = start(controller.signal).then((outcome) => {
      this.#underWay.delete(key);
      if (outcome.mayHaveRun) this.#remember(key, what, outcome.result);
      return outcome.result;
    });
    this.#underWay.set(key, { what, result, controller });
    return result;
  }

  /** False when there is no such call under way; a cancel that comes too late is nobody's fault. */
  cancel(id: CallId, reason: string): boolean {
    const call = this.#underWay.get(keyOf(id));
    call?.controller.abort(reason);
    return call !== undefined;
  }

  cancelAll(reason: string): void {
    for (const { controller } of this.#underWay.values()) controller.abort(reason);
  }

  /** Resolves when nothing is under way. */
  async idle(): Promise<void> {
    while (this.#underWay.size > 0) await Promise.all([...this.#underWay.values()].map(({ result }) => result));
  }

  #remember(key: string, what: string, result: CallToolResult): void {
    const weight = jsonBytes(result);
    // One that would drive out everybody else and still not fit is only known to have run.
    const fits = weight <= this.#limits.rememberedBytes;
    const bytes = fits ? weight : 0;
    this.#finished.set(key, { what, result: fits ? result : undefined, bytes });
    this.#bytes += bytes;
    for (const [oldest, call] of this.#finished) {
      if (this.#finished.size <= this.#limits.rememberedCalls) break;
      this.#bytes -= call.bytes;
      this.#finished.delete(oldest);
    }
    for (const call of this.#finished.values()) {
      if (this.#bytes <= this.#limits.rememberedBytes) break;
      this.#bytes -= call.bytes;
      call.bytes = 0;
      call.result = undefined;
    }
  }
}

/** JSON, so that no choice of names makes two calls one. */
function keyOf({ office, agent, reqId }: CallId): string {
  return JSON.stringify([office, agent, reqId]);
}
