import type { Connection } from '../rooms/connection.js';
import type { LeaveReason } from '../rooms/membership.js';
import { isSameIdentity, type Member, type OfficeRegistry } from '../rooms/registry.js';
import type { Relay } from './relay.js';

/**
 * How often to check on an Agent that came back on another node, while calls of its old connection are pending here.
 */
const REMOTE_CHECK_MS = 1_000;

export interface ReconnectGraceOptions {
  readonly registry: OfficeRegistry;
  readonly relay: Relay;
  /** The connection of a socket on this node. */
  readonly connectionOf: (sid: string) => Connection | undefined;
  readonly graceMs: number;
}

/** Keeps the pending calls of an Agent whose connection was lost for a while, in case it reconnects. */
export class ReconnectGrace {
  readonly #options: ReconnectGraceOptions;
  readonly #timers = new Set<NodeJS.Timeout>();

  constructor(options: ReconnectGraceOptions) {
    this.#options = options;
  }

  /**
   * Cancels the calls of an Agent that left. Those of a lost connection are settled later; those of a replaced one at
   * once, so that the new connection has them before it can cancel them.
   */
  connectionEnded(connection: Connection, member: Member, reason: LeaveReason): void {
    if (connection.calls.size === 0) return;
    if (reason === 'left') this.#options.relay.cancelAll(connection);
    else if (reason === 'lost') this.#settleIn(this.#options.graceMs, connection, member);
    else void this.#settle(connection, member);
  }

  #settleIn(ms: number, connection: Connection, member: Member): void {
    const timer = setTimeout(() => {
      this.#timers.delete(timer);
      void this.#settle(connection, member);
    }, ms).unref();
    this.#timers.add(timer);
  }

  /** The Server closes: nothing is settled any more. */
  close(): void {
    for (const timer of this.#timers) clearTimeout(timer);
  }

  /**
   * Transfers the calls to the Agent's new connection, or cancels them if there is none. If the new connection is on
   * another node, they stay pending here, because the Agent gets their results by repeating their ids, and are checked
   * again.
   */
  async #settle(connection: Connection, member: Member): Promise<void> {
    const { registry, relay, connectionOf } = this.#options;
    const members = await registry.members(member.office); // never rejects: without Redis it returns the local members
    const current = members.find(
      (each) => each.role === 'agent' && each.name === member.name && isSameIdentity(member, each),
    );
    const successor = current && connectionOf(current.sid);
    if (successor) transferCalls(connection, successor);
    else if (!current) relay.cancelAll(connection);
    else if (connection.calls.size > 0) this.#settleIn(REMOTE_CHECK_MS, connection, member);
  }
}

function transferCalls(from: Connection, to: Connection): void {
  for (const call of from.calls.values()) call.transfer(to);
}
