import {
  LiveList,
  type OperatorHandlers,
  type OperatorMember,
  type OperatorMovement,
  type OperatorNode,
  type OperatorPart,
  type OperatorRefusal,
  type RelayedCall,
  type SMCPError,
  type ToolCallReq,
} from '@a2c/protocol';
import type { Connection } from '../rooms/connection.js';
import type { LeaveReason } from '../rooms/membership.js';
import type { Member } from '../rooms/registry.js';
import type { AuditRecord } from './audit.js';
import { measureRoundTrip } from './round-trip.js';

export interface OperatorFeedOptions {
  readonly limits: Readonly<Record<string, number>>;
  readonly isReady: () => boolean;
  readonly kick: (sid: string, by: string) => boolean;
  readonly cancel: (connection: Connection, reqId: string) => void;
}

/** How many calls, movements and refusals are kept. */
const KEPT = { calls: 2_000, movements: 200, refusals: 200 };

interface CallEntry {
  readonly connection: Connection;
  audit?: AuditRecord;
}

/** What a Server offers to operators: its members, joins and leaves, refusals and tool calls, of this node. */
export class OperatorFeed implements OperatorPart {
  readonly #options: OperatorFeedOptions;
  readonly #members = new LiveList<OperatorMember>({ id: ({ sid }) => sid });
  readonly #movements = new LiveList<OperatorMovement>({ id: ({ id }) => id, limit: KEPT.movements });
  readonly #refusals = new LiveList<OperatorRefusal>({ id: ({ id }) => id, limit: KEPT.refusals });
  readonly #calls = new LiveList<RelayedCall>({ id: ({ id }) => id, limit: KEPT.calls });
  readonly #entries = new Map<string, CallEntry>();
  readonly #roundTrips = new WeakMap<Connection, number>();
  #count = 0;

  constructor(options: OperatorFeedOptions) {
    this.#options = options;
  }

  readonly handlers: OperatorHandlers = {
    offices: () => ({ node: this.#node(), members: this.#members.items }),
    kick: ({ sid }, { subject }) => (this.#options.kick(sid, subject) ? {} : undefined),
    call: ({ id }) => {
      const relayed = this.#calls.get(id);
      const audit = this.#entries.get(id)?.audit;
      return relayed && { relayed, ...(audit && { audit }) };
    },
    cancel: ({ id }) => {
      const call = this.#calls.get(id);
      const entry = this.#entries.get(id);
      if (!call || !entry) return undefined;
      if (call.verdict === undefined) this.#options.cancel(entry.connection, call.reqId);
      return {};
    },
  };

  follow(send: Parameters<OperatorPart['follow']>[0]): () => void {
    send('node', this.#node());
    const stops = [
      this.#members.follow((change) => send('members', change)),
      this.#movements.follow((change) => send('movements', change)),
      this.#refusals.follow((change) => send('refusals', change)),
      this.#calls.follow((change) => send('relayed', change)),
    ];
    return () => {
      for (const stop of stops) stop();
    };
  }

  /** A connection was opened, joined or left an office, or showed its generation. */
  connectionChanged(connection: Connection): void {
    const { id: sid, identity, address, connectedAt, member, version, generation } = connection;
    const roundTripMs = this.#roundTrips.get(connection);
    this.#members.set({
      sid,
      subject: identity.subject,
      address,
      since: new Date(connectedAt).toISOString(),
      ...(member && { office: member.office, role: member.role, name: member.name }),
      ...(version !== undefined && { version }),
      ...(generation !== undefined && { generation }),
      ...(roundTripMs !== undefined && { roundTripMs }),
    });
  }

  connectionClosed({ id }: Connection): void {
    this.#members.remove(id);
  }

  moved({ office, role, name }: Member, what: 'joined' | LeaveReason, connection: Connection): void {
    if (connection.socket.connected) {
      this.connectionChanged(connection);
      if (what === 'joined' && !this.#roundTrips.has(connection)) this.#measure(connection);
    }
    this.#movements.set({ id: this.#nextId(), time: new Date().toISOString(), office, role, name, what });
  }

  refused(refusal: Omit<OperatorRefusal, 'id' | 'time'>): void {
    this.#refusals.set({ ...refusal, id: this.#nextId(), time: new Date().toISOString() });
  }

  /** Returns the id of the call, for the following events of it. */
  callReceived(connection: Connection, { req_id, computer, tool_name }: ToolCallReq, bytesIn: number): string {
    const { office, name } = connection.member ?? { office: '', name: '' };
    const id = callId({ office, name }, req_id);
    const agentRoundTripMs = this.#roundTrips.get(connection);
    const names = { office, agent: name, computer, tool: tool_name, reqId: req_id };
    const call = {
      id,
      ...names,
      receivedAt: now(),
      bytesIn,
      ...(agentRoundTripMs !== undefined && { agentRoundTripMs }),
    };
    // A repeated `req_id` is a new entry at the end of the list.
    this.#calls.remove(id);
    this.#calls.set(call);
    this.#entries.set(id, { connection });
    for (const oldest of this.#entries.keys()) {
      if (this.#entries.size <= KEPT.calls) break;
      this.#entries.delete(oldest);
    }
    return id;
  }

  /** A request was sent to a Computer, which an old Agent may have named by the id of its connection. */
  readonly requestRelayed = ({ member }: Connection, event: string, reqId: string, computer: string): void => {
    if (event !== 'client:tool_call' || !member) return;
    const call = this.#calls.get(callId(member, reqId));
    if (call) this.#calls.set({ ...call, computer, relayedAt: now() });
  };

  callAnswered(id: string, audit: AuditRecord, error: SMCPError | undefined): void {
    const call = this.#calls.get(id);
    const entry = this.#entries.get(id);
    if (!call || !entry) return;
    entry.audit = audit;
    this.#calls.set({
      ...call,
      answeredAt: now(),
      verdict: audit.verdict,
      ...(error && { code: error.a2cCode ?? error.code, message: error.message }),
      bytesOut: Number(audit.bytes_out ?? 0),
    });
  }

  /** Records a request that was refused. Failures of Computers and tools are no refusals. */
  requestRefused(connection: Connection, event: string, error: SMCPError): void {
    if (error.code < 400 || error.code >= 500 || error.code === 408) return;
    const { identity, address, member } = connection;
    const { kind: reason, code, message } = error;
    const office = member && { office: member.office };
    this.refused({ event, reason, code, message, address, subject: identity.subject, ...office });
  }

  #measure(connection: Connection): void {
    measureRoundTrip(connection.socket, (ms) => {
      this.#roundTrips.set(connection, ms);
      if (connection.socket.connected) this.connectionChanged(connection);
    });
  }

  #node(): OperatorNode {
    return { limits: this.#options.limits, isReady: this.#options.isReady() };
  }

  #nextId(): string {
    this.#count += 1;
    return String(this.#count);
  }
}

function callId({ office, name }: Pick<Member, 'office' | 'name'>, reqId: string): string {
  return JSON.stringify([office, name, reqId]);
}

/** Milliseconds since 1970, with fractions. */
function now(): number {
  return performance.timeOrigin + performance.now();
}
