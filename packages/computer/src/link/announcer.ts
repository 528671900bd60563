import type { ComputerEvent } from '@a2c/protocol';
import type { Computer } from '../computer.js';

/** Every change of the Computer that Agents are told of, and the event that tells it. */
const ANNOUNCED = {
  config: 'server:update_config',
  tools: 'server:update_tool_list',
  desktop: 'server:update_desktop',
} as const satisfies Record<string, ComputerEvent>;

type Change = keyof typeof ANNOUNCED;

/** Tells of changes: each kind once per interval, however many there were, because hearing of one means to fetch anew. */
export class Announcer {
  readonly #computer: Computer;
  readonly #send: (event: ComputerEvent) => void;
  readonly #intervalMs: number;
  readonly #pending = new Set<Change>();
  readonly #listeners: readonly (readonly [Change, () => void])[];
  #timer: NodeJS.Timeout | undefined;

  constructor(computer: Computer, intervalMs: number, send: (event: ComputerEvent) => void) {
    this.#computer = computer;
    this.#intervalMs = intervalMs;
    this.#send = send;
    this.#listeners = (Object.keys(ANNOUNCED) as Change[]).map((change) => [change, () => this.#note(change)] as const);
    for (const [change, listener] of this.#listeners) computer.on(change, listener);
  }

  /** After an absence nobody knows what the others missed. */
  announceAll(): void {
    for (const [change] of this.#listeners) this.#note(change);
  }

  stop(): void {
    for (const [change, listener] of this.#listeners) this.#computer.off(change, listener);
    clearTimeout(this.#timer);
  }

  #note(change: Change): void {
    this.#pending.add(change);
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      const changes = [...this.#pending];
      this.#pending.clear();
      for (const each of changes) this.#send(ANNOUNCED[each]);
    }, this.#intervalMs);
  }
}
