import type { NotificationEvent } from '@a2c/protocol';

/** Who receives a notification: the members of an office, except one connection; on all nodes, or on this one. */
export interface Receivers {
  readonly office: string;
  readonly exceptSid?: string | undefined;
  readonly isLocal?: true;
  /** The office does not know the member that enters. */
  readonly isNew?: boolean;
}

/** A notification that waits for its delivery. */
export interface Notification {
  readonly to: Receivers;
  readonly event: NotificationEvent;
  readonly payload: { readonly agent?: string; readonly computer?: string };
}

/** Notifications other than updates and membership that may wait in one office. */
const MAX_OTHERS = 1_000;

const UPDATES = [
  'notify:update_config',
  'notify:update_tool_list',
  'notify:update_desktop',
  'notify:update_skills',
] as const satisfies readonly NotificationEvent[];

/**
 * Notifications that wait, in order. Only what the receivers do not know yet is kept, so there are only a few for each
 * member: equal updates of a Computer are one, and a member that enters and leaves meanwhile is not mentioned.
 */
export class PendingNotifications {
  readonly #entries = new Map<string, Notification>();
  #others = 0;

  get size(): number {
    return this.#entries.size;
  }

  /** Returns false if too many wait. Updates and membership are always accepted. */
  add(notification: Notification): boolean {
    const { event, payload } = notification;
    if (event === 'notify:enter_office') this.#entered(notification);
    else if (event === 'notify:leave_office') this.#left(notification);
    else if ((UPDATES as readonly string[]).includes(event))
      this.#entries.set(updateKey(event, payload.computer), notification);
    else return this.#addOther(notification);
    return true;
  }

  /** Removes and returns the oldest one. */
  shift(): Notification | undefined {
    for (const [key, notification] of this.#entries) {
      this.#entries.delete(key);
      if (isOther(key)) this.#others--;
      return notification;
    }
    return undefined;
  }

  #entered(notification: Notification): void {
    const key = `enter ${memberKey(notification)}`;
    const { isNew } = this.#entries.get(key)?.to ?? notification.to;
    this.#entries.set(key, { ...notification, to: { ...notification.to, isNew: isNew === true } });
  }

  #left(notification: Notification): void {
    const member = memberKey(notification);
    const entered = this.#entries.get(`enter ${member}`);
    this.#entries.delete(`enter ${member}`);
    const { computer } = notification.payload;
    if (computer !== undefined) for (const event of UPDATES) this.#entries.delete(updateKey(event, computer));
    if (entered?.to.isNew !== true) this.#entries.set(`leave ${member}`, notification);
  }

  #addOther(notification: Notification): boolean {
    const key = `other ${notification.event} ${JSON.stringify(notification.payload)}`;
    if (this.#entries.has(key)) return true;
    if (this.#others >= MAX_OTHERS) return false;
    this.#others++;
    this.#entries.set(key, notification);
    return true;
  }
}

function updateKey(event: NotificationEvent, computer: string | undefined): string {
  return `${event} ${computer}`;
}

function isOther(key: string): boolean {
  return key.startsWith('other ');
}

/** What is delivered on this node only is not replaced by what is delivered everywhere. */
function memberKey({ to, payload: { agent, computer } }: Notification): string {
  return `${to.isLocal ? 'here' : 'all'} ${agent === undefined ? `computer ${computer}` : `agent ${agent}`}`;
}
