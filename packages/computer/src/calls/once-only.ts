import { type Cancellation, Canceller } from '@a2c/hub';
import { type CallToolResult, Shares, ShortLivedMap } from '@a2c/protocol';
import { SHARES } from '../shares.js';
import type { ToolNames } from './consent.js';
import { jsonBytes } from './json-bytes.js';

/** Identifies a call. The office is part of it: Agents of two offices may use the same name and `req_id`. */
export interface CallId {
  readonly office: string | null;
  readonly agent: string;
  readonly reqId: string;
  /** The Agent within the office, as one text. */
  readonly owner: string;
  /** The whole id as one text, here and at the Server. */
  readonly key: string;
}

/** JSON, so that no separator in a name can make two ids equal. */
export function callId(reqId: string, agent: string, office: string | null): CallId {
  const owner = JSON.stringify([office, agent]);
  return { office, agent, reqId, owner, key: JSON.stringify([office, agent, reqId]) };
}

/** The limits of the once-only guarantee. */
export interface OnceOnlyLimits {
  /** Pending calls of one Agent; further calls are refused. Of all Agents, four times as many can be pending. */
  readonly callsInFlight: number;
  /** Finished calls that are known by their `req_id`. Those of the Agent with most are forgotten first. */
  readonly rememberedCalls: number;
  /** The size of their results together. The oldest of the Agent with most is dropped; its `req_id` stays known. */
  readonly rememberedBytes: number;
}

export const ONCE_ONLY_LIMITS: OnceOnlyLimits = {
  callsInFlight: 256,
  rememberedCalls: 4_096,
  rememberedBytes: 64 * 2 ** 20,
};

/** How a call ended. The `req_id` of a call that is not remembered may be used again. */
export interface Outcome {
  readonly result: CallToolResult;
  /** The tool it is the result of, if that was found. */
  readonly tool?: ToolNames | undefined;
  readonly isRemembered: boolean;
}

interface PendingCall {
  readonly fingerprint: string;
  readonly outcome: Promise<Outcome>;
  readonly canceller: Canceller;
}

interface FinishedCall {
  readonly key: string;
  readonly owner: string;
  readonly fingerprint: string;
  readonly finishedAt: number;
  /** undefined: dropped. */
  outcome: Outcome | undefined;
  bytes: number;
}

/**
 * Why a call was not run: another call has its id, too many are pending, there is no room for its arguments, it is
 * running and there is no room for a repetition, its result was dropped, it may be one of those that later calls have
 * displaced, it is from before the start.
 */
export type NotRun =
  | 'reused-id'
  | 'too-many'
  | 'no-room'
  | 'no-room-to-wait'
  | 'forgotten'
  | 'displaced'
  | 'before-start';

export interface CallToRun {
  readonly id: CallId;
  /** A hash of the tool and the arguments. */
  readonly fingerprint: string;
  /** False for a repeated call that was first sent before this process was started. */
  readonly mayBeNew: boolean;
  /** The earliest time at which a repeated call may have been sent first, by the clock of `performance.now()`. */
  readonly firstSentAt?: number | undefined;
  /** False if its arguments cannot be kept until it ends. The result of an ended call is returned nevertheless. */
  readonly hasRoom?: boolean;
  /** Runs the call. It never rejects: failures are results. */
  readonly run: (cancellation: Cancellation) => Promise<Outcome>;
}

/**
 * Runs every call once. A repeated call waits for the first one or gets its result, also after a reconnect. A call
 * whose result was dropped is still known to have run, and is not run again.
 */
export class OnceOnly {
  readonly #limits: OnceOnlyLimits;
  readonly #pending = new ShortLivedMap<string, PendingCall>();
  readonly #finished = new Map<string, FinishedCall>();
  /** The same calls of each Agent. */
  readonly #historyOf = new Map<string, FinishedCalls>();
  readonly #pendingOf = new Shares();
  readonly #finishedOf = new Shares();
  readonly #bytesOf = new Shares();
  /** When the last of the calls of an Agent finished that are not known any more. */
  readonly #forgottenUntil = new Map<string, number>();
  /** The same for Agents that are not in the map. */
  #allForgottenUntil = Number.NEGATIVE_INFINITY;

  constructor(limits: Partial<OnceOnlyLimits> = {}) {
    this.#limits = { ...ONCE_ONLY_LIMITS, ...limits };
  }

  get inFlight(): number {
    return this.#pending.size;
  }

  run({ id, fingerprint, mayBeNew, firstSentAt, hasRoom = true, run }: CallToRun): Promise<Outcome> | NotRun {
    const { key, owner } = id;
    const pending = this.#pending.get(key);
    const finished = this.#finished.get(key);
    const known = pending ?? finished;
    if (known && known.fingerprint !== fingerprint) return 'reused-id';
    if (pending) return hasRoom ? pending.outcome : 'no-room-to-wait';
    if (finished) return finished.outcome === undefined ? 'forgotten' : Promise.resolve(finished.outcome);
    if (!mayBeNew) return 'before-start';
    // It may have run: other calls since then have displaced it.
    if (firstSentAt !== undefined && firstSentAt <= this.#lastForgotten(owner)) return 'displaced';
    const { callsInFlight } = this.#limits;
    if (this.#pendingOf.of(owner) >= callsInFlight || this.#pending.size >= callsInFlight * SHARES) return 'too-many';
    if (!hasRoom) return 'no-room';
    const canceller = new Canceller();
    const outcome = run(canceller).then((ended) => {
      this.#pending.remove(key);
      this.#pendingOf.add(owner, -1);
      if (ended.isRemembered) this.#remember(key, owner, fingerprint, ended);
      return ended;
    });
    this.#pending.set(key, { fingerprint, outcome, canceller });
    this.#pendingOf.add(owner, 1);
    return outcome;
  }

  /** Returns false if there is no such pending call. */
  cancel({ key }: CallId, reason: string): boolean {
    const call = this.#pending.get(key);
    call?.canceller.abort(reason);
    return call !== undefined;
  }

  cancelAll(reason: string): void {
    for (const { canceller } of this.#pending.values()) canceller.abort(reason);
  }

  /** Resolves when no call is pending. */
  async idle(): Promise<void> {
    while (this.#pending.size > 0) await Promise.all(this.#pending.values().map(({ outcome }) => outcome));
  }

  #remember(key: string, owner: string, fingerprint: string, outcome: Outcome): void {
    const { rememberedBytes, rememberedCalls } = this.#limits;
    const size = jsonBytes(outcome.result);
    // A result larger than the whole limit is dropped at once; it must not displace all others.
    const fits = size <= rememberedBytes;
    const bytes = fits ? size : 0;
    const finishedAt = performance.now();
    const call = { key, owner, fingerprint, finishedAt, outcome: fits ? outcome : undefined, bytes };
    this.#finished.set(key, call);
    const history = this.#historyOf.get(owner) ?? new FinishedCalls();
    this.#historyOf.set(owner, history);
    history.add(call);
    this.#finishedOf.add(owner, 1);
    this.#bytesOf.add(owner, bytes);
    if (this.#finished.size > rememberedCalls) this.#forget(this.#finishedOf.largest());
    while (this.#bytesOf.total > rememberedBytes) this.#dropResult(this.#bytesOf.largest());
  }

  /** Forgets the oldest call of an Agent. */
  #forget(owner = ''): void {
    const history = this.#historyOf.get(owner);
    const call = history?.removeOldest();
    if (!call) return;
    if (history?.isEmpty) this.#historyOf.delete(owner);
    this.#finished.delete(call.key);
    this.#finishedOf.add(call.owner, -1);
    this.#bytesOf.add(call.owner, -call.bytes);
    call.outcome = undefined; // Its place may be kept for a while.
    if (this.#forgottenUntil.size >= MAX_OWNERS) {
      this.#forgottenUntil.clear();
      this.#allForgottenUntil = performance.now();
    }
    this.#forgottenUntil.set(call.owner, call.finishedAt);
  }

  #dropResult(owner = ''): void {
    const oldest = this.#historyOf.get(owner)?.oldestWithResult();
    if (!oldest) return;
    this.#bytesOf.add(oldest.owner, -oldest.bytes);
    oldest.bytes = 0;
    oldest.outcome = undefined;
  }

  #lastForgotten(owner: string): number {
    return Math.max(this.#forgottenUntil.get(owner) ?? Number.NEGATIVE_INFINITY, this.#allForgottenUntil);
  }
}

/**
 * Finished calls of one Agent, oldest first. A map would do, but deleted entries stay in it for a while: to find its
 * first one after thousands were deleted takes longer than a call.
 */
class FinishedCalls {
  #calls: FinishedCall[] = [];
  /** The places of the oldest call, and of the oldest one that may have a result. */
  #first = 0;
  #firstWithResult = 0;

  get isEmpty(): boolean {
    return this.#first === this.#calls.length;
  }

  add(call: FinishedCall): void {
    this.#calls.push(call);
  }

  removeOldest(): FinishedCall | undefined {
    const oldest = this.#calls[this.#first];
    if (oldest) this.#first++;
    this.#firstWithResult = Math.max(this.#firstWithResult, this.#first);
    if (this.#first > this.#calls.length / 2) this.#dropRemoved();
    return oldest;
  }

  oldestWithResult(): FinishedCall | undefined {
    while (this.#calls[this.#firstWithResult]?.bytes === 0) this.#firstWithResult++;
    return this.#calls[this.#firstWithResult];
  }

  #dropRemoved(): void {
    this.#calls = this.#calls.slice(this.#first);
    this.#firstWithResult -= this.#first;
    this.#first = 0;
  }
}

/** Agents for which the time is kept. */
const MAX_OWNERS = 1_000;
