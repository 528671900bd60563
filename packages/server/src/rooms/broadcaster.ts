import {
  type Generation,
  type NotificationEvent,
  type NotificationOf,
  rulesOf,
  wireName,
  wireNames,
} from '@a2c/protocol';
import type { Connection, SMCPNamespace } from './connection.js';

/** Who receives a notification: all members, those that use one of the two names, or those that know skills. */
type Audience = 'all' | 'sdk' | 'document' | 'skills';

/**
 * Sends notifications to the members of an office, to each as its generation knows them. There is a Socket.IO room per
 * office and audience. A member whose generation is not known yet receives both names of an event. The prefixes of the
 * room names keep an office with the id of a socket apart from that socket's private room.
 */
export class Broadcaster {
  readonly #namespace: SMCPNamespace;

  constructor(namespace: SMCPNamespace) {
    this.#namespace = namespace;
  }

  async join({ socket, generation }: Connection, office: string): Promise<void> {
    await socket.join(audiencesOf(generation).map((audience) => room(office, audience)));
  }

  async leave({ socket, generation }: Connection, office: string): Promise<void> {
    for (const audience of audiencesOf(generation)) await socket.leave(room(office, audience));
  }

  /** Sets the generation of a connection that has declared none. From now on it receives the names of this one only. */
  async setGeneration(connection: Connection, generation: Generation): Promise<void> {
    if (connection.generation !== undefined) return;
    connection.generation = generation;
    const office = connection.member?.office;
    const other = rulesOf(generation).names === 'sdk' ? 'document' : 'sdk';
    if (office !== undefined) await connection.socket.leave(room(office, other));
  }

  /** Sends to all members of the office, except the connection `exceptSid`: on all nodes, or on this one. */
  broadcast<E extends NotificationEvent>(
    { office, exceptSid, isLocal }: { readonly office: string; readonly exceptSid?: string; readonly isLocal?: true },
    event: E,
    payload: NotificationOf<E>,
  ): void {
    const send = (audience: Audience, name: string) => {
      const target = (isLocal ? this.#namespace.local : this.#namespace).to(room(office, audience));
      emit(exceptSid === undefined ? target : target.except(exceptSid), name, payload);
    };
    if (event === 'notify:update_skills') send('skills', event);
    else if (wireNames(event).length === 1) send('all', event);
    else {
      send('sdk', event);
      send('document', wireName(event, 'spec'));
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

function audiencesOf(generation: Generation | undefined): readonly Audience[] {
  if (generation === undefined) return ['all', 'sdk', 'document'];
  const { names, requests } = rulesOf(generation);
  return ['all', names, ...(requests.has('client:get_skills') ? (['skills'] as const) : [])];
}

function room(office: string, audience: Audience): string {
  return `${audience}:${office}`;
}
