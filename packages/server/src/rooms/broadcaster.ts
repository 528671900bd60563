import { type Dialect, type NotificationEvent, type NotificationOf, wireName, wireNames } from '@a2c/protocol';
import type { Connection, SMCPNamespace } from './connection.js';

const DIALECTS: readonly Dialect[] = ['sdk', 'spec'];

/**
 * Sends notifications to the members of an office, to each in its own dialect. There is a Socket.IO room per office,
 * and one per office and dialect; a member whose dialect is not known yet is in both of these and receives both names.
 * The prefixes of the room names keep an office with the id of a socket apart from that socket's private room.
 */
export class Broadcaster {
  readonly #namespace: SMCPNamespace;

  constructor(namespace: SMCPNamespace) {
    this.#namespace = namespace;
  }

  async join({ socket, dialect }: Connection, office: string): Promise<void> {
    const dialects = dialect === undefined ? DIALECTS : [dialect];
    await socket.join([officeRoom(office), ...dialects.map((each) => dialectRoom(office, each))]);
  }

  async leave({ socket }: Connection, office: string): Promise<void> {
    await socket.leave(officeRoom(office));
    for (const dialect of DIALECTS) await socket.leave(dialectRoom(office, dialect));
  }

  /** Sets the dialect of a connection that has declared none. From now on it receives the names of this one only. */
  async setDialect(connection: Connection, dialect: Dialect): Promise<void> {
    if (connection.dialect !== undefined) return;
    connection.dialect = dialect;
    const office = connection.member?.office;
    const other = DIALECTS.find((each) => each !== dialect) as Dialect;
    if (office !== undefined) await connection.socket.leave(dialectRoom(office, other));
  }

  /** Sends to all members of the office on all nodes, except the connection `exceptSid`. */
  broadcast<E extends NotificationEvent>(
    { office, exceptSid }: { readonly office: string; readonly exceptSid?: string },
    event: E,
    payload: NotificationOf<E>,
  ): void {
    const send = (room: string, name: string) => {
      const target = this.#namespace.to(room);
      emit(exceptSid === undefined ? target : target.except(exceptSid), name, payload);
    };
    if (wireNames(event).length === 1) send(officeRoom(office), event);
    else for (const dialect of DIALECTS) send(dialectRoom(office, dialect), wireName(event, dialect));
  }

  /** Sends to one connection on any node. Only for events that have the same name in both dialects. */
  send<E extends 'notify:tool_call_cancel' | 'notify:leave_office'>(
    sid: string,
    event: E,
    payload: NotificationOf<E>,
  ): void {
    emit(this.#namespace.to(sid), event, payload);
  }
}

/** Emits an event whose name is computed, which Socket.IO's typed `emit` cannot express. */
function emit(target: { emit: unknown }, name: string, payload: unknown): void {
  (target as { emit: (name: string, payload: unknown) => boolean }).emit(name, payload);
}

function officeRoom(office: string): string {
  return `all:${office}`;
}

function dialectRoom(office: string, dialect: Dialect): string {
  return `${dialect}:${office}`;
}
