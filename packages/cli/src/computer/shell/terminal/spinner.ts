import type { Computer } from '@a2c/computer';
import { oneLine } from '@a2c/protocol';
import { displayWidth, shortened } from '../display-width.js';
import type { View } from '../view.js';
import { CLEAR_LINE } from './questions.js';

const FRAMES = ['⠋', '⠙', '⠹', '⠸', '⠼', '⠴', '⠦', '⠧', '⠇', '⠏'];
const FRAME_MS = 80;

/** Shows which servers are still starting. Hidden while a question is on the screen. */
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

  /** Shows the spinner until the work is done or the signal aborts. */
  async during<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
    let frame = 0;
    const timer = setInterval(() => {
      if (this.#isHidden()) return;
      frame = (frame + 1) % FRAMES.length;
      this.#write(`${CLEAR_LINE}${this.#view.paint('cyan', FRAMES[frame] as string)} ${this.#progress()}`);
    }, FRAME_MS);
    const stop = () => {
      clearInterval(timer);
      if (frame > 0) this.#write(CLEAR_LINE);
      frame = 0;
    };
    signal.addEventListener('abort', stop);
    try {
      return await work;
    } finally {
      signal.removeEventListener('abort', stop);
      stop();
    }
  }

  #progress(): string {
    const enabled = this.#computer.status().filter(({ disabled }) => !disabled);
    const waiting = enabled.filter(({ state, active }) => active && state !== 'connected').map(({ name }) => name);
    const values = { done: enabled.length - waiting.length, all: enabled.length, waiting: oneLine(waiting.join(', ')) };
    const hint = this.#view.say('startingInterrupt');
    const room = this.#view.width - 3 - displayWidth(hint);
    return shortened(this.#view.say('starting', values), Math.max(10, room)) + hint;
  }
}
