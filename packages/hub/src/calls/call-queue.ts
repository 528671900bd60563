import type { Cancellation } from '../cancellation.js';
import { HubError, type HubErrorOptions } from '../errors.js';

/** Whose call it is. */
export interface Caller {
  readonly id: unknown;
  /** Callers that may be one and the same, such as all HTTP sessions of one address, have a common share. */
  readonly group: unknown;
}

interface Group {
  callers: number;
  inFlight: number;
  waiting: number;
}

/** The calls of one caller. */
interface Share {
  readonly caller: Caller;
  inFlight: number;
  readonly waiting: Set<() => void>;
  readonly group: Group;
}

const isIdle = ({ inFlight, waiting }: Share): boolean => inFlight + waiting.size === 0;

/** A group may use half of all places, and a caller half of those. */
const PLACES_PER_CALLER = 4;

/** The limits of a {@link CallQueue}: those of a caller that is alone. Of all callers, four times as many. */
export interface CallQueueLimits {
  readonly callsInFlight: number;
  readonly callsQueued: number;
}

/**
 * Limits the calls that one server executes at a time; further calls wait. Groups of callers have fair shares, and the
 * callers of a group too: each may use as many places as stay free for the others. The waiting calls of different
 * callers take turns.
 */
export class CallQueue {
  readonly #name: string;
  readonly #limits: CallQueueLimits;
  readonly #details: HubErrorOptions;
  /**
   * Of the callers that have calls. The one whose turn is next comes first. If none has any, the last one stays: adding
   * and removing it for each of its calls would replace the tables again and again.
   */
  readonly #shares = new Map<unknown, Share>();
  readonly #groups = new Map<unknown, Group>();
  #inFlight = 0;
  #waiting = 0;

  /** `name` and `details` are those of what is busy, for errors. */
  constructor(name: string, limits: CallQueueLimits, details: HubErrorOptions = {}) {
    this.#name = name;
    this.#limits = limits;
    this.#details = details;
  }

  /** Calls that were sent and have not ended. */
  get inFlight(): number {
    return this.#inFlight;
  }

  /** Calls that wait for a place. */
  get waiting(): number {
    return this.#waiting;
  }

  /** Takes a place. Returns a promise if the call has to wait for it. Call `leave()` when the call has ended. */
  enter(caller: Caller, cancellation: Cancellation): void | Promise<void> {
    const known = this.#shares.get(caller.id);
    const isKnown = known && (known.caller.group === caller.group || !isIdle(known));
    const share = isKnown ? known : this.#addShare(caller);
    if (!this.#mayStart(share)) return this.#waitForPlace(share, cancellation);
    this.#start(share);
  }

  /** Gives the place of an ended call to those that wait. */
  leave(caller: Caller): void {
    const share = this.#shares.get(caller.id);
    if (!share) return;
    share.inFlight--;
    share.group.inFlight--;
    this.#inFlight--;
    if (this.#waiting > 0) this.#startWaiting();
    if (this.#shares.size > 1) this.#forget(share);
  }

  #addShare(caller: Caller): Share {
    const { id, group: groupId } = caller;
    if (this.#shares.size === 1) for (const share of this.#shares.values()) this.#forget(share);
    let group = this.#groups.get(groupId);
    if (!group) {
      group = { callers: 0, inFlight: 0, waiting: 0 };
      this.#groups.set(groupId, group);
    }
    group.callers++;
    const share = { caller, inFlight: 0, waiting: new Set<() => void>(), group };
    this.#shares.set(id, share);
    return share;
  }

  #mayStart({ inFlight, group }: Share): boolean {
    return inFlight < freePlaces(this.#limits.callsInFlight, this.#inFlight, group.inFlight);
  }

  #start(share: Share): void {
    share.inFlight++;
    share.group.inFlight++;
    this.#inFlight++;
  }

  /** A call that waits may start as soon as its caller may, so no new call can overtake it. */
  #startWaiting(): void {
    for (const [id, share] of [...this.#shares]) {
      const [next] = share.waiting;
      if (!next || !this.#mayStart(share)) continue;
      next();
      this.#start(share);
      this.#shares.delete(id);
      this.#shares.set(id, share);
    }
  }

  #forget(share: Share): void {
    if (!isIdle(share)) return;
    const { caller, group } = share;
    const { id, group: groupId } = caller;
    this.#shares.delete(id);
    group.callers--;
    if (group.callers === 0) this.#groups.delete(groupId);
  }

  #waitForPlace(share: Share, cancellation: Cancellation): Promise<void> {
    const { waiting, group } = share;
    if (waiting.size >= freePlaces(this.#limits.callsQueued, this.#waiting, group.waiting)) {
      this.#forget(share);
      const message = `${this.#name} is busy: ${this.#inFlight} calls in flight, ${this.#waiting} waiting; try again later`;
      throw new HubError('overloaded', message, this.#details);
    }
    return new Promise((resolve, reject) => {
      const { reason } = cancellation;
      if (reason) {
        this.#forget(share);
        return reject(reason);
      }
      const end = () => {
        waiting.delete(enter);
        group.waiting--;
        this.#waiting--;
      };
      const stopListening = cancellation.onAbort((reason) => {
        end();
        this.#forget(share);
        reject(reason);
      });
      const enter = () => {
        end();
        stopListening();
        resolve();
      };
      waiting.add(enter);
      group.waiting++;
      this.#waiting++;
    });
  }
}

/** The calls of one MCP server. */
export function serverQueue(server: string, limits: CallQueueLimits): CallQueue {
  return new CallQueue(`server "${server}"`, limits, { server });
}

/** The places that a caller leaves free for the others of its group; of those that the group leaves for the others. */
function freePlaces(ofCaller: number, used: number, usedByGroup: number): number {
  const ofGroup = (PLACES_PER_CALLER * ofCaller - (used - usedByGroup)) / 2;
  return ofGroup - usedByGroup;
}
