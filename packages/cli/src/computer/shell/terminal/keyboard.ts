import { emitKeypressEvents, type Key } from 'node:readline';
import { PassThrough } from 'node:stream';
import { StringDecoder } from 'node:string_decoder';
import type { ReadStream } from 'node:tty';

export interface KeyPress {
  readonly text: string;
  readonly name: string;
  readonly ctrl: boolean;
}

const CTRL_C = '\u0003';
/** A key: an escape sequence or a character. */
const KEY = new RegExp(String.raw`${'\u001b'}(?:\[[\d;]*[~A-Za-z]|O[A-Za-z]|[^\[O])?|.`, 'gsu');

/**
 * The keys, given to one listener at a time: the line being edited, a question that interrupts it, or nobody while a command
 * runs. What is typed meanwhile waits, except Ctrl-C. readline alone cannot do this: it loses what was typed ahead when it is
 * closed for a question.
 */
export class Keyboard {
  /** What readline reads from; it believes it is a terminal. */
  readonly lineInput = Object.assign(new PassThrough(), { isTTY: true, setRawMode: () => {} });
  readonly #input: ReadStream;
  readonly #onInterrupt: () => void;
  #question: ((key: KeyPress) => void) | undefined;
  #editing = false;
  /** One for all that is typed: a character may come in two pieces. */
  readonly #decoder = new StringDecoder('utf8');
  /** One for all questions: so may an escape sequence. */
  readonly #keys = new PassThrough();
  #waiting: string[] = [];

  constructor(input: ReadStream, onInterrupt: () => void) {
    this.#input = input;
    this.#onInterrupt = onInterrupt;
    emitKeypressEvents(this.#keys);
    this.#keys.on('keypress', (text: string | undefined, key: Key) =>
      this.#question?.({ text: text ?? '', name: key.name ?? '', ctrl: key.ctrl ?? false }),
    );
  }

  open(): void {
    this.#input.setRawMode(true);
    this.#input.on('data', this.#receive);
    this.#input.on('end', () => this.lineInput.end());
  }

  close(): void {
    this.#input.off('data', this.#receive);
    this.#input.setRawMode(false);
    this.#input.pause();
  }

  /** Gives the terminal back for the time the process is stopped. */
  suspend(): void {
    this.#input.setRawMode(false);
    process.once('SIGCONT', () => this.#input.setRawMode(true));
    process.kill(process.pid, 'SIGSTOP');
  }

  /** Keys go to the line from now on, those that waited first. */
  edit(on: boolean): void {
    this.#editing = on;
    if (!on) return;
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const text of waiting) this.#type(text);
  }

  /** Keys go to a question until it has its answer; never those that were typed before it was asked. */
  ask<T>(question: (answer: (value: T) => void) => (key: KeyPress) => void): Promise<T> {
    return new Promise<T>((resolve) => {
      this.#question = question((value) => {
        this.#question = undefined;
        resolve(value);
      });
    });
  }

  /** As if the person had pressed Ctrl-C at the question. */
  giveUp(): void {
    this.#question?.({ text: '', name: 'c', ctrl: true });
  }

  readonly #receive = (chunk: Buffer): void => {
    const text = this.#decoder.write(chunk);
    if (this.#question) this.#keys.write(text);
    else if (this.#editing) this.#type(text);
    else if (text.includes(CTRL_C)) this.#onInterrupt();
    else this.#waiting.push(text);
  };

  /** Key by key: what comes in one piece readline takes for a paste and appends to the line, wherever the cursor is. */
  #type(text: string): void {
    for (const [key] of text.matchAll(KEY)) this.lineInput.write(key);
  }
}
