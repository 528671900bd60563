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
 * Passes the keys to one consumer at a time: the line editor, or a question that interrupts it. While a command runs,
 * keys are buffered, except Ctrl-C. readline alone loses typed-ahead keys when it is closed for a question.
 */
export class Keyboard {
  /** The input of readline, which must look like a terminal. */
  readonly lineInput = Object.assign(new PassThrough(), { isTTY: true, setRawMode: () => {} });
  readonly #input: ReadStream;
  readonly #onInterrupt: () => void;
  #question: ((key: KeyPress) => void) | undefined;
  #editing = false;
  /** Shared by all chunks, because a character may arrive in two of them. */
  readonly #decoder = new StringDecoder('utf8');
  /** Shared by all questions, because an escape sequence may arrive in two chunks. */
  readonly #keys = new PassThrough();
  #buffered: string[] = [];

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

  /** Stops the process (Ctrl-Z) and leaves raw mode until it continues. */
  suspend(): void {
    this.#input.setRawMode(false);
    process.once('SIGCONT', () => this.#input.setRawMode(true));
    process.kill(process.pid, 'SIGSTOP');
  }

  /** Starts or stops passing keys to the line editor. Buffered keys come first. */
  edit(on: boolean): void {
    this.#editing = on;
    if (!on) return;
    for (const text of this.#buffered.splice(0)) this.#type(text);
  }

  /** Passes keys to a question until it is answered. Keys typed before the question stay buffered. */
  ask<T>(question: (answer: (value: T) => void) => (key: KeyPress) => void): Promise<T> {
    return new Promise<T>((resolve) => {
      this.#question = question((value) => {
        this.#question = undefined;
        resolve(value);
      });
    });
  }

  /** Answers the current question with Ctrl-C. */
  cancelQuestion(): void {
    this.#question?.({ text: '', name: 'c', ctrl: true });
  }

  readonly #receive = (chunk: Buffer): void => {
    const text = this.#decoder.write(chunk);
    if (this.#question) this.#keys.write(text);
    else if (this.#editing) this.#type(text);
    else if (text.includes(CTRL_C)) this.#onInterrupt();
    else this.#buffered.push(text);
  };

  /** Writes key by key, because readline takes a longer chunk for a paste and appends it to the end of the line. */
  #type(text: string): void {
    for (const [key] of text.matchAll(KEY)) this.lineInput.write(key);
  }
}
