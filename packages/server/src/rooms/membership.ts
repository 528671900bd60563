import {
  declaredGeneration,
  declaredVersion,
  type EnterOfficeReq,
  judgeVersion,
  type ListRoomRet,
  type MembershipNotification,
  type Role,
  rulesOf,
  SMCPError,
  type VersionPolicy,
} from '@a2c/protocol';
import { authoriseJoin, isAnonymous, methodOf } from '../access/identity.js';
import { SharedAnswer } from '../wire/raw-json.js';
import type { Broadcaster } from './broadcaster.js';
import type { Connection, SMCPNamespace } from './connection.js';
import {
  type Claim,
  isConfusable,
  isSuperseded,
  type Member,
  type OfficePolicy,
  type OfficeRegistry,
  seatFor,
} from './registry.js';

export interface MembershipOptions {
  readonly namespace: SMCPNamespace;
  readonly registry: OfficeRegistry;
  readonly broadcaster: Broadcaster;
  readonly node: string;
  readonly versionPolicy: VersionPolicy;
  readonly policyOf: (office: string) => OfficePolicy;
  readonly isDraining: () => boolean;
  /** A load balancer routes by the `office` of the connection's query, so a join must name the same office. */
  readonly sharded: boolean;
  /** Disconnects a replaced member whose connection is on another node. */
  readonly disconnectRemote: (member: Member, by: string | undefined) => void;
  /** Notifies the office. */
  readonly announceLeave: (member: Member) => void;
  readonly onJoin: (member: Member, connection: Connection) => void;
  readonly onLeave: (member: Member, reason: LeaveReason, connection: Connection) => void;
}

/**
 * Why a member is gone: it `left`, its connection was `lost` and may come back soon, or it was `replaced` by a newer
 * connection of the same member.
 */
export type LeaveReason = 'left' | 'lost' | 'replaced';

/**
 * Joins and leaves. A join is checked completely before anything changes, then the registry's claim decides, then rooms
 * and notifications follow. So a refused join has no effect and two Agents never share an office.
 */
export class Membership {
  readonly #options: MembershipOptions;
  /** Encoded lists of members, and members: encoding those of a large office takes long. */
  readonly #encoded = new WeakMap<readonly Member[], Buffer>();
  readonly #encodedMembers = new WeakMap<Member, string>();

  constructor(options: MembershipOptions) {
    this.#options = options;
  }

  join(connection: Connection, request: EnterOfficeReq): Promise<void> {
    return connection.runTransition(() => this.#join(connection, request));
  }

  leave(connection: Connection, office: string): Promise<void> {
    return connection.runTransition(async () => {
      const { member } = connection;
      if (!member) throw new SMCPError('NotInRoom', 'you are in no office');
      if (member.office !== office) throw crossRoom(office);
      await this.#leave(connection, member, 'left');
    });
  }

  /** Ends the membership of a connection that is closed. */
  end(connection: Connection, reason: LeaveReason): Promise<void> {
    return connection.runTransition(async () => {
      if (connection.member) await this.#leave(connection, connection.member, reason);
    });
  }

  /** Returns a {@link ListRoomRet}. */
  async list(connection: Connection, office: string, reqId: string): Promise<SharedAnswer> {
    if (connection.requireMember().office !== office) throw crossRoom(office);
    const members = await this.#options.registry.members(office);
    let sessions = this.#encoded.get(members);
    if (!sessions) {
      sessions = Buffer.from(`[${members.map((member) => this.#encodedMember(member)).join()}]`);
      this.#encoded.set(members, sessions);
    }
    return new SharedAnswer('[{"sessions":', sessions, `,"req_id":${asciiJson(reqId)}}]`);
  }

  #encodedMember(member: Member): string {
    let text = this.#encodedMembers.get(member);
    if (text === undefined) {
      text = JSON.stringify(sessionOf(member));
      this.#encodedMembers.set(member, text);
    }
    return text;
  }

  async #join(connection: Connection, request: EnterOfficeReq): Promise<void> {
    const { registry, broadcaster, isDraining } = this.#options;
    if (isDraining()) throw new SMCPError('Unavailable', 'this node is shutting down; connect again');
    if (this.#options.sharded) checkShard(connection, request.office_id);
    await this.#checkVersion(connection, request);
    authoriseJoin(connection.identity, request);
    const current = connection.member;
    if (isRepeatedJoin(connection.role, current, request)) return;

    const { member, claim } = await this.#claim(this.#memberFor(connection, request));
    if (!claim.claimed) throw refusal(request, member, claim.holder as Member);
    if (claim.replaced) this.#disconnectReplaced(claim.replaced, member.instance);
    if (!connection.socket.connected) {
      await registry.release(member);
      return;
    }
    if (current) await this.#leave(connection, current, 'left');
    connection.role = request.role;
    connection.seated(member);
    const { office } = member;
    await broadcaster.join(connection, office);
    this.#options.onJoin(member, connection);
    if (claim.replaced && isKnown(claim.replaced, member)) return;
    const others = { office, exceptSid: connection.id, isNew: claim.replaced === undefined };
    broadcaster.broadcast(others, 'notify:enter_office', memberPayload(member));
  }

  /** Where the operator has not decided how many Computers the office has, its first member does. */
  async #claim(member: Member): Promise<{ readonly member: Member; readonly claim: Claim }> {
    const { registry, versionPolicy, policyOf } = this.#options;
    const { office, role, name, sid, generation } = member;
    const policy = policyOf(office);
    if (versionPolicy !== 'preview' || policy.computers !== undefined)
      return { member, claim: await registry.claim(member) };
    const expectsOne = rulesOf(generation).computers === 'one';
    for (let attempt = 1; ; attempt++) {
      const [first] = (await registry.members(office)).filter((other) => other.sid !== sid);
      const single = first ? first.single === true : expectsOne;
      if (expectsOne && !single && role === 'agent') throw manyComputers(office);
      const seat = seatFor(role, name, { ...policy, computers: single ? 'one' : 'many' });
      const seated = { ...member, single, seat };
      // Nodes that were separated may have admitted members that disagree.
      const claim = await registry.claim(seated, attempt < MAX_CLAIMS ? 'agreed' : 'any');
      if (claim.claimed || claim.holder) return { member: seated, claim };
    }
  }

  async #checkVersion(connection: Connection, request: EnterOfficeReq): Promise<void> {
    const declared = declaredVersion({ payload: request });
    if (declared === undefined || connection.version !== undefined) return;
    const verdict = judgeVersion(declared, this.#options.versionPolicy);
    if (!verdict.ok) throw verdict.error;
    connection.version = declared;
    if (connection.generation === undefined)
      await this.#options.broadcaster.setGeneration(connection, declaredGeneration({ payload: request }) ?? 'spec');
  }

  #memberFor(
    { id, identity, instance, attempt, epoch, version, generation, adapts }: Connection,
    { office_id, role, name }: EnterOfficeReq,
  ): Member {
    const { node } = this.#options;
    const seat = seatFor(role, name, this.#options.policyOf(office_id));
    return {
      office: office_id,
      role,
      name,
      seat,
      sid: id,
      node,
      subject: identity.subject,
      method: methodOf(identity),
      takeover: isAnonymous(identity) ? 'instance' : rulesOf(generation).takeover,
      instance,
      attempt,
      epoch,
      version,
      generation,
      adapts,
      joinedAt: performance.now(),
    };
  }

  async #leave(connection: Connection, member: Member, reason: LeaveReason): Promise<void> {
    const { registry, broadcaster, onLeave, announceLeave } = this.#options;
    connection.member = undefined;
    onLeave(member, reason, connection);
    await broadcaster.leave(connection, member.office);
    // A node that was paused ends connections late: the member may have joined again on another node.
    if (!(await registry.release(member))) return;
    announceLeave(member);
  }

  #disconnectReplaced(member: Member, by: string | undefined): void {
    if (this.#options.namespace.sockets.has(member.sid)) this.disconnectLocal(member, by);
    else this.#options.disconnectRemote(member, by);
  }

  /**
   * Disconnects a replaced member of this node. Its seat has a new holder, so it is not released again.
   *
   * @param by the instance of the new holder
   */
  disconnectLocal(member: Member, by: string | undefined): void {
    const socket = this.#options.namespace.sockets.get(member.sid);
    if (!socket) return;
    const { connection } = socket.data;
    connection.member = undefined;
    this.#options.onLeave(member, 'replaced', connection);
    // The notification of its own leave distinguishes a takeover from a lost connection: the client does not reconnect,
    // which would replace the newer connection in turn.
    // A client that was replaced by itself learns that, and joins again.
    const self = by !== undefined && by === member.instance ? { instance: by } : {};
    this.#options.broadcaster.send(member.sid, 'notify:leave_office', { ...memberPayload(member), ...self });
    socket.disconnect(true);
  }
}

/**
 * Whether the office knows all about a member that has taken over its seat. Agents do not know a new process of a
 * Computer, and those on other nodes may have been notified that a Computer of a node that was paused has left.
 */
function isKnown({ node, epoch }: Member, successor: Member): boolean {
  return successor.role === 'agent' || (node === successor.node && epoch === successor.epoch);
}

/**
 * Whether a load balancer reads the same office in the query: one parameter of this name, in any case and after any
 * separator, and no encoded character in names. It hashes the value as written, so only one spelling is accepted.
 */
function isRoutedAsRead(url: string, office: string): boolean {
  const values = [...url.matchAll(/[?&;]office=([^&;?]*)/gi)].map(([, value]) => value);
  const hasEncodedName = /[?&;][^=&;?]*%/.test(url);
  return values.length === 1 && !hasEncodedName && values[0] === inQuery(office);
}

/** The spelling of an office in a query that Socket.IO's clients for JavaScript send. URLs have no apostrophes. */
function inQuery(office: string): string {
  return encodeURIComponent(office).replaceAll("'", '%27');
}

/** A connection without the office in its query, or with another one, may have been routed to the wrong node. */
function checkShard({ socket }: Connection, office: string): void {
  const { query, url } = socket.handshake;
  if (query.office === office && isRoutedAsRead(url, office)) return;
  throw new SMCPError('Unavailable', `wrong node: connect with ?office=${inQuery(office)}`, {
    details: { reason: 'wrong_node', office },
  });
}

function sessionOf({ sid, name, role, office, version, epoch }: Member): ListRoomRet['sessions'][number] {
  return {
    sid,
    name,
    role,
    office_id: office,
    ...(version !== undefined && { a2c_version: version }),
    ...(epoch !== undefined && { epoch }),
  };
}

function asciiJson(text: string): string {
  const escaped = (character: string) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
  return JSON.stringify(text).replaceAll(/[\u0080-\uffff]/g, escaped);
}

function crossRoom(office: string): SMCPError {
  return new SMCPError('CrossRoomAccess', `office "${office}" is another office`);
}

/** The payload of `notify:enter_office` and `notify:leave_office`. */
export function memberPayload({ office, role, name, epoch }: Member): MembershipNotification {
  if (role === 'agent') return { office_id: office, agent: name };
  return { office_id: office, computer: name, ...(epoch !== undefined && { epoch }) };
}

/** Returns true if the connection has this seat already. Throws if it may not take the seat from where it is. */
function isRepeatedJoin(role: Role | undefined, current: Member | undefined, request: EnterOfficeReq): boolean {
  if (role !== undefined && role !== request.role) {
    throw new SMCPError('Forbidden', `Role mismatch: this connection is ${role}, not ${request.role}`);
  }
  if (!current) return false;
  if (current.office === request.office_id) {
    if (current.name === request.name) return true;
    throw new SMCPError(
      'Forbidden',
      `this connection is in this office as "${current.name}"; leave it to change the name`,
    );
  }
  if (current.role === 'agent') {
    throw new SMCPError('AgentInAnotherRoom', `this connection is in office "${current.office}"; leave it first`, {
      details: { office_id: current.office },
    });
  }
  return false;
}

/** A node that was paused handled this join after the client had joined with a newer connection. */
function superseded({ name, office_id }: EnterOfficeReq): SMCPError {
  return new SMCPError('Unavailable', `"${name}" is in office "${office_id}" with a newer connection of this client`, {
    details: { reason: 'superseded' },
  });
}

/** How often a claim is repeated because other members joined meanwhile. */
const MAX_CLAIMS = 10;

/** It may rely on the only Computer of its office. */
function manyComputers(office: string): SMCPError {
  const reason = 'because its first member announced an older version, and an Agent of this version expects one';
  return new SMCPError('Forbidden', `office "${office}" may have several Computers, ${reason}`);
}

function refusal(request: EnterOfficeReq, member: Member, holder: Member): SMCPError {
  if (isConfusable(holder, member)) return confusable(member, holder);
  return isSuperseded(holder, member) ? superseded(request) : seatTaken(request, holder);
}

/** A new connection has an id that no other Computer could choose as its name yet. */
function confusable({ name, office }: Member, holder: Member): SMCPError {
  if (holder.sid === name)
    return new SMCPError('Forbidden', `the name "${name}" is the connection id of another Computer; use another name`);
  const problem = `a Computer of office "${office}" has the id of this connection as its name`;
  return new SMCPError('Unavailable', `${problem}; connect again`, { details: { reason: 'new_connection' } });
}

function seatTaken({ role, name, office_id }: EnterOfficeReq, holder: Member): SMCPError {
  const details = { office_id, role };
  if (role === 'agent' && holder.seat === 'agent')
    return new SMCPError('RoomFull', `office "${office_id}" already has an Agent: "${holder.name}"`, { details });
  if (holder.seat === 'computer')
    return new SMCPError('RoomFull', `office "${office_id}" already has a Computer: "${holder.name}"`, { details });
  if (role === 'agent')
    return new SMCPError('Forbidden', `an Agent named "${name}" already exists in office "${office_id}"`);
  return new SMCPError('Forbidden', `a Computer named "${name}" already exists in office "${office_id}"`);
}
