import type { ToolCallResult } from '@a2c/protocol';
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

interface CallUnderWay {
  readonly result: Promise<ToolCallResult>;
  readonly controller: AbortController;
}

interface FinishedCall {
  /** undefined: it ran, but its result had to make room. */
  result: ToolCallResult | undefined;
  bytes: number;
}

/** Why a call was not started, or has no result any more. */
export type NotRun = 'too-many' | 'forgotten' | 'former-life';

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

  /** `start` never rejects: whatever goes wrong with a call is a result. */
  run(
    id: CallId,
    start: (signal: AbortSignal) => Promise<ToolCallResult>,
    mayBeNew = true,
  ): Promise<ToolCallResult> | NotRun {
    const key = keyOf(id);
    const present = this.#underWay.get(key);
    if (present) return present.result;
    const finished = this.#finished.get(key);
    if (finished) return finished.result === undefined ? 'forgotten' : Promise.resolve(finished.result);
    if (!mayBeNew) return 'former-life';
    if (this.#underWay.size >= this.#limits.callsInFlight) return 'too-many';
    const controller = new AbortController();
    const result = start(controller.signal).then((outcome) => {
      this.#underWay.delete(key);
      this.#remember(key, outcome);
      return outcome;
    });
    this.#underWay.set(key, { result, controller });
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

  #remember(key: string, result: ToolCallResult): void {
    const bytes = jsonBytes(result);
    this.#finished.set(key, { result, bytes });
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
