import {
  type Generation,
  type NotificationEvent,
  type NotificationOf,
  rulesOf,
  wireName,
  wireNames,
} from '@a2c/protocol';
import type { ServerLimits } from '../options.js';
import type { Connection, SMCPNamespace } from './connection.js';
import { NotificationQueue, type Part } from './notification-queue.js';
import type { Notification, Receivers } from './pending-notifications.js';

/** Who receives a notification: all members, those that use one of the two names, or those that know skills. */
type Audience = 'all' | 'sdk' | 'document' | 'skills';

/**
 * Sends notifications to the members of an office, to each as its generation knows them. There is a Socket.IO room per
 * office and audience, and another one for the Agents of each. A member whose generation is not known yet receives both
 * names of an event. The prefixes of the room names keep an office with the id of a socket apart from that socket's
 * private room.
 */
export class Broadcaster {
  readonly #namespace: SMCPNamespace;
  readonly #queue: NotificationQueue;
  readonly #remoteMembers: (office: string) => number;

  /** @param remoteMembers how many members of an office are on other nodes, as far as it is known */
  constructor(
    namespace: SMCPNamespace,
    limits: Pick<ServerLimits, 'notificationsPerSecond' | 'officeNotificationsPerSecond'>,
    remoteMembers: (office: string) => number,
  ) {
    this.#namespace = namespace;
    this.#remoteMembers = remoteMembers;
    this.#queue = new NotificationQueue({
      perSecond: limits.notificationsPerSecond,
      officePerSecond: limits.officeNotificationsPerSecond,
      countReceivers: (notification, part) => this.#countReceivers(notification, part),
      deliver: (notification, part) => this.#deliver(notification, part),
    });
  }

  async join(connection: Connection, office: string): Promise<void> {
    await connection.socket.join(roomsOf(connection, office));
  }

  async leave(connection: Connection, office: string): Promise<void> {
    for (const each of roomsOf(connection, office)) await connection.socket.leave(each);
  }

  /** Sets the generation of a connection that has declared none. From now on it receives the names of this one only. */
  async setGeneration(connection: Connection, generation: Generation): Promise<void> {
    if (connection.generation !== undefined) return;
    const office = connection.member?.office;
    const before = office === undefined ? [] : roomsOf(connection, office);
    connection.generation = generation;
    const after = new Set(office === undefined ? [] : roomsOf(connection, office));
    for (const each of before) if (!after.has(each)) await connection.socket.leave(each);
  }

  /**
   * Sends to all members of the office, except the connection `exceptSid`: on all nodes, or on this one. A notification
   * over the limits is sent later; see {@link NotificationQueue}.
   *
   * @returns false if too many wait, and it is not sent; updates and membership always are
   */
  broadcast<E extends NotificationEvent>(to: Receivers, event: E, payload: NotificationOf<E>): boolean {
    return this.#queue.add({ to, event, payload });
  }

  /** Nothing is sent later. */
  close(): void {
    this.#queue.close();
  }

  #countReceivers({ to: { office, isLocal }, event }: Notification, part: Part): number {
    const { rooms } = this.#namespace.adapter;
    const sizeOf = (audience: Audience, of: Part) => rooms.get(room(office, audience, of))?.size ?? 0;
    let count = 0;
    for (const { audience } of addressesOf(event)) {
      const agents = part === 'everyone' ? 0 : sizeOf(audience, 'agents');
      count += part === 'agents' ? agents : sizeOf(audience, 'everyone') - agents;
    }
    return isLocal || part === 'agents' ? count : count + this.#remoteMembers(office);
  }

  #deliver({ to: { office, exceptSid, isLocal }, event, payload }: Notification, part: Part): void {
    for (const { audience, name } of addressesOf(event)) {
      const receivers = part === 'agents' ? 'agents' : 'everyone';
      let target = (isLocal ? this.#namespace.local : this.#namespace).to(room(office, audience, receivers));
      if (part === 'computers') target = target.except(room(office, audience, 'agents'));
      emit(exceptSid === undefined ? target : target.except(exceptSid), name, payload);
    }
  }

  /** Sends to one connection on any node. Only for events that have one name. */
  send<E extends 'notify:tool_call_cancel' | 'notify:tool_call_progress' | 'notify:leave_office'>(
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

/** By which names an event is sent, and to whom. */
function addressesOf(event: NotificationEvent): readonly { readonly audience: Audience; readonly name: string }[] {
  if (event === 'notify:update_skills') return [{ audience: 'skills', name: event }];
  if (wireNames(event).length === 1) return [{ audience: 'all', name: event }];
  return [
    { audience: 'sdk', name: event },
    { audience: 'document', name: wireName(event, 'spec') },
  ];
}

/** The rooms of a member. Agents have those of their own as well. */
function roomsOf({ generation, role }: Connection, office: string): string[] {
  const audiences = audiencesOf(generation);
  const rooms = audiences.map((audience) => room(office, audience, 'everyone'));
  if (role === 'agent') rooms.push(...audiences.map((audience) => room(office, audience, 'agents')));
  return rooms;
}

function audiencesOf(generation: Generation | undefined): readonly Audience[] {
  if (generation === undefined) return ['all', 'sdk', 'document'];
  const { names, requests } = rulesOf(generation);
  return ['all', names, ...(requests.has('client:get_skills') ? (['skills'] as const) : [])];
}

function room(office: string, audience: Audience, part: Part): string {
  return part === 'agents' ? `agents-${audience}:${office}` : `${audience}:${office}`;
}
