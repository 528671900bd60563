import { type Dialect, type NotificationEvent, type NotificationOf, wireName, wireNames } from '@a2c/protocol';
import type { Connection, SMCPNamespace } from './connection.js';

const DIALECTS: readonly Dialect[] = ['sdk', 'spec'];

/**
 * Speaks to the members of an office, each in its own dialect. A Socket.IO room per office and one per dialect in it; a
 * member whose dialect is not known yet sits in both and hears both names. The prefixes keep an office whose id equals
 * a socket's id out of that socket's private room.
 */
export class Notifier {
  readonly #namespace: SMCPNamespace;

  constructor(namespace: SMCPNamespace) {
    this.#namespace = namespace;
  }

  async enter({ socket, dialect }: Connection, office: string): Promise<void> {
    await socket.join([
      allOf(office),
      ...DIALECTS.filter((d) => dialect === undefined || d === dialect).map((d) => roomOf(office, d)),
    ]);
  }

  async leave({ socket }: Connection, office: string): Promise<void> {
    for (const room of [allOf(office), ...DIALECTS.map((dialect) => roomOf(office, dialect))]) await socket.leave(room);
  }

  /** The member showed which dialect it speaks: the other name is noise to it from now on. */
  async learn(connection: Connection, dialect: Dialect): Promise<void> {
    if (connection.dialect !== undefined) return;
    connection.dialect = dialect;
    const office = connection.seat?.office;
    const other = DIALECTS.find((candidate) => candidate !== dialect) as Dialect;
    if (office !== undefined) await connection.socket.leave(roomOf(office, other));
  }

  /** Tells everybody in the office but the sender. */
  tell<E extends NotificationEvent>(office: string, event: E, payload: NotificationOf<E>, exceptSid?: string): void {
    const send = (room: string, name: string) => {
      const target = exceptSid === undefined ? this.#namespace.to(room) : this.#namespace.to(room).except(exceptSid);
      emitTo(target, name, payload);
    };
    if (wireNames(event).length === 1) send(allOf(office), event);
    else for (const dialect of DIALECTS) send(roomOf(office, dialect), wireName(event, dialect));
  }

  /** Tells one member, wherever it is connected. Only for events that have one name. */
  tellOne<E extends 'notify:tool_call_cancel' | 'notify:leave_office'>(
    sid: string,
    event: E,
    payload: NotificationOf<E>,
  ): void {
    emitTo(this.#namespace.to(sid), event, payload);
  }
}

/** The name is computed, so the typed signature cannot be shown to hold; `tell` has checked event and payload. */
function emitTo(target: { emit: unknown }, name: string, payload: unknown): void {
  (target as { emit: (name: string, payload: unknown) => boolean }).emit(name, payload);
}

function allOf(office: string): string {
  return `all:${office}`;
}

function roomOf(office: string, dialect: Dialect): string {
  return `${dialect}:${office}`;
}
