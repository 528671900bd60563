import { type RelayedEvent, SMCPError, wireName } from '@a2c/protocol';
import type { Connection, SMCPSocket } from '../rooms/connection.js';
import type { Occupant } from '../rooms/registry.js';

/** A request on its way to a Computer, until its answer, its deadline, or the end of either side. */
export interface PendingCall {
  readonly reqId: string;
  /** The agent name the Computer knows the call by. */
  readonly agent: string;
  readonly target: Occupant;
  /** Whose it is: whoever asked, or the connection that came back in its place. */
  owner: Connection;
  /** Ends it with an error; later answers are dropped. */
  fail(error: SMCPError): void;
}

export interface Answer {
  /** The acknowledgement's arguments, as the Computer gave them. */
  readonly args: readonly unknown[];
  readonly bytes: number;
}

export interface OutgoingCall {
  readonly event: RelayedEvent;
  readonly payload: { readonly agent: string; readonly req_id: string };
  readonly timeoutMs: number;
  /** Sees the answer in the moment it arrives, before whatever the Computer sends next. */
  readonly onAnswer?: (args: readonly unknown[]) => void;
}

/** What becomes of a call that was sent. */
export interface Outcome {
  answered(args: readonly unknown[], bytes?: number): void;
  expired(): void;
}

/** Sends to a Computer on another node; the first outcome counts. */
export type RemoteSend = (target: Occupant, call: OutgoingCall, outcome: Outcome) => void;

/**
 * Our own pending table, because Socket.IO has none on the server side: its acknowledgements neither end when the peer
 * disconnects nor keep more than the first argument.
 */
export class Forwarder {
  readonly #bySid = new Map<string, Set<PendingCall>>();
  readonly #socketOf: (sid: string) => SMCPSocket | undefined;
  readonly #sendRemote: RemoteSend | undefined;
  #inFlight = 0;

  constructor(socketOf: (sid: string) => SMCPSocket | undefined, sendRemote?: RemoteSend) {
    this.#socketOf = socketOf;
    this.#sendRemote = sendRemote;
  }

  get inFlight(): number {
    return this.#inFlight;
  }

  forward(from: Connection, target: Occupant, call: OutgoingCall): Promise<Answer> {
    return new Promise<Answer>((resolve, reject) => {
      const pending: PendingCall = {
        reqId: call.payload.req_id,
        agent: call.payload.agent,
        target,
        owner: from,
        fail: (error) => {
          if (this.#forget(pending)) reject(error);
        },
      };
      // What cannot be sent is not remembered: a throw rejects the promise.
      this.#send(target, call, {
        answered: (args, bytes = 0) => {
          if (args[0] === undefined || args[0] === null) pending.fail(emptyAnswer(target));
          else if (this.#forget(pending)) {
            call.onAnswer?.(args);
            resolve({ args, bytes });
          }
        },
        expired: () => pending.fail(tooLate(target, call)),
      });
      this.#remember(pending);
    });
  }

  /** Ends every call to this Computer at once. */
  failAllTo(sid: string, error: SMCPError): void {
    for (const call of [...(this.#bySid.get(sid) ?? [])]) call.fail(error);
  }

  failAll(error: SMCPError): void {
    for (const calls of [...this.#bySid.values()]) for (const call of [...calls]) call.fail(error);
  }

  failAllOnNode(node: string, error: SMCPError): void {
    for (const calls of [...this.#bySid.values()])
      for (const call of [...calls]) if (call.target.node === node) call.fail(error);
  }

  #send(target: Occupant, call: OutgoingCall, outcome: Outcome): void {
    const socket = this.#socketOf(target.sid);
    if (!socket) {
      if (!this.#sendRemote) throw gone(target);
      this.#sendRemote(target, call, outcome);
      return;
    }
    const { connection } = socket.data;
    const name = wireName(call.event, connection.dialect ?? 'sdk');
    (socket.timeout(call.timeoutMs) as unknown as AckEmitter).emit(name, call.payload, (error, ...args) => {
      if (error) outcome.expired();
      else outcome.answered(args, connection.packetBytes);
    });
  }

  #remember(pending: PendingCall): void {
    const { sid } = pending.target;
    const calls = this.#bySid.get(sid) ?? new Set();
    this.#bySid.set(sid, calls.add(pending));
    pending.owner.calls.add(pending);
    this.#inFlight++;
  }

  /** False when the call was over already: only its first outcome counts. */
  #forget(pending: PendingCall): boolean {
    const { sid } = pending.target;
    const calls = this.#bySid.get(sid);
    if (!calls?.delete(pending)) return false;
    if (calls.size === 0) this.#bySid.delete(sid);
    pending.owner.calls.delete(pending);
    this.#inFlight--;
    return true;
  }
}

interface AckEmitter {
  emit(name: string, payload: unknown, ack: (error: Error | null, ...args: unknown[]) => void): void;
}

/** `gone` may be back soon, and have the answer then; `left` has said goodbye. */
export function gone({ name }: Occupant, reason: 'gone' | 'left' = 'gone'): SMCPError {
  return new SMCPError('NotFound', `Computer "${name}" has ${reason}`, { details: { computer: name, reason } });
}

function tooLate({ name }: Occupant, { event, timeoutMs }: OutgoingCall): SMCPError {
  const seconds = timeoutMs / 1_000;
  const kind = event === 'client:tool_call' ? 'ToolTimeout' : 'Timeout';
  return new SMCPError(kind, `Computer "${name}" did not answer within ${seconds} s`, { details: { computer: name } });
}

function emptyAnswer({ name }: Occupant): SMCPError {
  return new SMCPError(
    'InternalError',
    `Computer "${name}" acknowledged without an answer; it may not know this request`,
    {
      details: { computer: name },
    },
  );
}
