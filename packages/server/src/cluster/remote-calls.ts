import { Deadlines, META_KEYS, ShortLivedMap, SMCPError } from '@a2c/protocol';
import {
  bytesOf,
  type CallOutcome,
  ComputerBusy,
  computerGone,
  type OutgoingCall,
  type RequestCheck,
  refusedAnswer,
} from '../calls/pending-calls.js';
import type { SMCPSocket } from '../rooms/connection.js';
import type { Member } from '../rooms/registry.js';
import { RawAnswer, RawJson } from '../wire/raw-json.js';
import { sendRequest } from '../wire/requests.js';
import type { Delivery } from './adapter-clients.js';
import {
  decodeMessages,
  encodeMessages,
  type FailureReason,
  type NodeHeader,
  type NodeMessage,
} from './node-messages.js';

export interface RemoteCallsOptions {
  readonly node: string;
  /** Sends a message to a node now or not at all. */
  readonly sendOnce: (node: string, message: Buffer) => Promise<Delivery>;
  /** Sends a message to a node that may arrive late or twice. */
  readonly send: (node: string, message: Buffer) => void;
  /** The error of a call while Redis is away. */
  readonly unavailable: () => SMCPError;
  readonly socketOf: (sid: string) => SMCPSocket | undefined;
  readonly takesRequest: RequestCheck;
  /** The name of the event for the peer of a socket. */
  readonly wireName: (event: string, socket: SMCPSocket) => string;
}

interface RemoteCall {
  readonly id: number;
  readonly target: Member;
  readonly outcome: CallOutcome;
  /** Redis has the request. */
  isPublished: boolean;
}

/** How a call ended. */
type Ended = Extract<NodeHeader, { readonly kind: 'answer' | 'failed' }>;

const NOTHING = Buffer.alloc(0);

/**
 * Requests to Computers on other nodes, one message to the node of the Computer and one back. Socket.IO's adapter would
 * send each request to all nodes, encode it again on each, and keep every answer until the timeout of its call.
 */
export class RemoteCalls {
  readonly #options: RemoteCallsOptions;
  readonly #pending = new ShortLivedMap<number, RemoteCall>();
  readonly #deadlines = new Deadlines();
  #outgoing = new Map<string, NodeMessage[]>();
  /** The calls of other nodes that Computers of this node have not answered. */
  readonly #forwarded = new ShortLivedMap<string, true>();
  /** How many of them each Computer has, by its connection. */
  readonly #forwardedTo = new Map<string, number>();
  #nextId = 0;

  constructor(options: RemoteCallsOptions) {
    this.#options = options;
  }

  /** Returns the function that ends the call here: a later answer is dropped. */
  send(target: Member, { event, payload, raw, sender, timeoutMs }: OutgoingCall, outcome: CallOutcome): () => void {
    const id = this.#nextId++;
    const { bytes, attachments } = raw ?? new RawJson(Buffer.from(JSON.stringify(payload)));
    this.#pending.set(id, { id, target, outcome, isPublished: false });
    const { node: from } = this.#options;
    const { sid, office } = target;
    const header = { kind: 'call', id, from, sid, office, event, sender, timeoutMs } as const;
    this.#send(target.node, header, bytes, attachments);
    return () => void this.#pending.remove(id);
  }

  /** Whether a Computer of this node has a call of another node. */
  hasForwarded(sid: string): boolean {
    return this.#forwardedTo.has(sid);
  }

  /** Handles what another node has published. */
  receive(published: Buffer): void {
    for (const message of decodeMessages(published)) {
      const { header } = message;
      if (header.kind === 'call') this.#forward(header, message);
      else if (header.kind === 'check') this.#checkForwarded(header);
      else this.#settle(header, message);
    }
  }

  /**
   * Checks the calls to a node, or to all: messages were lost while one of the two nodes was not subscribed. The
   * messages of a node keep their order, so a call that is not pending there has no answer that is still to come.
   */
  check(node?: string): void {
    const { node: from } = this.#options;
    for (const { id: call, target, isPublished } of this.#pending.values()) {
      if (!isPublished || (node !== undefined && target.node !== node)) continue;
      this.#send(target.node, { kind: 'check', call, from, sid: target.sid }, NOTHING, []);
    }
  }

  #checkForwarded({ call: id, from, sid }: NodeHeader & { readonly kind: 'check' }): void {
    const isHere = this.#options.socketOf(sid) !== undefined;
    if (isHere && this.#forwarded.get(keyOf(from, id))) return;
    this.#send(from, { kind: 'failed', id, reason: isHere ? 'lost' : 'gone' }, NOTHING, []);
  }

  #forward(header: NodeHeader & { readonly kind: 'call' }, message: NodeMessage): void {
    const { id, from, sid, office, event, sender, timeoutMs } = header;
    const { json, attachments } = message;
    const { socketOf, takesRequest, wireName } = this.#options;
    const socket = socketOf(sid);
    const { member, pendingTransition } = socket?.data.connection ?? {};
    const isElsewhere = office !== undefined && member?.office !== office;
    if (isElsewhere && pendingTransition !== undefined) {
      void pendingTransition.then(() => this.#forward(header, message)); // It may be joining this office.
      return;
    }
    if (!socket || isElsewhere) {
      this.#send(from, { kind: 'failed', id, reason: 'gone' }, NOTHING, []);
      return;
    }
    const request = new RawJson(json, attachments);
    if (sender !== undefined && !takesRequest(socket, sender, bytesOf(request))) {
      this.#send(from, { kind: 'failed', id, reason: 'busy' }, NOTHING, []);
      return;
    }
    const key = keyOf(from, id);
    this.#forwarded.set(key, true);
    this.#forwardedTo.set(sid, (this.#forwardedTo.get(sid) ?? 0) + 1);
    const remove = () => {
      this.#forwarded.remove(key);
      const left = (this.#forwardedTo.get(sid) ?? 1) - 1;
      if (left > 0) this.#forwardedTo.set(sid, left);
      else this.#forwardedTo.delete(sid);
    };
    const forget = sendRequest(socket, wireName(event, socket), request, office ?? member?.office, (answer) => {
      this.#deadlines.remove(deadline);
      remove();
      if (answer instanceof RawAnswer) {
        const { bytes, attachments: parts, isEmpty } = answer;
        this.#send(from, { kind: 'answer', id, isEmpty }, bytes, parts);
      } else this.#send(from, { kind: 'failed', id, reason: 'refused' }, NOTHING, []);
    });
    const expire = () => {
      remove();
      forget();
    };
    const deadline = this.#deadlines.add(timeoutMs, { expire });
  }

  #settle(header: Ended, { json, attachments }: NodeMessage): void {
    const call = this.#pending.remove(header.id);
    if (!call) return;
    const { target, outcome } = call;
    if (header.kind === 'answer') outcome.answered(new RawAnswer(json, attachments, header.isEmpty));
    else outcome.failed(FAILURES[header.reason](target));
  }

  #send(node: string, header: NodeHeader, json: Buffer, attachments: readonly Buffer[]): void {
    const message = { header, json, attachments };
    const queued = this.#outgoing.get(node);
    if (queued) {
      queued.push(message);
      return;
    }
    if (this.#outgoing.size === 0) setImmediate(() => this.#publish());
    this.#outgoing.set(node, [message]);
  }

  #publish(): void {
    const outgoing = this.#outgoing;
    this.#outgoing = new Map();
    for (const [node, messages] of outgoing) {
      void this.#options.sendOnce(node, encodeMessages(messages)).then((delivery) => {
        for (const { header } of messages) if (header.kind === 'call') this.#published(header.id, delivery);
        const others = messages.filter(({ header }) => header.kind !== 'call');
        if (typeof delivery !== 'number' && others.length > 0) this.#options.send(node, encodeMessages(others));
      });
    }
  }

  /** A call is not sent again if it may have arrived: it would run twice, or when its caller has given up. */
  #published(id: number, delivery: Delivery): void {
    const call = this.#pending.get(id);
    if (!call) return;
    if (typeof delivery === 'number' && delivery > 0) {
      call.isPublished = true;
      return;
    }
    this.#pending.remove(id);
    const { target, outcome } = call;
    if (delivery === 'unsent') outcome.failed(this.#options.unavailable());
    else outcome.failed(delivery === 'unconfirmed' ? requestUnconfirmed(target) : nodeUnreachable(target));
  }
}

/** The node of the Computer has crashed, or is connecting to Redis. */
function nodeUnreachable({ name }: Member): SMCPError {
  return new SMCPError('Unavailable', `the node of Computer "${name}" does not receive requests; try again`, DETAILS);
}

function answerLost({ name }: Member): SMCPError {
  return new SMCPError('Unavailable', `the answer of Computer "${name}" was lost; try again`, MAY_HAVE_RUN);
}

function requestUnconfirmed({ name }: Member): SMCPError {
  const message = `Redis has not confirmed the request to Computer "${name}", which may have arrived; try again`;
  return new SMCPError('Unavailable', message, MAY_HAVE_RUN);
}

const DETAILS = { details: { reason: 'redis', retry_after: 1 } };
const MAY_HAVE_RUN = { details: { ...DETAILS.details, [META_KEYS.execution]: 'unknown' } };

const FAILURES: Readonly<Record<FailureReason, (target: Member) => SMCPError>> = {
  gone: computerGone,
  refused: refusedAnswer,
  lost: answerLost,
  busy: (target) => new ComputerBusy(target),
};

function keyOf(node: string, id: number): string {
  return `${node} ${id}`;
}
