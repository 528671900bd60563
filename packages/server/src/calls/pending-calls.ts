import {
  Bag,
  type BagEntry,
  type DeadlineEntry,
  Deadlines,
  META_KEYS,
  type RelayedEvent,
  ShortLivedMap,
  SMCPError,
  wireName,
} from '@a2c/protocol';
import type { Connection, SMCPSocket } from '../rooms/connection.js';
import type { Member } from '../rooms/registry.js';
import { RawAnswer, type RawJson } from '../wire/raw-json.js';
import { sendRequest } from '../wire/requests.js';

/** A request that a Computer has not answered yet. */
export interface PendingCall {
  readonly reqId: string;
  /** The Agent's name at the time of the request, by which the Computer knows the call. */
  readonly agent: string;
  readonly wantsProgress: boolean;
  readonly target: Member;
  /** The Agent's connection: the one that sent the request, or the one it came back with. */
  readonly owner: Connection;
  /** Gives the call to the connection that the Agent came back with. */
  transfer(to: Connection): void;
  /** The Agent has cancelled the call. Where this is not set, the Computer decides on the answer. */
  cancelled?(): void;
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
  /** The identity of the Agent, if the request may be refused: the Server's own requests are part of others. */
  readonly sender?: string | undefined;
  readonly timeoutMs: number;
  /** Called when the answer arrives, before the next packet of the Computer is handled. */
  readonly onAnswer?: (args: AnswerArgs) => void;
}

/** Receives the end of a call that was sent. */
export interface CallOutcome {
  answered(args: AnswerArgs): void;
  failed(error: SMCPError): void;
}

/** Sends to a Computer on another node. Returns the function that ends the call here: a later answer is dropped. */
export type RemoteSend = (target: Member, call: OutgoingCall, outcome: CallOutcome) => () => void;

/** Whether a request of this sender and size may be queued for a Computer. */
export type RequestCheck = (socket: SMCPSocket, sender: string, bytes: number) => boolean;

/** A call that was sent, from its start to its end. */
class SentCall implements PendingCall, CallOutcome {
  readonly target: Member;
  owner: Connection;
  readonly reqId: string;
  readonly agent: string;
  readonly wantsProgress: boolean;
  readonly event: RelayedEvent;
  readonly #timeoutMs: number;
  readonly #onAnswer: OutgoingCall['onAnswer'];
  readonly #calls: PendingCalls;
  readonly #resolve: (answer: Answer) => void;
  readonly #reject: (error: SMCPError) => void;
  #ofOwner: BagEntry<PendingCall>;
  readonly #ofTarget: BagEntry<SentCall>;
  readonly #deadline: DeadlineEntry;
  /** Drops a late answer. */
  readonly #forget: () => void;

  constructor(
    calls: PendingCalls,
    owner: Connection,
    target: Member,
    call: OutgoingCall,
    resolve: (answer: Answer) => void,
    reject: (error: SMCPError) => void,
  ) {
    this.#calls = calls;
    this.owner = owner;
    this.target = target;
    // Not the call: a pending one does not keep its content.
    const { payload, event, timeoutMs, onAnswer } = call;
    this.reqId = payload.req_id;
    this.agent = payload.agent;
    this.wantsProgress = payload.progress === true;
    this.event = event;
    this.#timeoutMs = timeoutMs;
    this.#onAnswer = onAnswer;
    this.#resolve = resolve;
    this.#reject = reject;
    // First, because a call that cannot be sent throws.
    this.#forget = calls.emit(target, call, this);
    this.#ofOwner = owner.calls.add(this);
    this.#ofTarget = calls.add(this);
    this.#deadline = calls.deadlines.add(timeoutMs, this);
  }

  answered(args: AnswerArgs): void {
    if (isEmpty(args)) this.fail(emptyAnswer(this.target));
    else if (this.#end()) {
      this.#onAnswer?.(args);
      this.#resolve({ args, bytes: args instanceof RawAnswer ? bytesOf(args) : 0 });
    }
  }

  failed(error: SMCPError): void {
    this.fail(error);
  }

  expire(): void {
    this.fail(timedOut(this.target, this.event, this.#timeoutMs));
  }

  fail(error: SMCPError): void {
    if (!this.#end()) return;
    this.#forget();
    this.#reject(error);
  }

  transfer(to: Connection): void {
    if (!this.owner.calls.remove(this.#ofOwner)) return;
    this.owner = to;
    this.#ofOwner = to.calls.add(this);
  }

  /** Returns false if the call has ended already: only its first outcome counts. */
  #end(): boolean {
    if (!this.owner.calls.remove(this.#ofOwner)) return false;
    this.#calls.remove(this.target, this.#ofTarget);
    this.#calls.deadlines.remove(this.#deadline);
    return true;
  }
}

/**
 * Sends requests to Computers and keeps the pending ones. Socket.IO's own acknowledgements are not enough: they do not
 * fail when the peer disconnects, and they keep only the first argument.
 */
export class PendingCalls {
  readonly deadlines = new Deadlines();
  readonly #bySid = new ShortLivedMap<string, Bag<SentCall>>();
  readonly #socketOf: (sid: string) => SMCPSocket | undefined;
  readonly #takesRequest: RequestCheck;
  readonly #sendRemote: RemoteSend | undefined;
  #count = 0;

  constructor(socketOf: (sid: string) => SMCPSocket | undefined, takesRequest: RequestCheck, sendRemote?: RemoteSend) {
    this.#socketOf = socketOf;
    this.#takesRequest = takesRequest;
    this.#sendRemote = sendRemote;
  }

  /** How many calls are pending. */
  get count(): number {
    return this.#count;
  }

  /**
   * Sends a request and resolves to its answer.
   *
   * @throws SMCPError when too much is queued for the Computer, it is gone, answers nothing, or does not answer in time
   */
  send(from: Connection, target: Member, call: OutgoingCall): Promise<Answer> {
    return new Promise<Answer>((resolve, reject) => {
      new SentCall(this, from, target, call, resolve, reject);
    });
  }

  /** The pending calls of an id to one Computer whose progress is wanted: several if the Agent repeated one. */
  watched(sid: string, agent: string, reqId: string): readonly PendingCall[] {
    const calls = this.#bySid.get(sid)?.values() ?? [];
    return calls.filter((call) => call.wantsProgress && call.reqId === reqId && call.agent === agent);
  }

  /** Fails the pending calls whose target matches; all of them without a condition. */
  failAll(error: SMCPError, matches: (target: Member) => boolean = () => true): void {
    for (const calls of this.#bySid.values()) {
      for (const call of calls.values()) if (matches(call.target)) call.fail(error);
    }
  }

  /**
   * Fails the pending calls to one Computer. The error is created if there is one: many may leave at once.
   */
  failAllTo(sid: string, error: (event: RelayedEvent) => SMCPError): void {
    for (const call of this.#bySid.get(sid)?.values() ?? []) call.fail(error(call.event));
  }

  /** Sends a request. Returns the function that drops a late answer. */
  emit(target: Member, call: OutgoingCall, outcome: CallOutcome): () => void {
    const socket = this.#socketOf(target.sid);
    if (!socket) {
      if (!this.#sendRemote) throw computerGone(target);
      return this.#sendRemote(target, call, outcome);
    }
    const { member, pendingTransition } = socket.data.connection;
    if (member?.office !== target.office && !pendingTransition) throw computerGone(target, 'left');
    if (call.sender !== undefined && !this.#takesRequest(socket, call.sender, bytesOf(call.raw))) {
      throw new ComputerBusy(target);
    }
    const name = wireName(call.event, socket.data.connection.generation);
    return sendRequest(socket, name, call.raw ?? call.payload, target.office, (answer) => {
      if (answer instanceof RawAnswer) outcome.answered(answer);
      else outcome.failed(refusedAnswer(target));
    });
  }

  add(call: SentCall): BagEntry<SentCall> {
    const { sid } = call.target;
    let calls = this.#bySid.get(sid);
    if (!calls) {
      calls = new Bag();
      this.#bySid.set(sid, calls);
    }
    this.#count++;
    return calls.add(call);
  }

  remove({ sid }: Member, entry: BagEntry<SentCall>): void {
    const calls = this.#bySid.get(sid);
    if (!calls?.remove(entry)) return;
    this.#count--;
    if (calls.size === 0) this.#bySid.remove(sid);
  }
}

/** The reason of the error for an empty acknowledgement. Published peers send it for events that they do not know. */
export const EMPTY_ANSWER = 'empty_answer';

/** `gone`: the connection was lost, the Computer may come back with the answer. `left`: it left the office. */
export function computerGone({ name }: Member, reason: 'gone' | 'left' = 'gone'): SMCPError {
  return new SMCPError('NotFound', `Computer "${name}" has ${reason}`, { details: { computer: name, reason } });
}

/** As `computerGone`, for a tool call that was sent. Without a `cause`, which is logged as a fault of the Server. */
export function calledComputerGone(target: Member, reason: 'gone' | 'left'): SMCPError {
  const { kind, message, details } = computerGone(target, reason);
  return new SMCPError(kind, `${message}; the call was sent and may have run`, {
    details: { ...details, [META_KEYS.execution]: 'unknown' },
  });
}

/** More is queued for the Computer than its line carries. The request was not sent. */
export class ComputerBusy extends SMCPError {
  constructor({ name }: Pick<Member, 'name'>) {
    super('TooManyRequests', `too much is queued for Computer "${name}"; wait and try again`, {
      details: { computer: name, retry_after: 1 },
    });
  }
}

/** The size of a message with its attachments. One that was not received as JSON is small. */
export function bytesOf(raw: RawJson | undefined): number {
  let bytes = raw?.bytes.length ?? 0;
  for (const attachment of raw?.attachments ?? []) bytes += attachment.length;
  return bytes;
}

/** The Computer has not answered in time. */
export function timedOut({ name }: Member, event: RelayedEvent, timeoutMs: number): SMCPError {
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
