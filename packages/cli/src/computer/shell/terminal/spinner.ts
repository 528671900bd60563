import type { Computer } from '@a2c/computer';
import { shortened } from '../display-width.js';
import type { View } from '../view.js';

const FRAMES = ['⠋', '⠙', '⠹', '⠸', '⠼', '⠴', '⠦', '⠧', '⠇', '⠏'];
const FRAME_MS = 80;
const CLEAR_LINE = '\r\u001b[K';

/** Turns while servers start, and names those that are still awaited. `isHidden`: a question has the screen. */
export class StartSpinner {
  readonly #computer: Computer;
  readonly #view: View;
  readonly #write: (text: string) => void;
  readonly #isHidden: () => boolean;

  constructor(computer: Computer, view: View, write: (text: string) => void, isHidden: () => boolean) {
    this.#computer = computer;
    this.#view = view;
    this.#write = write;
    this.#isHidden = isHidden;
  }

  async during<T>(work: Promise<T>): Promise<T> {
    let frame = 0;
    const timer = setInterval(() => {
      if (this.#isHidden()) return;
      frame = (frame + 1) % FRAMES.length;
      this.#write(`${CLEAR_LINE}${this.#view.paint('cyan', FRAMES[frame] as string)} ${this.#progress()}`);
    }, FRAME_MS);
    try {
      return await work;
    } finally {
      clearInterval(timer);
      if (frame > 0) this.#write(CLEAR_LINE);
    }
  }

  #progress(): string {
    const enabled = this.#computer.status().filter(({ disabled }) => !disabled);
    const waiting = enabled.filter(({ state, active }) => active && state !== 'connected').map(({ name }) => name);
    const values = { done: enabled.length - waiting.length, all: enabled.length, waiting: waiting.join(', ') };
    return shortened(this.#view.say('starting', values), Math.max(10, this.#view.width - 3));
  }
}
