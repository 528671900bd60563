import type { Dialect, Role } from '@a2c/protocol';
import { ANONYMOUS } from '../access/identity.js';

/** Who sits where: one Agent per office, Computers by name. */
export interface Occupant {
  readonly office: string;
  readonly role: Role;
  readonly name: string;
  readonly sid: string;
  readonly node: string;
  readonly subject: string;
  readonly instance?: string | undefined;
  readonly version?: string | undefined;
  readonly dialect?: Dialect | undefined;
}

export type Claim =
  | { readonly taken: true; readonly evicted: Occupant | undefined }
  | { readonly taken: false; readonly holder: Occupant };

/** The one place that decides who has a seat. Claims are atomic; on one node they do not even wait. */
export interface OfficeRegistry {
  /** Takes the seat, also from an earlier connection of the same owner. */
  claim(occupant: Occupant): Promise<Claim> | Claim;
  /** Frees the seat if this occupant still has it. */
  release(occupant: Occupant): Promise<void> | void;
  occupants(office: string): Promise<readonly Occupant[]> | readonly Occupant[];
  /** A Computer of this office by its name, or by its socket id, which the oldest Agents use. */
  findComputer(office: string, nameOrSid: string): Promise<Occupant | undefined> | Occupant | undefined;
}

/** An office has one seat for an Agent and one for each Computer's name. */
export function seatKey({ role, name }: Pick<Occupant, 'role' | 'name'>): string {
  return role === 'agent' ? 'agent' : `computer:${name}`;
}

/**
 * A reconnect may arrive before the old connection's ping has failed. It is the same owner when it shows the same
 * authenticated subject, or, where nobody is authenticated, the same process instance; and only under the same name.
 */
export function isSameOwner(a: Occupant, b: Occupant): boolean {
  if (a.name !== b.name || a.subject !== b.subject) return false;
  return a.subject !== ANONYMOUS.subject || (a.instance !== undefined && a.instance === b.instance);
}

export class MemoryRegistry implements OfficeRegistry {
  readonly #offices = new Map<string, Map<string, Occupant>>();

  claim(occupant: Occupant): Claim {
    const seats = this.#offices.get(occupant.office) ?? new Map<string, Occupant>();
    const holder = seats.get(seatKey(occupant));
    if (holder && holder.sid !== occupant.sid && !isSameOwner(holder, occupant)) return { taken: false, holder };
    this.#offices.set(occupant.office, seats);
    seats.set(seatKey(occupant), occupant);
    return { taken: true, evicted: holder?.sid === occupant.sid ? undefined : holder };
  }

  release(occupant: Occupant): void {
    const seats = this.#offices.get(occupant.office);
    const key = seatKey(occupant);
    if (seats?.get(key)?.sid !== occupant.sid) return;
    seats.delete(key);
    if (seats.size === 0) this.#offices.delete(occupant.office);
  }

  occupants(office: string): readonly Occupant[] {
    return [...(this.#offices.get(office)?.values() ?? [])];
  }

  findComputer(office: string, nameOrSid: string): Occupant | undefined {
    const seats = this.#offices.get(office);
    const named = seats?.get(seatKey({ role: 'computer', name: nameOrSid }));
    return named ?? this.occupants(office).find(({ role, sid }) => role === 'computer' && sid === nameOrSid);
  }

  all(): readonly Occupant[] {
    return [...this.#offices.values()].flatMap((seats) => [...seats.values()]);
  }

  get officeCount(): number {
    return this.#offices.size;
  }
}
