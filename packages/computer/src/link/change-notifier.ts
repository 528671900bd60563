import type { UpdateEvent } from '@a2c/protocol';
import type { Computer } from '../computer.js';

/** The notification for each kind of change. */
const NOTIFICATIONS = {
  config: 'server:update_config',
  tools: 'server:update_tool_list',
  desktop: 'server:update_desktop',
  skills: 'server:update_skills',
} as const satisfies Record<string, UpdateEvent>;

type Change = keyof typeof NOTIFICATIONS;
const CHANGES = Object.keys(NOTIFICATIONS) as Change[];

/**
 * Notifies the office of changes, at most once per kind and interval: a notification makes Agents fetch everything
 * anew.
 */
export class ChangeNotifier {
  readonly #send: (event: UpdateEvent) => boolean;
  readonly #intervalMs: number;
  readonly #pending = new Set<Change>();
  readonly #unsubscribe: readonly (() => void)[];
  #timer: NodeJS.Timeout | undefined;

  /** `send` returns false outside an office. The change then stays pending. */
  constructor(computer: Computer, intervalMs: number, send: (event: UpdateEvent) => boolean) {
    this.#intervalMs = intervalMs;
    this.#send = send;
    this.#unsubscribe = CHANGES.map((change) => computer.on(change, () => this.#add(change)));
  }

  /** Sends what is pending, such as changes that happened while a join was pending. */
  flush(): void {
    if (this.#pending.size > 0) this.#schedule();
  }

  /** Reports every kind as changed. Agents may have missed changes while the Computer was absent. */
  notifyAll(): void {
    for (const change of CHANGES) this.#add(change);
  }

  stop(): void {
    for (const unsubscribe of this.#unsubscribe) unsubscribe();
    clearTimeout(this.#timer);
  }

  #add(change: Change): void {
    this.#pending.add(change);
    this.#schedule();
  }

  #schedule(): void {
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      for (const change of this.#pending) if (this.#send(NOTIFICATIONS[change])) this.#pending.delete(change);
    }, this.#intervalMs);
  }
}
