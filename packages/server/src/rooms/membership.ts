import {
  declaredVersion,
  type EnterOfficeReq,
  judgeVersion,
  type ListRoomRet,
  type Role,
  SMCPError,
  type VersionPolicy,
} from '@a2c/protocol';
import { authoriseSeat } from '../access/identity.js';
import type { Connection, SMCPNamespace } from './connection.js';
import type { Notifier } from './notifier.js';
import type { Occupant, OfficeRegistry } from './registry.js';

export interface MembershipOptions {
  readonly namespace: SMCPNamespace;
  readonly registry: OfficeRegistry;
  readonly notifier: Notifier;
  readonly node: string;
  readonly versionPolicy: VersionPolicy;
  readonly isDraining: () => boolean;
  /** A balancer keeps offices whole by the `office` of the connection's query, so the two must agree. */
  readonly sharded: boolean;
  /** The seat's connection is on another node, which must let it go. */
  readonly evictElsewhere: (seat: Occupant) => void;
  readonly onVacated: (seat: Occupant, why: Vacated, connection: Connection | undefined) => void;
}

/**
 * Why a seat was given up: `left` deliberately, `lost` with its connection and perhaps soon back, or `replaced` by a
 * newer connection of its own owner.
 */
export type Vacated = 'left' | 'lost' | 'replaced';

/**
 * Joins, leaves, switches and ends. Everything is checked before anything changes, the registry's claim decides, and
 * only then do rooms and notifications follow; so no refused join leaves a trace and no two Agents ever share an office.
 */
export class Membership {
  readonly #options: MembershipOptions;

  constructor(options: MembershipOptions) {
    this.#options = options;
  }

  join(connection: Connection, request: EnterOfficeReq): Promise<void> {
    return connection.inTurn(() => this.#join(connection, request));
  }

  leave(connection: Connection, office: string): Promise<void> {
    return connection.inTurn(async () => {
      const { seat } = connection;
      if (!seat) throw new SMCPError('NotInRoom', 'you are in no office');
      if (seat.office !== office) throw crossRoom(office);
      await this.#vacate(connection, seat, 'left');
    });
  }

  /** The socket is gone: the same as leaving, but nobody is left to answer. */
  end(connection: Connection, why: Vacated): Promise<void> {
    return connection.inTurn(async () => {
      if (connection.seat) await this.#vacate(connection, connection.seat, why);
    });
  }

  async list(connection: Connection, office: string, reqId: string): Promise<ListRoomRet> {
    const { office: own } = seatOf(connection);
    if (own !== office) throw crossRoom(office);
    const occupants = await this.#options.registry.occupants(office);
    return {
      sessions: occupants.map(({ sid, name, role, version }) => ({
        sid,
        name,
        role,
        office_id: office,
        ...(version !== undefined && { a2c_version: version }),
      })),
      req_id: reqId,
    };
  }

  async #join(connection: Connection, request: EnterOfficeReq): Promise<void> {
    const { registry, notifier, isDraining } = this.#options;
    if (isDraining()) throw new SMCPError('Unavailable', 'this node is shutting down; connect again');
    if (this.#options.sharded) checkShard(connection, request.office_id);
    this.#checkVersion(connection, request);
    authoriseSeat(connection.identity, request);
    const present = connection.seat;
    if (checkMove(connection.role, present, request) === 'stay') return;

    const seat = this.#seatFor(connection, request);
    const claim = await registry.claim(seat);
    if (!claim.taken) throw occupied(request, claim.holder);
    if (claim.evicted) this.#evict(claim.evicted);
    if (!connection.socket.connected) return void (await registry.release(seat));
    if (present) await this.#vacate(connection, present, 'left');
    connection.role = request.role;
    connection.seat = seat;
    await notifier.enter(connection, seat.office);
    if (!claim.evicted) notifier.tell(seat.office, 'notify:enter_office', memberOf(seat), connection.id);
  }

  #checkVersion(connection: Connection, request: EnterOfficeReq): void {
    const declared = declaredVersion({ payload: request });
    if (declared === undefined || connection.version !== undefined) return;
    const verdict = judgeVersion(declared, this.#options.versionPolicy);
    if (!verdict.ok) throw verdict.error;
    connection.version = declared;
  }

  #seatFor(
    { id, identity, instance, version, dialect }: Connection,
    { office_id, role, name }: EnterOfficeReq,
  ): Occupant {
    const { node } = this.#options;
    return { office: office_id, role, name, sid: id, node, subject: identity.subject, instance, version, dialect };
  }

  async #vacate(connection: Connection, seat: Occupant, why: Vacated): Promise<void> {
    const { registry, notifier, onVacated } = this.#options;
    connection.seat = undefined;
    onVacated(seat, why, connection);
    await notifier.leave(connection, seat.office);
    await registry.release(seat);
    notifier.tell(seat.office, 'notify:leave_office', memberOf(seat), connection.id);
  }

  /** The same owner is back under its name: its old socket goes, and the office does not hear of it. */
  #evict(old: Occupant): void {
    if (this.#options.namespace.sockets.has(old.sid)) this.evictHere(old);
    else this.#options.evictElsewhere(old);
  }

  /** Its seat is somebody's already, so it must not be given up a second time when the socket ends. */
  evictHere(old: Occupant): void {
    const socket = this.#options.namespace.sockets.get(old.sid);
    if (!socket) return;
    const { connection } = socket.data;
    connection.seat = undefined;
    this.#options.onVacated(old, 'replaced', connection);
    // Told that it has left, it knows this end from any other, and does not come back to evict its successor in turn.
    this.#options.notifier.tellOne(old.sid, 'notify:leave_office', memberOf(old));
    socket.disconnect(true);
  }
}

/** A member that came without its office, or with another one, has been sent to the wrong node. */
function checkShard({ socket }: Connection, office: string): void {
  if (socket.handshake.query.office === office) return;
  throw new SMCPError('Unavailable', `wrong node: connect with ?office=${encodeURIComponent(office)}`, {
    details: { reason: 'wrong_node', office },
  });
}

/** The seat of a connection that must have one. */
export function seatOf({ seat }: Connection, role?: Role): Occupant {
  if (!seat) throw new SMCPError('NotInRoom', 'join an office first');
  if (role !== undefined && seat.role !== role)
    throw new SMCPError('Forbidden', `only ${role === 'agent' ? 'an Agent' : 'a Computer'} may do this`);
  return seat;
}

export function crossRoom(office: string): SMCPError {
  return new SMCPError('CrossRoomAccess', `office "${office}" is not yours`);
}

export function memberOf({ office, role, name }: Occupant): { office_id: string; agent?: string; computer?: string } {
  return role === 'agent' ? { office_id: office, agent: name } : { office_id: office, computer: name };
}

function checkMove(role: Role | undefined, present: Occupant | undefined, request: EnterOfficeReq): 'move' | 'stay' {
  if (role !== undefined && role !== request.role) {
    throw new SMCPError('Forbidden', `Role mismatch: this connection is ${role}, not ${request.role}`);
  }
  if (!present) return 'move';
  const sameOffice = present.office === request.office_id;
  if (sameOffice && present.name === request.name) return 'stay';
  if (sameOffice)
    throw new SMCPError(
      'Forbidden',
      `you are already in this office as "${present.name}"; leave it to change your name`,
    );
  if (present.role === 'agent')
    throw new SMCPError('Forbidden', `you are already in office "${present.office}"; leave it first`);
  return 'move';
}

function occupied({ role, name, office_id }: EnterOfficeReq, holder: Occupant): SMCPError {
  return role === 'agent'
    ? new SMCPError('RoomFull', `office "${office_id}" already has an Agent: "${holder.name}"`)
    : new SMCPError('Forbidden', `a Computer named "${name}" already exists in office "${office_id}"`);
}
