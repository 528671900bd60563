import type { SMCPError } from '@a2c/protocol';
import { Deadlines } from '../calls/deadlines.js';
import { type CallOutcome, computerGone, type OutgoingCall, tooDeepAnswer } from '../calls/pending-calls.js';
import type { SMCPSocket } from '../rooms/connection.js';
import type { Member } from '../rooms/registry.js';
import { RawAnswer, RawJson } from '../wire/raw-json.js';
import { sendRequest } from '../wire/requests.js';
import { decodeMessages, encodeMessages, type NodeHeader, type NodeMessage } from './node-messages.js';

export interface RemoteCallsOptions {
  readonly node: string;
  /** Publishes to one node. Resolves when Redis has the message. */
  readonly publish: (node: string, message: Buffer) => Promise<void>;
  readonly socketOf: (sid: string) => SMCPSocket | undefined;
  /** The name of the event for the peer of a socket. */
  readonly wireName: (event: string, socket: SMCPSocket) => string;
}

interface RemoteCall {
  readonly target: Member;
  readonly outcome: CallOutcome;
  /** Redis has the request. */
  isPublished: boolean;
}

const NOTHING = Buffer.alloc(0);

/**
 * Requests to Computers on other nodes, one message to the node of the Computer and one back. Socket.IO's adapter would
 * send each request to all nodes, encode it again on each, and keep every answer until the timeout of its call.
 */
export class RemoteCalls {
  readonly #options: RemoteCallsOptions;
  readonly #pending = new Map<number, RemoteCall>();
  readonly #deadlines = new Deadlines();
  readonly #outgoing = new Map<string, NodeMessage[]>();
  #nextId = 0;

  constructor(options: RemoteCallsOptions) {
    this.#options = options;
  }

  /** Returns the function that ends the call here: a later answer is dropped. */
  send(target: Member, { event, payload, raw, timeoutMs }: OutgoingCall, outcome: CallOutcome): () => void {
    const id = this.#nextId++;
    const { bytes, attachments } = raw ?? new RawJson(Buffer.from(JSON.stringify(payload)));
    this.#pending.set(id, { target, outcome, isPublished: false });
    const { node: from } = this.#options;
    this.#send(target.node, { kind: 'call', id, from, sid: target.sid, event, timeoutMs }, bytes, attachments);
    return () => void this.#pending.delete(id);
  }

  /** Handles what another node has published. */
  receive(published: Buffer): void {
    for (const message of decodeMessages(published)) {
      if (message.header.kind === 'call') this.#forward(message.header, message);
      else this.#settle(message.header, message);
    }
  }

  #forward(header: NodeHeader & { readonly kind: 'call' }, { json, attachments }: NodeMessage): void {
    const { id, from, sid, event, timeoutMs } = header;
    const { socketOf, wireName } = this.#options;
    const socket = socketOf(sid);
    if (!socket) {
      this.#send(from, { kind: 'failed', id, reason: 'gone' }, NOTHING, []);
      return;
    }
    const forget = sendRequest(socket, wireName(event, socket), new RawJson(json, attachments), (answer) => {
      this.#deadlines.remove(deadline);
      if (answer instanceof RawAnswer) {
        const { bytes, attachments: parts, isEmpty } = answer;
        this.#send(from, { kind: 'answer', id, isEmpty }, bytes, parts);
      } else this.#send(from, { kind: 'failed', id, reason: 'too-deep' }, NOTHING, []);
    });
    const deadline = this.#deadlines.add(timeoutMs, { expire: forget });
  }

  #settle(header: NodeHeader, { json, attachments }: NodeMessage): void {
    const call = this.#pending.get(header.id);
    if (!call) return;
    this.#pending.delete(header.id);
    const { target, outcome } = call;
    if (header.kind === 'answer') outcome.answered(new RawAnswer(json, attachments, header.isEmpty), json.length);
    else
      outcome.failed(
        header.kind === 'failed' && header.reason === 'gone' ? computerGone(target) : tooDeepAnswer(target),
      );
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
    const outgoing = [...this.#outgoing];
    this.#outgoing.clear();
    for (const [node, messages] of outgoing) {
      void this.#options.publish(node, encodeMessages(messages)).then(() => this.#published(messages));
    }
  }

  #published(messages: readonly NodeMessage[]): void {
    for (const { header } of messages) {
      const call = header.kind === 'call' ? this.#pending.get(header.id) : undefined;
      if (call) call.isPublished = true;
    }
  }

  /** Fails the calls that Redis did not take. */
  failUnpublished(error: SMCPError): void {
    for (const { outcome, isPublished } of [...this.#pending.values()]) if (!isPublished) outcome.failed(error);
  }
}
