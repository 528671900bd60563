import type { Generation, GenerationRules, Role } from '@a2c/protocol';

/** An Agent or a Computer that has joined an office, and the connection it joined with. */
export interface Member {
  readonly office: string;
  readonly role: Role;
  readonly name: string;
  /** The key of its seat in the office, which it alone has. */
  readonly seat: string;
  /** The id of its connection. */
  readonly sid: string;
  /** The node of its connection. */
  readonly node: string;
  /** The identity it is authenticated as. */
  readonly subject: string;
  /** Who vouches for the subject. Nodes of older versions store none. */
  readonly method?: string | undefined;
  /** What shows that a newer connection is the same member: its identity, or only its process. */
  readonly takeover: GenerationRules['takeover'];
  readonly instance?: string | undefined;
  /** Which connection of its instance it joined with. */
  readonly attempt?: number | undefined;
  /** A random id of a Computer's process, which its Agents see. */
  readonly epoch?: string | undefined;
  readonly version?: string | undefined;
  readonly generation?: Generation | undefined;
  /** It answers each request as the generation of the Agent reads it. Computers of a2c do. */
  readonly adapts?: boolean | undefined;
  /** Whether its office has one Computer. Set where the first member of the office decides that. */
  readonly single?: boolean | undefined;
  /** When it joined, in milliseconds of `performance.now` of its node. */
  readonly joinedAt?: number | undefined;
}

/** Whether a claim comes from an older connection of the process that has the seat: one that was handled late. */
export function isSuperseded(holder: Member, claimant: Member): boolean {
  if (holder.instance === undefined || holder.instance !== claimant.instance) return false;
  return (claimant.attempt ?? Number.POSITIVE_INFINITY) < (holder.attempt ?? 0);
}

/**
 * The outcome of a claim: the seat, perhaps taken over from an older connection, or the member that holds it, or no
 * holder if the claim is based on a former state of the office.
 */
export type Claim =
  | { readonly claimed: true; readonly replaced: Member | undefined }
  | { readonly claimed: false; readonly holder: Member | undefined };

export type ClaimMode = 'any' | 'agreed';

/** Decides which member has a seat. Claims are atomic, over all nodes that share a registry. */
export interface OfficeRegistry {
  /**
   * Takes the seat, also from an older connection of the same member. Some Agents address a Computer by the id of its
   * connection, so no Computer may have the id of another one of the office as its name: the holder is then that other
   * one, see {@link isConfusable}.
   *
   * @param mode `agreed`: only if the other members of the office have the same `single`
   */
  claim(member: Member, mode?: ClaimMode): Promise<Claim> | Claim;
  /** Frees the seat if this member still has it. Returns false if another connection has it. */
  release(member: Member): Promise<boolean> | boolean;
  members(office: string): Promise<readonly Member[]> | readonly Member[];
  /** Finds a Computer of the office by its name, or by its connection id, which the oldest Agents send. */
  findComputer(office: string, nameOrSid: string): Promise<Member | undefined> | Member | undefined;
}

/** How many members of a role an office has: one, or one per name. */
export type SeatPolicy = 'one' | 'many';

/** Who may be in an office. The document allows one Agent and many Computers. */
export interface OfficePolicy {
  /** Default `one`. */
  readonly agents?: SeatPolicy | undefined;
  /** Default `many`, or `one` while the first member of the office announced 0.5, which the policy `preview` serves. */
  readonly computers?: SeatPolicy | undefined;
}

/** The key of a seat in its office. */
export function seatFor(role: Role, name: string, { agents = 'one', computers = 'many' }: OfficePolicy): string {
  const policy = role === 'agent' ? agents : computers;
  return policy === 'one' ? role : `${role}:${name}`;
}

/** Whether the holder of a seat is authenticated as the same identity. */
export function isSameIdentity(holder: Member, { subject, method }: Member): boolean {
  return holder.subject === subject && (holder.method === undefined || holder.method === method);
}

/**
 * Whether a claim comes from the holder itself, whose reconnect arrived before the ping timeout of its old connection:
 * the same name and the same identity, or the same process instance where connections are anonymous. Peers of 0.5
 * always need the same instance.
 */
function isTakeover(holder: Member, claimant: Member): boolean {
  if (holder.name !== claimant.name || !isSameIdentity(holder, claimant)) return false;
  if (isSuperseded(holder, claimant)) return false;
  if (claimant.takeover === 'subject') return true;
  return holder.instance !== undefined && holder.instance === claimant.instance;
}

/** The ids of Socket.IO. */
export const SOCKET_ID = /^[\w-]{20}$/;

/** Whether the name of one Computer is the connection id of the other. */
export function isConfusable(one: Member, other: Member): boolean {
  if (one.role !== 'computer' || other.role !== 'computer' || one.sid === other.sid) return false;
  return one.name === other.sid || other.name === one.sid;
}

/** The registry of one node. */
export class MemoryRegistry implements OfficeRegistry {
  readonly #offices = new Map<string, Map<string, Member>>();
  /** The members of offices as lists, until they change. */
  readonly #lists = new Map<string, readonly Member[]>();

  claim(member: Member, mode: ClaimMode = 'any'): Claim {
    const seats = this.#offices.get(member.office) ?? new Map<string, Member>();
    const differs = ({ sid, single = false }: Member) => sid !== member.sid && single !== (member.single ?? false);
    if (mode === 'agreed' && [...seats.values()].some(differs)) return { claimed: false, holder: undefined };
    const confusable = this.#confusableWith(member, seats);
    if (confusable) return { claimed: false, holder: confusable };
    const holder = seats.get(member.seat);
    if (holder && holder.sid !== member.sid && !isTakeover(holder, member)) return { claimed: false, holder };
    this.#offices.set(member.office, seats);
    seats.set(member.seat, member);
    this.#lists.delete(member.office);
    return { claimed: true, replaced: holder?.sid === member.sid ? undefined : holder };
  }

  #confusableWith(member: Member, seats: ReadonlyMap<string, Member>): Member | undefined {
    if (member.role !== 'computer') return undefined;
    const named = seats.get(seatFor('computer', member.sid, {}));
    if (named && isConfusable(named, member)) return named;
    if (!SOCKET_ID.test(member.name)) return undefined;
    return this.members(member.office).find((other) => isConfusable(other, member));
  }

  release(member: Member): boolean {
    const seats = this.#offices.get(member.office);
    const holder = seats?.get(member.seat);
    if (!seats || !holder) return true;
    if (holder.sid !== member.sid) return false;
    seats.delete(member.seat);
    this.#lists.delete(member.office);
    if (seats.size === 0) this.#offices.delete(member.office);
    return true;
  }

  /** Returns the same list until the members change. */
  members(office: string): readonly Member[] {
    const seats = this.#offices.get(office);
    if (!seats) return [];
    const list = this.#lists.get(office) ?? [...seats.values()];
    this.#lists.set(office, list);
    return list;
  }

  findComputer(office: string, nameOrSid: string): Member | undefined {
    const seats = this.#offices.get(office);
    const named = seats?.get(seatFor('computer', nameOrSid, {}));
    if (named) return named;
    const isAsked = ({ role, sid, name }: Member) => role === 'computer' && (sid === nameOrSid || name === nameOrSid);
    return this.members(office).find(isAsked);
  }

  /** The members of all offices. */
  all(): readonly Member[] {
    return [...this.#offices.values()].flatMap((seats) => [...seats.values()]);
  }

  get officeCount(): number {
    return this.#offices.size;
  }
}
