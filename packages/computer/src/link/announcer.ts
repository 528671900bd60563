import type { ComputerEvent } from '@a2c/protocol';
import type { Computer } from '../computer.js';

/** Every change of the Computer that Agents are told of, and the event that tells it. */
const ANNOUNCED = {
  config: 'server:update_config',
  tools: 'server:update_tool_list',
  desktop: 'server:update_desktop',
} as const satisfies Record<string, ComputerEvent>;

type Change = keyof typeof ANNOUNCED;
const CHANGES = Object.keys(ANNOUNCED) as Change[];

/** Tells of changes: each kind once per interval, however many there were, because hearing of one means to fetch anew. */
export class Announcer {
  readonly #send: (event: ComputerEvent) => boolean;
  readonly #intervalMs: number;
  readonly #pending = new Set<Change>();
  readonly #unsubscribe: readonly (() => void)[];
  #timer: NodeJS.Timeout | undefined;

  /** `send` says whether there was anybody to tell. */
  constructor(computer: Computer, intervalMs: number, send: (event: ComputerEvent) => boolean) {
    this.#intervalMs = intervalMs;
    this.#send = send;
    this.#unsubscribe = CHANGES.map((change) => computer.on(change, () => this.#note(change)));
  }

  /** There is somebody to tell what could not be told before, such as while a join was under way. */
  announceUntold(): void {
    if (this.#pending.size > 0) this.#later();
  }

  /** After an absence nobody knows what the others missed. */
  announceAll(): void {
    for (const change of CHANGES) this.#note(change);
  }

  stop(): void {
    for (const unsubscribe of this.#unsubscribe) unsubscribe();
    clearTimeout(this.#timer);
  }

  #note(change: Change): void {
    this.#pending.add(change);
    this.#later();
  }

  #later(): void {
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      for (const change of this.#pending) if (this.#send(ANNOUNCED[change])) this.#pending.delete(change);
    }, this.#intervalMs);
  }
}
