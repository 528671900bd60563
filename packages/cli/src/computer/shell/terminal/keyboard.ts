import { emitKeypressEvents, type Key } from 'node:readline';
import { PassThrough } from 'node:stream';
import { StringDecoder } from 'node:string_decoder';
import type { ReadStream, WriteStream } from 'node:tty';

export interface KeyPress {
  readonly text: string;
  readonly name: string;
  readonly ctrl: boolean;
}

const CTRL_C = '\u0003';
const CTRL_R = '\u0012';
/** Bracketed paste: the terminal marks the start and the end of pasted text, so that a pasted tab is not a key. */
const PASTE_ON = '\u001b[?2004h';
const PASTE_OFF = '\u001b[?2004l';
const PASTE_START = '\u001b[200~';
const PASTE_END = '\u001b[201~';
/** The start of an escape sequence whose rest is in the next chunk. A lone escape is a key, except in a paste. */
const CUT_SEQUENCE = new RegExp(`${'\u001b'}\\[[\\d;]*$`);
const CUT_IN_PASTE = new RegExp(`${'\u001b'}(?:\\[[\\d;]*)?$`);
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
  readonly #output: WriteStream;
  readonly #onInterrupt: () => void;
  readonly #onSearch: () => void;
  #question: ((key: KeyPress) => void) | undefined;
  #editing = false;
  /** Shared by all chunks, because a character may arrive in two of them. */
  readonly #decoder = new StringDecoder('utf8');
  /** Shared by all questions, because an escape sequence may arrive in two chunks. */
  readonly #keys = new PassThrough();
  #buffered: string[] = [];
  #pasting = false;
  /** Until this time, questions get no keys. */
  #droppedUntil = 0;
  /** The start of an escape sequence, until its rest arrives. */
  #cut = '';

  constructor(input: ReadStream, output: WriteStream, onInterrupt: () => void, onSearch: () => void) {
    this.#input = input;
    this.#output = output;
    this.#onInterrupt = onInterrupt;
    this.#onSearch = onSearch;
    emitKeypressEvents(this.#keys);
    this.#keys.on('keypress', (text: string | undefined, key: Key) => {
      if (performance.now() < this.#droppedUntil) return;
      this.#question?.({ text: text ?? '', name: key.name ?? '', ctrl: key.ctrl ?? false });
    });
  }

  open(): void {
    this.#rawMode(true);
    this.#input.on('data', this.#receive).on('end', this.#endLines);
    this.#input.resume();
  }

  close(): void {
    this.#input.off('data', this.#receive).off('end', this.#endLines);
    this.#rawMode(false);
    this.#input.pause();
  }

  #rawMode(on: boolean): void {
    this.#input.setRawMode(on);
    this.#output.write(on ? PASTE_ON : PASTE_OFF);
  }

  /** Stops the process (Ctrl-Z) and leaves raw mode until it continues. */
  suspend(): void {
    this.#rawMode(false);
    process.once('SIGCONT', () => this.#rawMode(true));
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

  /** Drops the keys that are typed at a question during this time. */
  drop(ms: number): void {
    this.#droppedUntil = performance.now() + ms;
  }

  /** Answers the current question with Ctrl-C. */
  cancelQuestion(): void {
    this.#question?.({ text: '', name: 'c', ctrl: true });
  }

  readonly #endLines = (): void => {
    this.lineInput.end();
  };

  readonly #receive = (chunk: Buffer): void => {
    const text = this.#decoder.write(chunk);
    if (this.#question) this.#keys.write(text);
    else if (this.#editing) this.#type(text);
    else if (text.includes(CTRL_C)) this.#onInterrupt();
    else this.#buffered.push(text);
  };

  /** Writes key by key, because readline takes a longer chunk for a paste and appends it to the end of the line. */
  #type(text: string): void {
    const whole = this.#cut + text;
    this.#cut = (this.#pasting ? CUT_IN_PASTE : CUT_SEQUENCE).exec(whole)?.[0] ?? '';
    for (const [key] of whole.slice(0, whole.length - this.#cut.length).matchAll(KEY)) {
      if (key === PASTE_START || key === PASTE_END) this.#pasting = key === PASTE_START;
      // The rest of the chunk after Ctrl-R belongs to the search.
      else if (this.#question) this.#keys.write(key);
      else if (key === CTRL_R && !this.#pasting) this.#onSearch();
      // A pasted tab is indentation; readline would complete the line.
      else this.lineInput.write(this.#pasting && key === '\t' ? ' ' : key);
    }
  }
}
