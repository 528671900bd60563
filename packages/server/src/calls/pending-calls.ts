import { type RelayedEvent, SMCPError, wireName } from '@a2c/protocol';
import type { Connection, SMCPSocket } from '../rooms/connection.js';
import type { Member } from '../rooms/registry.js';
import { RawAnswer, type RawJson } from '../wire/raw-json.js';
import { sendRequest } from '../wire/requests.js';
import { Deadlines } from './deadlines.js';

/** A request that a Computer has not answered yet. */
export interface PendingCall {
  readonly reqId: string;
  /** The Agent's name at the time of the request, by which the Computer knows the call. */
  readonly agent: string;
  readonly wantsProgress: boolean;
  readonly target: Member;
  /** The Agent's connection: the one that sent the request, or the one it came back with. */
  owner: Connection;
  /** Ends the call with an error. A later answer is dropped. */
  fail(error: SMCPError): void;
}

/** The arguments of an acknowledgement: as they were received, or decoded. */
export type AnswerArgs = RawAnswer | readonly unknown[];

/** Decodes the arguments of an acknowledgement. */
export function decoded(args: AnswerArgs): readonly unknown[] {
  return args instanceof RawAnswer ? args.decode() : args;
}

/** The answer of a Computer. */
export interface Answer {
  readonly args: AnswerArgs;
  readonly bytes: number;
}

/** A request to a Computer. */
export interface OutgoingCall {
  readonly event: RelayedEvent;
  readonly payload: { readonly agent: string; readonly req_id: string; readonly progress?: boolean };
  /** The payload as JSON, if it was received as such. */
  readonly raw?: RawJson | undefined;
  readonly timeoutMs: number;
  /** Called when the answer arrives, before the next packet of the Computer is handled. */
  readonly onAnswer?: (args: AnswerArgs) => void;
}

/** Receives the end of a call that was sent. */
export interface CallOutcome {
  answered(args: AnswerArgs, bytes?: number): void;
  failed(error: SMCPError): void;
}

/** Sends to a Computer on another node. Returns the function that ends the call here: a later answer is dropped. */
export type RemoteSend = (target: Member, call: OutgoingCall, outcome: CallOutcome) => () => void;

/**
 * Sends requests to Computers and keeps the pending ones. Socket.IO's own acknowledgements are not enough: they do not
 * fail when the peer disconnects, and they keep only the first argument.
 */
export class PendingCalls {
  readonly #bySid = new Map<string, Set<PendingCall>>();
  readonly #socketOf: (sid: string) => SMCPSocket | undefined;
  readonly #sendRemote: RemoteSend | undefined;
  readonly #deadlines = new Deadlines();
  #count = 0;

  constructor(socketOf: (sid: string) => SMCPSocket | undefined, sendRemote?: RemoteSend) {
    this.#socketOf = socketOf;
    this.#sendRemote = sendRemote;
  }

  /** How many calls are pending. */
  get count(): number {
    return this.#count;
  }

  /**
   * Sends a request and resolves to its answer.
   *
   * @throws SMCPError when the Computer is gone, answers nothing, or does not answer in time
   */
  send(from: Connection, target: Member, call: OutgoingCall): Promise<Answer> {
    return new Promise<Answer>((resolve, reject) => {
      const pending: PendingCall = {
        reqId: call.payload.req_id,
        agent: call.payload.agent,
        wantsProgress: call.payload.progress === true,
        target,
        owner: from,
        fail: (error) => {
          if (!this.#remove(pending)) return;
          this.#deadlines.remove(deadline);
          forget?.();
          reject(error);
        },
      };
      // Added after sending: a call that cannot be sent throws, which rejects the promise.
      const forget = this.#emit(target, call, {
        answered: (args, bytes = 0) => {
          if (isEmpty(args)) pending.fail(emptyAnswer(target));
          else if (this.#remove(pending)) {
            this.#deadlines.remove(deadline);
            call.onAnswer?.(args);
            resolve({ args, bytes });
          }
        },
        failed: (error) => pending.fail(error),
      });
      const deadline = this.#deadlines.add(call.timeoutMs, {
        expire: () => pending.fail(timedOut(target, call)),
      });
      this.#add(pending);
    });
  }

  /** The pending calls of an id to one Computer whose progress is wanted: several if the Agent repeated one. */
  watched(sid: string, agent: string, reqId: string): readonly PendingCall[] {
    const calls = [...(this.#bySid.get(sid) ?? [])];
    return calls.filter((call) => call.wantsProgress && call.reqId === reqId && call.agent === agent);
  }

  /** Fails the pending calls whose target matches; all of them without a condition. */
  failAll(error: SMCPError, matches: (target: Member) => boolean = () => true): void {
    for (const calls of [...this.#bySid.values()]) {
      for (const call of [...calls]) if (matches(call.target)) call.fail(error);
    }
  }

  /** Fails the pending calls to one Computer. */
  failAllTo(sid: string, error: SMCPError): void {
    for (const call of [...(this.#bySid.get(sid) ?? [])]) call.fail(error);
  }

  /** Returns the function that drops a late answer, if one is needed. */
  #emit(target: Member, call: OutgoingCall, outcome: CallOutcome): (() => void) | undefined {
    const socket = this.#socketOf(target.sid);
    if (!socket) {
      if (!this.#sendRemote) throw computerGone(target);
      return this.#sendRemote(target, call, outcome);
    }
    const name = wireName(call.event, socket.data.connection.generation);
    return sendRequest(socket, name, call.raw ?? call.payload, (answer) => {
      if (answer instanceof RawAnswer) outcome.answered(answer, answer.bytes.length);
      else outcome.failed(refusedAnswer(target));
    });
  }

  #add(pending: PendingCall): void {
    const { sid } = pending.target;
    const calls = this.#bySid.get(sid) ?? new Set();
    this.#bySid.set(sid, calls.add(pending));
    pending.owner.calls.add(pending);
    this.#count++;
  }

  /** Returns false if the call has ended already: only its first outcome counts. */
  #remove(pending: PendingCall): boolean {
    const { sid } = pending.target;
    const calls = this.#bySid.get(sid);
    if (!calls?.delete(pending)) return false;
    if (calls.size === 0) this.#bySid.delete(sid);
    pending.owner.calls.delete(pending);
    this.#count--;
    return true;
  }
}

/** The reason of the error for an empty acknowledgement. Published peers send it for events that they do not know. */
export const EMPTY_ANSWER = 'empty_answer';

/** `gone`: the connection was lost, the Computer may come back with the answer. `left`: it left the office. */
export function computerGone({ name }: Member, reason: 'gone' | 'left' = 'gone'): SMCPError {
  return new SMCPError('NotFound', `Computer "${name}" has ${reason}`, { details: { computer: name, reason } });
}

function timedOut({ name }: Member, { event, timeoutMs }: OutgoingCall): SMCPError {
  const kind = event === 'client:tool_call' ? 'ToolTimeout' : 'Timeout';
  return new SMCPError(kind, `Computer "${name}" did not answer within ${timeoutMs / 1_000} s`, {
    details: { computer: name },
  });
}

function isEmpty(args: AnswerArgs): boolean {
  return args instanceof RawAnswer ? args.isEmpty : args[0] === undefined || args[0] === null;
}

/** The answer is over the limits of JSON. */
export function refusedAnswer({ name }: Member): SMCPError {
  const message = `the answer of Computer "${name}" nests too deeply or has too many values to be passed on`;
  return new SMCPError('InternalError', message, { details: { computer: name } });
}

function emptyAnswer({ name }: Member): SMCPError {
  const message = `Computer "${name}" acknowledged without an answer; it may not know this request`;
  return new SMCPError('InternalError', message, { details: { computer: name, reason: EMPTY_ANSWER } });
}
