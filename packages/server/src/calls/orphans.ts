import type { Connection } from '../rooms/connection.js';
import type { Vacated } from '../rooms/membership.js';
import type { Occupant, OfficeRegistry } from '../rooms/registry.js';
import type { Relay } from './relay.js';

/** How often an Agent that came back on another node is looked for while calls of its old connection go on. */
const ELSEWHERE_LOOK_MS = 1_000;

export interface OrphansOptions {
  readonly registry: OfficeRegistry;
  readonly relay: Relay;
  /** The connection of a socket on this node. */
  readonly connectionOf: (sid: string) => Connection | undefined;
  readonly graceSeconds: number;
}

/** The calls of Agents whose connection has ended. */
export class Orphans {
  readonly #options: OrphansOptions;

  constructor(options: OrphansOptions) {
    this.#options = options;
  }

  leftBy(connection: Connection, seat: Occupant, why: Vacated): void {
    if (connection.calls.size === 0) return;
    if (why === 'left') this.#options.relay.abandon(connection);
    else this.#settleLater(connection, seat, why === 'lost' ? this.#options.graceSeconds * 1_000 : 0);
  }

  #settleLater(connection: Connection, seat: Occupant, ms: number): void {
    setTimeout(() => void this.#settle(connection, seat), ms).unref();
  }

  /**
   * Its Agent's again if it is back, else cancelled. While the Agent sits on another node they go on here, to be answered
   * there when it repeats their ids, and are looked at again.
   */
  async #settle(connection: Connection, seat: Occupant): Promise<void> {
    const { registry, relay, connectionOf } = this.#options;
    const occupants = await registry.occupants(seat.office); // never fails: without Redis it knows the local ones
    const back = occupants.find(
      ({ role, name, subject }) => role === 'agent' && name === seat.name && subject === seat.subject,
    );
    const successor = back && connectionOf(back.sid);
    if (successor) handOver(connection, successor);
    else if (!back) relay.abandon(connection);
    else if (connection.calls.size > 0) this.#settleLater(connection, seat, ELSEWHERE_LOOK_MS);
  }
}

/** What the Agent asked before is its to cancel, and ends with it. */
function handOver(from: Connection, to: Connection): void {
  for (const call of from.calls) {
    call.owner = to;
    to.calls.add(call);
  }
  from.calls.clear();
}
